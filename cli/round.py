"""``trackage round``: an operating round evaluated, beside what was done."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.as_json import turn_to_json
from analysis.games import opening, problems_of
from analysis.operating_round import CompanyTurn, evaluated_round
from cli.errors import DONE
from cli.screen import columns, counted, say, styled
from cli.verdicts import verdict_lines
from cli.written import write_json
from records.games_18xx import read_game
from rules.evaluate import DividendOption


def run(source: str, *, at: int | None = None, time_limit: float = 60.0, as_json: bool = False) -> int:
    """Evaluate an operating round of the game in a file; returns the exit status."""
    game = read_game(source)
    start = opening(game)
    turns = evaluated_round(game, start, problems_of(game.title), at=at, time_limit=time_limit)
    for turn in counted(turns, "company"):
        if as_json:
            write_json(turn_to_json(game, turn))
        else:
            for line in turn_lines(turn):
                say(line)
    return DONE


def turn_lines(turn: CompanyTurn) -> Iterator[str]:
    """A company's turn for people."""
    state, company = turn.state, turn.state.companies[turn.company]
    president = state.called(company.president) if company.president is not None else "nobody"
    trains = ", ".join(turn.position.trains) or "no train"
    number = f" · action {turn.action}" if turn.action is not None else ""
    yield styled(f"{turn.company} with {trains} · president {president} · phase {state.phase_name}{number}", "bold")
    if turn.best.revenue:
        yield from verdict_lines(turn.best.verdict, turn.position)
    sure = "proven" if turn.best.proven else f"not proven; no set earns more than {turn.best.bound}"
    compared = ""
    if turn.done is not None:
        short = turn.shortfall or 0
        compared = f"; run for {turn.done.revenue}" + (f", {short} less" if short > 0 else "")
    yield f"  best run {turn.best.revenue} ({sure}){compared}"
    parties = list(dict.fromkeys(party for one in _all(turn) for party in one.receives))
    rows = [["", "revenue", "price", *(state.called(party) for party in parties), ""]]
    rows += [_row(f"best, {one.kind}", one, parties) for one in turn.options]
    if turn.done is not None:
        rows.append(_row(f"done, {turn.done.kind}", turn.done, parties))
    else:
        rows.append(["not yet done", *[""] * (len(parties) + 3)])
    yield from (f"  {line}" for line in columns(rows, right=range(1, len(parties) + 3)))
    yield ""


def _all(turn: CompanyTurn) -> tuple[DividendOption, ...]:
    return turn.options if turn.done is None else (*turn.options, turn.done)


def _row(label: str, option: DividendOption, parties: list[str]) -> list[str]:
    before, after = option.price_before, option.price_after
    price = str(before) if before == after else f"{before}→{after}"
    amounts = [str(option.receives.get(party, 0)) for party in parties]
    return [label, str(option.revenue), price, *amounts, ""]
