"""The questions that a worker answers, each from the bytes of a call: best runs, claims, pictures, games.

Everything here works on values of the library; it knows neither of HTTP nor of the store.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from analysis.as_json import option_to_json, outcome_to_json, title_to_json, turn_to_json, verdict_to_json
from analysis.best_runs import Wishes, answer, result_to_json
from analysis.games import opening, problems_of
from analysis.operating_round import evaluated_round
from analysis.pictures import picture_of
from analysis.tracks import parse_routes, route_text
from board.edition import Edition
from board.errors import Fault, InputError, TrackageError
from board.hexes import HexId
from board.position import Placement, Position
from records.games_18xx import LIMITS as GAME_LIMITS
from records.games_18xx import RecordedGame, game_from
from records.positions import PositionRecord, from_json, to_json
from records.reading import LIMITS, shortened, unsound, value_of
from records.replay import Carried, replay
from records.runs import RunCheck, check_run
from routing.checker import Verdict
from routing.claims import check_claim
from routing.problem import RouteProblem
from routing.result import Result, Status
from rules.actions import Dividend, RunRoutes
from rules.evaluate import dividend_options, option
from rules.state import OperatingRound, State
from rules.wording import describe
from titles.registry import get_title, titles

if TYPE_CHECKING:
    from analysis.what_if import WhatIf
    from service.worker import Outlet

Question = Callable[[Mapping[str, object], bytes, "Outlet"], None]

#: A position lies one level deeper in a call than in a file.
_CALL_LIMITS: Final = replace(LIMITS, depth=LIMITS.depth + 2, document_bytes=LIMITS.document_bytes + 4096)
#: Games that are kept played, the last ones asked for.
_MOST_GAMES: Final = 3
#: Seconds after which a search first tells what it has found; each further look takes this many times longer.
_FIRST_LOOK: Final = 0.5
_LONGER: Final = 3.0


def edition_of(title: str, options: object, players: int | None) -> Edition:
    """The facts of a title for positions."""
    return get_title(title).edition(options, players)  # type: ignore[arg-type]


# --- what a call holds ---------------------------------------------------------------------------------------------


class Call:
    """The JSON object of a call, looked at key by key. Raises :class:`InputError` for what is not as it should be."""

    def __init__(self, body: bytes, keys: Sequence[str]) -> None:
        value = value_of(body, _CALL_LIMITS)
        if not isinstance(value, dict):
            raise InputError(Fault("wrong-type", f"must be an object, not {shortened(value)}", "body"))
        faults = [
            Fault("unknown-key", f"there is no key {shortened(key)}; known keys are {', '.join(keys)}", "body")
            for key in value
            if key not in keys
        ]
        rest = {key: inner for key, inner in value.items() if key != "position"}
        faults += unsound(rest, _CALL_LIMITS)
        faults += (
            Fault("duplicate-key", f"the key {shortened(key)} is written more than once", "body")
            for key in getattr(value, "twice", ())
        )
        if faults:
            raise InputError(faults[:20])
        self._value = value

    def record(self) -> PositionRecord:
        """The position."""
        if "position" not in self._value:
            raise InputError(Fault("missing-key", "the key 'position' is missing", "body"))
        return from_json(self._value["position"], edition_of)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._value.get(key) or []
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise InputError(Fault("wrong-type", f"must be a list of texts, not {shortened(value)}", key))
        if len(value) > 50:
            raise InputError(Fault("too-many", f"{len(value)} entries; at most 50 are read", key))
        return tuple(value)

    def text(self, key: str) -> str | None:
        value = self._value.get(key)
        if value is not None and not isinstance(value, str):
            raise InputError(Fault("wrong-type", f"must be text, not {shortened(value)}", key))
        return value

    def number(self, key: str, usual: float, least: float, most: float) -> float:
        value = self._value.get(key)
        if value is None:
            return usual
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise InputError(Fault("wrong-type", f"must be a number, not {shortened(value)}", key))
        if not least <= value <= most:
            raise InputError(Fault("wrong-value", f"must be from {least:g} to {most:g}, not {value:g}", key))
        return value

    def whole(self, key: str, usual: int, least: int, most: int) -> int:
        value = self.number(key, usual, least, most)
        if value != int(value):
            raise InputError(Fault("wrong-type", f"must be a whole number, not {value:g}", key))
        return int(value)

    def flag(self, key: str) -> bool:
        value = self._value.get(key, False)
        if not isinstance(value, bool):
            raise InputError(Fault("wrong-type", f"must be true or false, not {shortened(value)}", key))
        return value

    def table(self) -> Mapping[str, object] | None:
        value = self._value.get("bonus_table")
        if value is not None and not isinstance(value, dict):
            raise InputError(Fault("wrong-type", f"must be an object, not {shortened(value)}", "bonus_table"))
        return value


def _problem(record: PositionRecord, table: Mapping[str, object] | None = None) -> RouteProblem:
    return get_title(record.position.edition.title).problem(record.position, table)


# --- best ----------------------------------------------------------------------------------------------------------


def best(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """The best runs of a position under the wishes of the call; says on the way what has been found so far."""
    keys = ("position", "pin", "avoid", "without", "top", "time_limit", "method", "bonus_table", "map")
    call = Call(body, keys)
    record = call.record()
    table = call.table()
    usual, most = float(str(head["seconds"])), float(str(head["most_seconds"]))
    limit = call.number("time_limit", usual, 0, most)
    method = call.text("method") or "auto"
    wishes = Wishes(
        method=method,  # type: ignore[arg-type]
        top=call.whole("top", 1, 1, 20),
        pins=call.texts("pin"),
        avoid=call.texts("avoid"),
        without=call.texts("without"),
        table=table,
    )
    with_map = call.flag("map")
    problem = _problem(record, table)
    result: Result | None = None
    for result in searched(problem, wishes, limit):
        if not result.proven:
            outlet.progress(_best_to_json(result, record, problem, with_map=with_map))
    assert result is not None
    outlet.done(_best_to_json(result, record, problem, with_map=with_map), keep=result.proven)


def searched(problem: RouteProblem, wishes: Wishes, limit: float) -> Iterator[Result]:
    """Answers that get better until one is proven or time is over: a short search first, then longer ones.

    Bounds and routes of all of them hold, so each answer has the best routes and the lowest bound so far.
    """
    start, look = time.perf_counter(), _FIRST_LOOK
    found: Result | None = None
    while True:
        left = max(0.0, limit - (time.perf_counter() - start))
        seconds = left if left < look * 2 else look
        result = answer(problem, replace(wishes, time_limit=seconds))
        if found is not None:
            better = max(result, found, key=lambda one: one.revenue)
            bound = min(result.bound, found.bound)
            status = Status.PROVEN if bound <= better.revenue else Status.FEASIBLE
            result = result if result.proven else replace(better, bound=max(bound, better.revenue), status=status)
        found = replace(result, seconds=time.perf_counter() - start)
        yield found
        if found.proven or left <= seconds:
            return
        look *= _LONGER


def _best_to_json(
    result: Result, record: PositionRecord, problem: RouteProblem, *, with_map: bool = False
) -> dict[str, object]:
    value = result_to_json(result, record, problem)
    del value["source"]
    _add_texts(value, result.verdict, record.position)
    others = value.get("runner_ups")
    for place, other in enumerate(result.runner_ups):
        assert isinstance(others, list)
        _add_texts(others[place], other, record.position)
    if with_map:
        value["svg"] = picture_of(record.position, result.verdict, result, title=" ", legend_at="none")
    return value


def _add_texts(value: dict[str, object], verdict: Verdict, position: Position) -> None:
    """Each route as ``pin`` and ``avoid`` read it, and the names of its stops."""
    routes = value["routes"]
    assert isinstance(routes, list)
    for place, scored in enumerate(verdict.routes):
        routes[place]["text"] = route_text(scored.route, position)
        routes[place]["names"] = [position.edition.map.names.get(stop.hex, "") for stop in scored.stops]


# --- claims --------------------------------------------------------------------------------------------------------


def score(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """The verdict on the claimed routes of a position, or on routes given as text."""
    call = Call(body, ("position", "routes", "bonus_table", "map"))
    record = call.record()
    problem = _problem(record, call.table())
    texts = call.texts("routes")
    if texts:
        record = PositionRecord(record.position, parse_routes(problem, texts, "routes"))
    elif not record.claimed and record.claimed_revenue is None:
        message = "claims no routes; name some under routes, or under the key claimed of the position"
        raise InputError(Fault("nothing-claimed", message, "position"))
    verdict = check_claim(problem, record.claimed)
    value = verdict_to_json(verdict, record, problem)
    del value["source"]
    value["claimed"] = to_json(record).get("claimed", [])
    _add_texts(value, verdict, record.position)
    if call.flag("map"):
        value["svg"] = picture_of(record.position, verdict, title=" ", legend_at="none")
    outlet.done(value, keep=True)


# --- pictures ------------------------------------------------------------------------------------------------------


def picture(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """The map of a position with its claimed routes, as SVG or PNG."""
    call = Call(body, ("position", "bonus_table", "legend"))
    record = call.record()
    verdict = check_claim(_problem(record, call.table()), record.claimed) if record.claimed else None
    bare = call.text("legend") == "none"
    svg = picture_of(record.position, verdict, title=" " if bare else "", legend_at="none" if bare else "auto")
    if head.get("format") == "png":
        from board.drawing import to_png

        outlet.done(to_png(svg), keep=True, media="image/png")
    else:
        outlet.done(svg.encode("utf-8", "replace"), keep=True, media="image/svg+xml")


def tiles(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """The tiles that may lie on a hex of the position, in every rotation that looks different and is allowed there."""
    call = Call(body, ("position", "hex"))
    record = call.record()
    position = record.position
    hex_id = HexId.parse(call.text("hex") or "")
    if hex_id not in position.edition.map:
        message = f"the map of {position.edition.title} has no hex {hex_id}"
        raise InputError(Fault("unknown-hex", message, "hex"))
    bare = position.with_changes(tokens={place: cities for place, cities in position.tokens.items() if place != hex_id})
    found = []
    for tile_id, stock in position.edition.tiles.stock.items():
        rotations, seen = [], set()
        for rotation in range(6):
            shape = (stock.tile.rotated(rotation).track, stock.tile.rotated(rotation).parts)
            if shape in seen:
                continue
            seen.add(shape)
            try:
                bare.with_changes(tiles={**position.tiles, hex_id: Placement(tile_id, rotation)})
            except InputError:
                continue
            rotations.append(rotation)
        if rotations:
            found.append({"tile": tile_id, "colour": stock.tile.colour, "rotations": rotations})
    lies = position.tiles.get(hex_id)
    value: dict[str, object] = {"hex": hex_id, "now": list(lies) if lies else None, "tiles": found}
    cities = [part.id for part in position.tile_at(hex_id).cities]
    value["cities"] = {
        city: {
            "slots": next(part.slots for part in position.tile_at(hex_id).cities if part.id == city),
            "tokens": list(position.tokens.get(hex_id, {}).get(city, ())),
        }
        for city in cities
    }
    outlet.done(value, keep=True)


def all_titles(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """What is supported."""
    outlet.done([title_to_json(title) for title in titles()], keep=True)


# --- what if -------------------------------------------------------------------------------------------------------


def what_if_of_position(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """The best revenue after each change that is open to the operator of a position."""
    from analysis.position_states import position_after, state_of
    from analysis.what_if import changes_open, chosen, what_if

    call = Call(body, ("position", "only", "bonus_table"))
    record, table = call.record(), call.table()

    def problem_of(changed: Position) -> RouteProblem:
        return get_title(changed.edition.title).problem(changed, table)

    def after(state: State, company: str) -> Position:
        return position_after(record.position, state, company)

    state = state_of(record.position)
    changes = chosen(changes_open(state), call.texts("only"))
    found = what_if(state, problem_of, changes=changes, position_of=after, harms=False, jobs=1)
    outlet.done(_what_if_to_json(found, record.position), keep=True)


def what_if_of_game(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """The same after an action of a game, with what others lose."""
    from analysis.what_if import what_if

    found = played(str(head["digest"]), body)
    carried = found.entries[found.at(int(str(head["action"])))]
    if carried.after.operator is None:
        raise InputError(Fault("no-operator", "no company is on turn after this action", "action"))
    outcome = what_if(carried.after, problems_of(found.game.title), jobs=1)
    position = replace(carried.after.position(outcome.builder), game=found.game.id, action=carried.entry.id)
    outlet.done(_what_if_to_json(outcome, position))


def _what_if_to_json(found: WhatIf, position: Position) -> dict[str, object]:
    outcomes = [outcome_to_json(one, found, position, "") for one in found.outcomes]
    for one in outcomes:
        for key in ("title", "game", "action", "source", "operator", "company", "before"):
            one.pop(key, None)
    return {
        "title": position.edition.title,
        "operator": found.builder,
        "company": found.company,
        "before": found.before,
        "proven": found.proven,
        "outcomes": outcomes,
    }


# --- games ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A recorded game, played as far as its rules allow; ``chain`` names each entry with all that came before it."""

    game: RecordedGame
    start: State
    entries: tuple[Carried, ...]
    chain: tuple[str, ...]
    refused: tuple[Fault, ...]

    def at(self, action: int) -> int:
        """The place of the entry with this id. Raises :class:`InputError` where there is none."""
        for place, carried in enumerate(self.entries):
            if carried.entry.id == action:
                return place
        raise InputError(Fault("unknown-action", f"there is no action {action}, or it was undone", "action"))


