"""What a title consists of, as far as runs are concerned. A title is one folder; see ``docs/adding_a_title.md``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from board.edition import Edition
from board.errors import Fault, InputError
from board.position import Position
from bonuses.base import Bonus
from routing.problem import RouteProblem
from routing.route_rules import RouteRules

if TYPE_CHECKING:  # a run is answered without the rules of whole games
    from rules.game import Game, Scorer


@dataclass(frozen=True)
class TitleInfo:
    """What ``trackage titles`` prints about a title: names, numbers of players, options with their meaning, scenarios,
    and where the facts come from."""

    name: str
    full_name: str
    players: tuple[int, int]
    options: Mapping[str, str] = field(default_factory=dict)
    scenarios: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    exact_methods: tuple[str, ...] = ("enumerate", "constraint")


class Title:
    """A title plugs into the engine by subclassing this in its folder's ``title.py``."""

    info: TitleInfo

    def edition(self, options: Iterable[str] = (), players: int | None = None) -> Edition:
        """The facts for these options and number of players. Raises :class:`InputError` for options or a number that
        the title does not have."""
        raise NotImplementedError

    def route_rules(self, position: Position) -> RouteRules:
        """What the title says about the operator's routes in this position."""
        return RouteRules(source=self.info.name)

    def bonuses(self, position: Position, table: Mapping[str, object] | None = None) -> tuple[Bonus, ...]:
        """Everything that adds to stop values. *table* holds values that the user supplies (1833NE)."""
        return ()

    def notices(self, position: Position, table: Mapping[str, object] | None = None) -> tuple[str, ...]:
        """Sentences for people about what is not known."""
        return ()

    #: Whether the title reads a table of bonuses that the user supplies.
    takes_bonus_table: bool = False

    def problem(self, position: Position, table: Mapping[str, object] | None = None) -> RouteProblem:
        """The question put to the search and to the checker. Raises :class:`InputError` where *table* is not what the
        title reads."""
        if table is not None and not self.takes_bonus_table:
            raise InputError(
                Fault(
                    "no-bonus-table", f"{self.info.name} has no bonus table; all its bonuses are known", "bonus table"
                )
            )
        return RouteProblem(
            position, self.route_rules(position), self.bonuses(position, table), self.notices(position, table)
        )

    def game_rules(self) -> type[Game] | None:
        """The rules of whole games of the title; None where it has none. Imported when they are first needed."""
        return None

    def game(
        self,
        seats: Sequence[str],
        *,
        options: Iterable[str] = (),
        names: Mapping[str, str] | None = None,
        seed: int = 0,
        scorer: Scorer | None = None,
    ) -> Game:
        """A game of the title: the rules that play it. *seats* are the ids of the players in seat order, *seed* decides
        the draws, *scorer* works out runs that do not tell their revenue. Raises :class:`InputError` for options or a
        number of players that the title does not have, and where whole games of it cannot be played."""
        raise InputError(Fault("not-playable", f"whole games of {self.info.name} cannot be played", "title"))

    def check_options(self, options: Iterable[str], players: int | None) -> frozenset[str]:
        """The options as a set. Raises :class:`InputError` for unknown ones and for a wrong number of players."""
        chosen = frozenset(options)
        faults = [
            Fault(
                "unknown-option",
                f"{self.info.name} has no option {option!r}; it has {', '.join(self.info.options) or 'none'}",
                "options",
            )
            for option in sorted(chosen - self.info.options.keys())
        ]
        least, most = self.info.players
        if players is not None and not least <= players <= most:
            faults.append(
                Fault(
                    "wrong-number-of-players",
                    f"{self.info.name} is played by {least} to {most}, not {players}",
                    "players",
                )
            )
        if faults:
            raise InputError(faults)
        return chosen
