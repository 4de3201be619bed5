"""``trackage what-if``: the best revenue after each change that is open to a company."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from analysis.as_json import faults_to_json, outcome_to_json
from analysis.games import opening
from analysis.position_states import position_after, state_of
from analysis.what_if import Change, Outcome, WhatIf, changes_open, chosen, what_if
from board.errors import Fault, InputError, TrackageError
from board.hexes import StopId
from board.position import Position
from cli.audit import Kind, kind_of
from cli.errors import DONE, report
from cli.inputs import edition_of
from cli.screen import columns, counted, hanging, say, styled
from cli.verdicts import heading
from cli.written import write_json
from records.games_18xx import LIMITS, RecordedGame, game_from
from records.positions import Rejected, read_positions
from records.reading import STDIN, documents, read_bytes
from records.replay import Carried, replay
from routing.problem import RouteProblem
from rules.state import OperatingRound, State
from titles.registry import get_title

#: Changes that text lists where not every one is asked for.
SHOWN = 30


def run(
    source: str,
    *,
    at: int | None = None,
    company: str | None = None,
    only: Sequence[str] = (),
    jobs: int = 2,
    every: bool = False,
    as_json: bool = False,
    table: Mapping[str, object] | None = None,
) -> int:
    """Answer for every position of the source, or for the game at one moment; returns the exit status."""
    data = read_bytes(source, limits=LIMITS) if source == STDIN else None
    if kind_of(source, None if data is None else io.BytesIO(data)) is Kind.GAME:
        stdin = None if data is None else io.BytesIO(data)
        document = next(iter(documents(source, stdin=stdin, limits=LIMITS)))
        game = game_from(document.value, where=document.place.rpartition(":")[0] or document.place)
        state = _state_at(game, at)

        def of_game(position: Position) -> RouteProblem:
            return get_title(game.title).problem(position, table)

        changes = chosen(changes_open(state.but(lenient=False)), only)
        found = what_if(state, of_game, company=company, changes=changes, jobs=jobs)
        place = replace(state.position(found.builder), game=game.id, action=at)
        _show(found, place, source, every=every, as_json=as_json, money=True)
        return DONE
    if at is not None:
        raise InputError(Fault("no-game", "--at names an action of a recorded game; this holds positions", source))
    status = DONE
    stdin = None if data is None else io.BytesIO(data)
    for entry in counted(read_positions([source], edition_of, stdin=stdin), "position"):
        try:
            if isinstance(entry, Rejected):
                raise entry.error
            position = entry.position
            if company not in (None, position.operator):
                message = f"a position tells the trains of {position.operator} only; for others ask about the game"
                raise InputError(Fault("needs-the-game", message, "--for"))
            found = _of_position(position, only, jobs, table)
        except TrackageError as error:
            status = max(status, report(error if isinstance(entry, Rejected) else error.at(entry.source)))
            if as_json:
                write_json({"source": entry.source, "faults": faults_to_json(error.faults)})
            continue
        _show(found, position, entry.source, every=every, as_json=as_json, money=False)
    return status


def _of_position(position: Position, only: Sequence[str], jobs: int, table: Mapping[str, object] | None) -> WhatIf:
    def of_position(changed: Position) -> RouteProblem:
        return get_title(changed.edition.title).problem(changed, table)

    def after(state: State, company: str) -> Position:
        return position_after(position, state, company)

    state = state_of(position)
    changes = chosen(changes_open(state), only)
    return what_if(state, of_position, changes=changes, position_of=after, harms=False, jobs=jobs)


def _state_at(game: RecordedGame, at: int | None) -> State:
    """The state right after action *at*. Raises :class:`InputError` where that is in no company's turn."""
    if at is None:
        raise InputError(Fault("no-moment", "a recorded game needs --at ACTION, the moment to ask about", game.place))
    state = opening(game)
    if at == 0:
        return state
    last = 0
    entries = iter(replay(game, state))
    for carried in entries:
        last = carried.entry.id or last
        if carried.entry.id == at:
            if _on_turn(carried.after):
                return carried.after
            message = f"no company is on turn after action {at}{_next_turn(entries)}"
            raise InputError(Fault("no-operating-turn", message, f"{game.place}: --at"))
    message = f"there is no action {at}, or it was undone; the last one is {last}"
    raise InputError(Fault("unknown-action", message, f"{game.place}: --at"))


def _on_turn(state: State) -> bool:
    return not state.over and isinstance(state.round, OperatingRound) and state.operator is not None


def _next_turn(entries: Iterator[Carried]) -> str:
    """When a company is on turn next, as far as the record can be played."""
    with suppress(TrackageError):
        for carried in entries:
            if carried.entry.id is not None and _on_turn(carried.after):
                assert carried.after.operator is not None
                return f"; {carried.after.operator.name} is next, after action {carried.entry.id}"
    return "; name an action within an operating round"


def _show(found: WhatIf, position: Position, source: str, *, every: bool, as_json: bool, money: bool) -> None:
    if as_json:
        for outcome in found.outcomes:
            write_json(outcome_to_json(outcome, found, position, source))
        return
    for line in _lines(found, position, source, every=every, money=money):
        say(line)


def _lines(found: WhatIf, position: Position, source: str, *, every: bool, money: bool) -> Iterator[str]:
    yield styled(heading(position, source), "bold")
    for_whom = "" if found.company == found.builder else f" of {found.company}"
    sure = "proven" if found.proven else "not proven"
    number = len(found.outcomes)
    yield f"  best revenue{for_whom} now {found.before} ({sure}); {number} change{'s' if number != 1 else ''} open"
    telling = [one for one in found.outcomes if every or one.gain > 0 or one.harms]
    shown = telling if every else list(islice(telling, SHOWN))
    if shown:
        rows = [["gain", "revenue", "cost", "change"], *(_row(one, position) for one in shown)]
        yield from (f"  {line}" for line in columns(rows, right=(0, 1, 2)))
    if number and len(shown) < number:
        hidden = len(telling) - len(shown)
        more = f"{hidden} more bring something, " if hidden else ""
        yield f"  {more}{number - len(telling)} bring nothing (--all lists them)"
    if not money:
        note = "money and the trains of others are not told by a position: every cost is taken to be affordable"
        first, *others = hanging(f"note: {note}", 4)
        yield f"  {first}"
        yield from others
    yield ""


def _row(outcome: Outcome, position: Position) -> list[str]:
    least = "" if outcome.proven else " (at least)"
    harms = ", ".join(f"{company} loses {amount}" for company, amount in outcome.harms.items())
    text = _told(outcome.change, position) + (f"; {harms}" if harms else "")
    gain = f"{outcome.gain:+d}" if outcome.gain else "0"
    return [gain, f"{outcome.revenue}{least}", str(outcome.change.cost), text]


def _told(change: Change, position: Position) -> str:
    """``upgrade E11 Dunkirk & Buffalo with tile 66, turned 2``."""
    by = f", by {change.by}" if change.by else ""
    if change.kind == "train":
        return f"buy a {change.train} from {change.seller or 'the bank'}{by}"
    assert change.hex is not None
    where = f"{change.hex} {position.edition.map.names.get(change.hex, '')}".strip()
    if isinstance(change.where, StopId):
        city = f" ({change.where})" if len(position.stops_on(change.hex)) > 1 else ""
        return f"token in {where}{city}{by}"
    assert change.tile is not None
    verb = "lay" if change.kind == "lay" else "upgrade"
    if verb == "lay":
        return f"lay tile {change.tile[0]}, turned {change.tile[1]}, on {where}{by}"
    return f"upgrade {where} to tile {change.tile[0]}, turned {change.tile[1]}{by}"
