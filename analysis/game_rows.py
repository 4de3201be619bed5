"""One recorded game as the rows of a batch: replayed, every run audited. A pure function of the text of the game.

What goes wrong becomes a row of ``errors``; whatever was played before it stays.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from analysis.audit import AuditedRun, audited_run
from analysis.games import opening, problems_of
from analysis.tables import Rows, no_rows
from board.errors import Fault, TrackageError
from board.position import BLOCK, Position
from board.routes import RevenueItem, Route
from bonuses.base import BonusItem
from records.games_18xx import RecordedGame, game_from
from records.positions import PositionRecord, to_json
from records.reading import parse
from records.replay import Carried, differences_at_end, differences_of, replay
from records.runs import ProblemOf
from records.sources import GAME, GameText
from routing.checker import Verdict
from rules import engine
from rules.actions import BuyTrain, Dividend, RunRoutes
from rules.shares import IPO, POOL
from rules.state import State

#: Faults of one error that its row tells in full.
_TOLD: Final = 3
_HOLDERS: Final = {IPO: "ipo", POOL: "pool"}


@dataclass
class GameRows:
    """The rows of one game, and the title under which they are filed (empty: none that is known)."""

    name: str
    title: str = ""
    rows: Rows = field(default_factory=no_rows)

    def add(self, table: str, **row: object) -> dict[str, object]:
        row["source"] = self.name
        self.rows[table].append(row)
        return row


def rows_of(text: GameText, *, time_limit: float = 60.0) -> GameRows:
    """Everything that a batch keeps of a game. ``time_limit`` is in seconds for the best of each run. Never raises,
    but for what ends the process."""
    found = GameRows(text.name)
    begin = time.perf_counter()
    writer = _Writer(found, time_limit)
    try:
        if text.error is not None:
            writer.error("read", [text.error])
        else:
            writer.write(text)
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a fault of this program must not stop a batch
        message = f"a fault of this program, {type(error).__name__}: {' '.join(str(error).split())[:200]}"
        writer.error("program", [Fault("program-fault", message, text.name)])
    found.add("timings", title=found.title or None, run=0, seconds=time.perf_counter() - begin)
    return found


class _Writer:
    def __init__(self, found: GameRows, time_limit: float) -> None:
        self._found, self._limit = found, time_limit
        self._game: RecordedGame | None = None
        self._runs = self._ended = 0
        self._open: dict[str, dict[str, object]] = {}
        """The last run of each company whose dividend is still to come."""

    def error(self, stage: str, faults: list[Fault]) -> None:
        more = len(faults) - _TOLD
        told = "; ".join(str(fault) for fault in faults[:_TOLD]) + (f"; and {more} more faults" if more > 0 else "")
        self._found.add(
            "errors", title=self._found.title or None, game=self._game.id if self._game else None, stage=stage,
            code=faults[0].code, message=_printable(told),
        )  # fmt: skip

    def write(self, text: GameText) -> None:
        try:
            game = self._game = game_from(parse(text.data, GAME), where=text.name)
            state = opening(game)
        except TrackageError as error:
            self.error("read", [_placed(fault, text.name) for fault in error.faults])
            return
        self._found.title = state.facts.title
        number = differences = 0
        complete, problem_of = True, problems_of(game.title)
        carried: Carried | None = None
        try:
            for carried in replay(game, state, problem_of):
                state, number = carried.after, number + 1
                differences += sum(1 for _ in differences_of(carried))
                self._carried(game, carried, problem_of)
        except TrackageError as error:
            complete = False
            self.error("play", list(error.faults))
        if complete:
            differences += sum(1 for _ in differences_at_end(game, state))
        if carried is not None and not state.over:
            self._standings(game, state, state)
        edition = state.facts.edition
        self._found.add(
            "games", game=game.id, scenario=edition.scenario, options=list(game.options), players=len(game.players),
            actions=number, runs=self._runs, turn=state.turn_number, phase=state.phase_name, over=state.over or None,
            recorded_end=game.end_reason or None, complete=complete, differences=differences, bank=state.bank,
            digest=hashlib.sha256(text.data).hexdigest(),
        )  # fmt: skip
        self._players(game, state)

    def _players(self, game: RecordedGame, state: State) -> None:
        scores = state.game.scores(state)
        for seat, (player, name) in enumerate(game.players, start=1):
            one, value = state.players[player], scores[player]
            self._found.add(
                "players", seat=seat, player=game.shown_id(player), name=_printable(name), cash=one.cash, value=value,
                recorded=game.result.get(player), rank=1 + sum(other > value for other in scores.values()),
                bankrupt=one.bankrupt,
            )  # fmt: skip

    # --- one action --------------------------------------------------------------------------------------------

    def _carried(self, game: RecordedGame, carried: Carried, problem_of: ProblemOf) -> None:
        before, after = carried.before, carried.after
        where = {"action": carried.entry.id, "turn": before.turn_number, "round": before.round.number}
        runs = iter(carried.runs)
        for action in carried.entry.actions:
            name = action.by.name
            if isinstance(action, RunRoutes) and name in before.companies:
                check = next(runs)
                self._runs += 1
                self._position(game, carried, check.position, PositionRecord(check.position, check.claimed, (), None))
                try:
                    run = audited_run(before, check, problem_of, self._limit)
                except TrackageError as error:
                    self.error("search", [fault.at(f"{game.place}: {carried.entry.place}") for fault in error.faults])
                    continue
                self._run(game, before, action, run, where)
            elif isinstance(action, Dividend) and name in self._open:
                self._close(name, action.kind, carried)
            elif isinstance(action, BuyTrain) and name in before.companies:
                self._bought(game, before, action, where)
        for event in carried.events:
            if event.kind == "price":
                self._found.add(
                    "share_prices", **where, round_kind=before.round.kind, company=event.who,
                    price_before=event.before, price=event.after, cause=event.text or None,
                )  # fmt: skip
        for name in tuple(self._open):
            waiting = engine.waiting_step(after) if not after.over else None
            if after.round.current != name or waiting is None or Dividend not in waiting.handles:
                self._close(name, "automatic" if self._open[name]["claimed"] else "withhold", carried)
        if _round_of(before) != _round_of(after) or (after.over and not before.over):
            self._standings(game, before, after)

    def _close(self, company: str, kind: str, carried: Carried) -> None:
        """The dividend of the company's last run is decided; its price stands as the last movement left it."""
        row = self._open.pop(company)
        moved = [event.after for event in carried.events if event.kind == "price" and event.who == company]
        row["dividend"], row["price_after"] = kind, moved[-1] if moved else row["price"]

    def _position(self, game: RecordedGame, carried: Carried, position: Position, record: PositionRecord) -> None:
        record = replace(record, position=replace(position, game=game.id, action=carried.entry.id))
        text = json.dumps(to_json(record), ensure_ascii=False, separators=(",", ":"))
        self._found.add("positions", run=self._runs, position=_utf8(text))

    def _run(
        self, game: RecordedGame, state: State, action: RunRoutes, run: AuditedRun, where: dict[str, int | None]
    ) -> None:
        position, company = run.position, state.companies[action.by.name]
        faults = list(dict.fromkeys(str(fault) for fault in run.faults))
        self._open[company.name] = self._found.add(
            "company_turns", **where, run=self._runs, company=company.name,
            president=game.shown_id(company.president) if company.president is not None else None,
            mark=run.mark or None, phase=position.phase.name, trains=list(position.trains), tiles=len(position.tiles),
            tokens=sum(_tokens(position)), own_tokens=len(position.own_tokens), price=state.price_of(company),
            claimed=run.claimed, told=run.stored, revenue=run.revenue, best=run.best.revenue, bound=run.best.bound,
            proven=run.best.proven, method=run.best.method, shortfall=run.shortfall, legal=run.legal,
            faults=list(dict.fromkeys(fault.code for fault in run.faults)),
            fault_text=_printable("; ".join(faults)) or None, dividend=None, price_after=None,
        )  # fmt: skip
        self._found.add("timings", title=self._found.title, run=self._runs, seconds=run.best.seconds)
        if run.verdict is not None:
            self._routes("run", run.verdict, [route.train for route in action.routes])
        self._routes("best", run.best.verdict, [])

    def _routes(self, kind: str, verdict: Verdict, cards: list[str]) -> None:
        for number, scored in enumerate(verdict.routes, start=1):
            self._found.add(
                "routes", run=self._runs, kind=kind, route=number, train=scored.train,
                card=cards[number - 1] if number <= len(cards) else None, stops=[str(stop) for stop in scored.stops],
                counted=[str(stop) for stop in scored.counted], connections=_connections(scored.route),
                revenue=scored.revenue, legal=not scored.faults,
            )  # fmt: skip
            for part in scored.parts:
                self._item(kind, number, "stop", part)
            for item in scored.bonuses:
                self._item(kind, number, "bonus", item)
        for item in verdict.bonuses:
            if len(item.routes) > 1:
                self._item(kind, None, "bonus", item)

    def _item(self, kind: str, route: int | None, item: str, part: RevenueItem | BonusItem) -> None:
        self._found.add(
            "revenue_items", run=self._runs, kind=kind, route=route, item=item, label=part.label,
            place=str(part.where) if part.where else None, amount=part.amount,
        )  # fmt: skip

    def _bought(self, game: RecordedGame, state: State, action: BuyTrain, where: dict[str, int | None]) -> None:
        company = state.companies[action.by.name]
        seller = state.owner_of_train(action.train)
        self._found.add(
            "trains_bought", **where, phase=state.phase_name, company=company.name,
            president=game.shown_id(company.president) if company.president is not None else None,
            train=action.face or action.train.rpartition("-")[0], card=action.train, price=action.price,
            seller=seller or ("pool" if action.train in state.depot.pool else "bank"), traded_in=action.exchange,
        )  # fmt: skip

    def _standings(self, game: RecordedGame, ended: State, state: State) -> None:
        """Who has what now that the round of *ended* is over."""
        self._ended += 1
        where = {
            "ended": self._ended, "turn": ended.turn_number, "round_kind": ended.round.kind,
            "round": ended.round.number,
        }  # fmt: skip
        scores = state.game.scores(state)
        for player, one in state.players.items():
            self._found.add("standings", **where, player=game.shown_id(player), cash=one.cash, value=scores[player])
        for name, company in state.companies.items():
            if not company.started or company.closed:
                continue
            for holder in company.holdings:
                percent = company.percent_of(holder)
                if percent:
                    shown = game.shown_id(holder) if holder in state.players else _HOLDERS.get(holder, holder)
                    self._found.add(
                        "holdings", **where, company=name, holder=shown, percent=percent,
                        president=holder == company.president,
                    )  # fmt: skip


def _round_of(state: State) -> tuple[str, int, int]:
    return state.round.kind, state.turn_number, state.round.number


def _connections(route: Route) -> list[list[str]]:
    return [[str(hex_id) for hex_id in leg.hexes] for leg in route.legs]


def _tokens(position: Position) -> Iterator[int]:
    for cities in position.tokens.values():
        for companies in cities.values():
            yield sum(company is not None and company != BLOCK for company in companies)


def _placed(fault: Fault, name: str) -> Fault:
    return fault if fault.where.startswith(name) else fault.at(name)


def _printable(text: str) -> str:
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in _utf8(text))


def _utf8(text: str) -> str:
    """*text* as it can be written: half a surrogate pair stands as an escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
