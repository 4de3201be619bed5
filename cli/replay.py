"""``trackage replay``: a recorded game played by the rules; its ledger, and the position at any action."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from analysis.as_json import faults_to_json
from analysis.game_positions import position_after, position_at, position_of_run
from analysis.games import opening, problems_of
from board.errors import Fault, InputError, TrackageError
from cli.errors import COMPLAINT, DONE, report
from cli.screen import columns, counted, hanging, say, styled
from cli.written import write_json
from records.games_18xx import RecordedGame, read_game
from records.ledger import Ledger, event_text
from records.positions import PositionRecord, to_json
from records.replay import Carried, Difference, differences_at_end, differences_of, replay
from records.runs import ProblemOf, RunCheck
from rules.state import State
from rules.wording import describe


def run(
    source: str, *, to: int | None = None, ledger: bool = False, position: bool = False, as_json: bool = False
) -> int:
    """Play the game of a file; returns the exit status.

    Raises :class:`InputError` for what is no game, or has no action *to*; :class:`RuleViolation` for what is against
    the rules, after everything up to there has been printed.
    """
    game = read_game(source)
    state = opening(game)
    problem_of = problems_of(game.title)
    places = [entry.id for entry in game.actions]
    if to is not None and to != 0 and to not in places:
        raise InputError(_no_such_action(game, to, places))
    lines = Ledger(game)
    differences: list[Difference] = []
    number = 0
    runs: list[tuple[Carried, RunCheck]] = []
    refused: TrackageError | None = None
    carried: Carried | None = None
    try:
        for carried in counted(_up_to(game, state, problem_of, to), "action"):
            number += 1
            state = carried.after
            differences += differences_of(carried)
            runs += ((carried, check) for check in carried.runs)
            if ledger:
                line = lines.line(carried)
                if as_json:
                    write_json(line)
                else:
                    _say_line(line, carried)
    except TrackageError as error:
        refused = error
    if refused is not None:
        if as_json and not ledger and not position:
            write_json({"source": source, "faults": faults_to_json(refused.faults)})
        return report(refused)
    if to is None:
        differences += differences_at_end(game, state)
    if position:
        for record in _positions(game, state, runs, last=carried, to=to, problem_of=problem_of):
            write_json(to_json(record))
    elif as_json and not ledger:
        write_json(_summary(game, state, number, differences))
    elif not as_json and not ledger:
        incomplete = any(one.kind == "incomplete" for one in differences)
        for text in _summary_lines(game, state, number, differences, whole=to is None and not incomplete):
            say(text)
    if position or ledger:
        for difference in differences:
            report_difference(game, difference)
    return COMPLAINT if differences else DONE


def report_difference(game: RecordedGame, difference: Difference) -> None:
    """A difference as a message beside the answer."""
    print(f"trackage: {game.place}: {difference}", file=sys.stderr)


def _no_such_action(game: RecordedGame, to: int, places: list[int | None]) -> Fault:
    known = [place for place in places if place is not None]
    near = [place for place in known if place < to]
    hint = f"the last one before it that stands is {near[-1]}" if near else "none stands before it"
    if known and to > known[-1]:
        hint = f"the last one is {known[-1]}"
    return Fault("unknown-action", f"there is no action {to}, or it was undone; {hint}", f"{game.place}: --to")


def _up_to(game: RecordedGame, state: State, problem_of: ProblemOf, to: int | None) -> Iterator[Carried]:
    """The entries up to and with action *to*, also where it has no effect itself."""
    if to is None:
        yield from replay(game, state, problem_of)
        return
    entries = []
    for entry in game.actions if to else ():
        entries.append(entry)
        if entry.id == to:
            break
    yield from replay(replace(game, actions=tuple(entries)), state, problem_of)


# --- positions -----------------------------------------------------------------------------------------------------


def _positions(
    game: RecordedGame,
    state: State,
    runs: list[tuple[Carried, RunCheck]],
    *,
    last: Carried | None,
    to: int | None,
    problem_of: ProblemOf,
) -> Iterator[PositionRecord]:
    """The position at each run of the game, or that at one action."""
    if to is None:
        for carried, check in runs:
            yield position_of_run(game, carried, check)
    elif last is not None and last.entry.id == to:
        yield position_at(game, last, problem_of)
    else:
        yield position_after(game, state, to)


# --- text ----------------------------------------------------------------------------------------------------------


def _say_line(line: dict[str, object], carried: Carried) -> None:
    what = ", ".join(describe(carried.before, action) for action in carried.entry.actions[:3])
    turn = line["turn"]
    assert isinstance(turn, list)
    where = f"{line['round']} {turn[0]}.{turn[1]}, phase {line['phase']}"
    number = "-" if line["action"] is None else str(line["action"])
    who = carried.before.called(carried.entry.actions[0].by.name)
    say(f"{number:>5}  {who} {what}  ({where})")
    events = line["events"]
    assert isinstance(events, list)
    for event in events:
        first, *others = hanging(event_text(event), 9)
        say(f"         {first}")
        for other in others:
            say(other)


def _summary(game: RecordedGame, state: State, number: int, differences: list[Difference]) -> dict[str, object]:
    scores = state.game.scores(state)
    return {
        "title": state.facts.title,
        "game": game.id,
        "actions": number,
        "round": state.round.kind,
        "turn": [state.turn_number, state.round.number],
        "phase": state.phase_name,
        "over": state.over or None,
        "players": {
            game.shown_id(player): {"name": name, "cash": state.players[player].cash, "value": scores[player]}
            for player, name in game.players
        },
        "recorded": {
            "result": {game.shown_id(player): score for player, score in game.result.items()},
            "game_end_reason": game.end_reason or None,
        },
        "differences": [
            {"kind": one.kind, "action": one.action, "message": one.message} for one in differences
        ],
    }  # fmt: skip


def _summary_lines(
    game: RecordedGame, state: State, number: int, differences: list[Difference], *, whole: bool
) -> Iterator[str]:
    title = f"{state.facts.title} · game {game.id}" if game.id else state.facts.title
    ended = f"ended by {state.over}" if state.over else "goes on"
    yield styled(
        f"{title} · {number} actions played, {ended} in turn {state.turn_number}, phase {state.phase_name}", "bold"
    )
    scores = state.game.scores(state)
    rows = [["player", "value", "cash", ""]]
    for player in sorted(scores, key=lambda one: -scores[one]):
        recorded = game.result.get(player) if whole else None
        note = "" if recorded is None else "as recorded" if recorded == scores[player] else f"recorded {recorded}"
        rows.append([game.names[player], str(scores[player]), str(state.players[player].cash), note])
    yield from (f"  {line}" for line in columns(rows, right=(1, 2)))
    rows = [["company", "price", "cash", "president", "trains"]]
    for name, one in state.companies.items():
        if one.started and not one.closed:
            president = state.called(one.president) if one.president is not None else "nobody"
            trains = ", ".join(state.face_of(train) for train in one.trains) or "none"
            rows.append([name, str(state.price_of(one)), str(one.cash), president, trains])
    if len(rows) > 1:
        yield from (f"  {line}" for line in columns(rows, right=(1, 2)))
    for difference in differences:
        first, *others = hanging(str(difference), 4)
        yield f"  {styled(first, 'yellow')}"
        yield from others
    if not differences:
        also = " and the result" if whole and game.result else ""
        are = "are" if also else "is"
        yield f"  {styled(f'every revenue{also} {are} as recorded', 'green')}"