_played: OrderedDict[str, Played] = OrderedDict()


def played(digest: str, body: bytes) -> Played:
    """The game of an export, from memory where it was asked for before."""
    if digest in _played:
        _played.move_to_end(digest)
        return _played[digest]
    game = game_from(value_of(body, GAME_LIMITS))
    start = opening(game)
    entries: list[Carried] = []
    refused: tuple[Fault, ...] = ()
    try:
        entries += replay(game, start)
    except TrackageError as error:
        entries, refused = _as_far_as_it_goes(game, start), error.faults
    known = repr((game.title, game.options, game.players, game.seed))
    chain = []
    for carried in entries:
        known = hashlib.sha256(f"{known} {carried.entry.id} {carried.entry.actions!r}".encode()).hexdigest()
        chain.append(known)
    found = Played(game, start, tuple(entries), tuple(chain), refused)
    _played[digest] = found
    if len(_played) > _MOST_GAMES:
        _played.popitem(last=False)
    return found


def _as_far_as_it_goes(game: RecordedGame, start: State) -> list[Carried]:
    entries = []
    steps = replay(game, start)
    while True:
        try:
            entries.append(next(steps))
        except (StopIteration, TrackageError):
            return entries


def game(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """What a game is about and its turns, for the store and for the page."""
    found = played(str(head["digest"]), body)
    recorded = found.game
    title = found.start.facts.title
    last = found.entries[-1].after if found.entries else found.start
    scores = last.game.scores(last)
    outlet.done(
        {
            "id": _store_id(title, recorded.id, body),
            "title": title,
            "game": recorded.id,
            "players": [
                {"id": recorded.shown_id(one), "name": name, "value": scores.get(one)} for one, name in recorded.players
            ],
            "options": list(recorded.options),
            "actions": len(found.entries),
            "last_action": found.entries[-1].entry.id if found.entries else None,
            "round": last.round.kind,
            "turn": [last.turn_number, last.round.number],
            "phase": last.phase_name,
            "over": last.over or None,
            "turns": list(_turns(found)),
            "faults": [{"code": one.code, "message": one.message, "where": one.where} for one in found.refused],
        }
    )


def _store_id(title: str, own: str, body: bytes) -> str:
    """The id under which a game is kept: its own where that is plain, else one made of its content."""
    plain = own if own.replace("-", "").replace("_", "").isalnum() and own.isascii() and len(own) <= 60 else ""
    return f"{title}.{plain or hashlib.sha256(body).hexdigest()[:16]}"


def _turns(found: Played) -> Iterator[dict[str, object]]:
    """The actions of operating rounds at which the board may be looked at, runs marked."""
    for carried, name in zip(found.entries, found.chain, strict=True):
        if not isinstance(carried.before.round, OperatingRound) or carried.entry.id is None:
            continue
        run = next((action for action in carried.entry.actions if isinstance(action, RunRoutes)), None)
        company = run.by.name if run is not None else getattr(carried.after.operator, "name", None)
        if company is None:
            continue
        what = describe(carried.before, carried.entry.actions[0])
        yield {
            "action": carried.entry.id,
            "type": carried.entry.type,
            "who": carried.before.called(carried.entry.actions[0].by.name),
            "what": what if len(what) <= 160 else f"{what[:159]}…",
            "company": company,
            "turn": [carried.before.turn_number, carried.before.round.number],
            "phase": carried.before.phase_name,
            "run": run is not None,
            "chain": name,
        }


def position(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """The position at an action of a game."""
    from analysis.game_positions import position_at

    found = played(str(head["digest"]), body)
    carried = found.entries[found.at(int(str(head["action"])))]
    outlet.done(to_json(position_at(found.game, carried, problems_of(found.game.title))))


def turn(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """A turn of a game: its position, the best runs, and what each dividend would bring, beside what was done."""
    from analysis.game_positions import position_at

    found = played(str(head["digest"]), body)
    place = found.at(int(str(head["action"])))
    carried = found.entries[place]
    problem_of = problems_of(found.game.title)
    record = position_at(found.game, carried, problem_of)
    problem = problem_of(record.position)
    result: Result | None = None
    for result in searched(problem, Wishes(), float(str(head["seconds"]))):
        if not result.proven:
            so_far = _best_to_json(result, record, problem, with_map=True)
            outlet.progress({"position": to_json(record), "best": so_far})
    assert result is not None
    state, check = _moment(carried)
    value: dict[str, object] = {
        "game": str(head["game"]),
        "action": carried.entry.id,
        "chain": found.chain[place],
        "position": to_json(record),
        "best": _best_to_json(result, record, problem, with_map=True),
        **_money(found, place, state, record.position.operator, result.revenue),
        "recorded_revenue": None if check is None else check.stored,
    }
    outlet.done(value, keep=result.proven)


def dividends(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """What each use of a revenue would bring at an action of a game."""
    found = played(str(head["digest"]), body)
    place = found.at(int(str(head["action"])))
    state, _ = _moment(found.entries[place])
    company = found.entries[place].entry.actions[0].by.name
    if state is found.entries[place].after:
        if state.operator is None:
            raise InputError(Fault("no-operator", "no company is on turn there", "action"))
        company = state.operator.name
    outlet.done(_money(found, place, state, company, int(str(head["revenue"]))))


def _moment(carried: Carried) -> tuple[State, RunCheck | None]:
    """The state in which a run is made (before the entry), or else the one after the entry."""
    for action in carried.entry.actions:
        if isinstance(action, RunRoutes):
            return carried.before, check_run(carried.before, action, problems_of(carried.before.facts.title))
    return carried.after, None


def _money(found: Played, place: int, state: State, company: str, revenue: int) -> dict[str, object]:
    options = dividend_options(state, company, revenue)
    done = _done(found, place, company)
    parties = dict.fromkeys(party for one in options for party in one.receives)
    return {
        "company": company,
        "president": _president(state, company),
        "names": {found.game.shown_id(party): state.called(party) for party in parties},
        "options": [option_to_json(found.game, one) for one in options],
        "done": done,
    }


def _president(state: State, company: str) -> str | None:
    president = state.companies[company].president
    return None if president is None else state.called(president)


def _done(found: Played, place: int, company: str) -> dict[str, object] | None:
    """What was done with the revenue of the run at *place*; None for what is no run, or not told."""
    first = found.entries[place]
    run = next((action for action in first.entry.actions if isinstance(action, RunRoutes)), None)
    if run is None:
        return None
    for carried in found.entries[place:]:
        for action in carried.entry.actions:
            if isinstance(action, Dividend) and action.by.name == company:
                before = carried.before
                stored = [route.revenue or 0 for route in run.routes]
                told = option(before, before.companies[company], action.kind, sum(stored))
                return option_to_json(found.game, told)
        if carried.before.round.current != company:
            return None
    return None


def operating_round(head: Mapping[str, object], body: bytes, outlet: Outlet) -> None:
    """An operating round of a game, company after company; tells each as soon as it is known."""
    found = played(str(head["digest"]), body)
    at = None if head.get("action") is None else int(str(head["action"]))
    turns = []
    for one in evaluated_round(
        found.game, found.start, problems_of(found.game.title), at=at, time_limit=float(str(head["seconds"]))
    ):
        turns.append(turn_to_json(found.game, one))
        outlet.progress({"turns": turns[-1:]})
    outlet.done({"turns": turns})


QUESTIONS: Final[Mapping[str, Question]] = {
    "best": best,
    "score": score,
    "map": picture,
    "tiles": tiles,
    "titles": all_titles,
    "what-if": what_if_of_position,
    "what-if-of-game": what_if_of_game,
    "game": game,
    "position": position,
    "turn": turn,
    "dividends": dividends,
    "round": operating_round,
}
