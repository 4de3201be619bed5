"""Answers as JSON values: what the commands print with ``--json`` and what the service sends. ``docs/cli.md`` lists the
keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.differences import differences
from board.edition import Edition
from board.errors import Fault, InputError
from board.phases import Phase
from board.trains import TrainType
from records.positions import PositionRecord, told_total
from routing.checker import ScoredRoute, Verdict, credited
from routing.problem import RouteProblem
from routing.scoring import range_of
from titles.base import Title

if TYPE_CHECKING:  # a run is answered without the rules of whole games
    from analysis.audit import AuditedRun
    from analysis.limits import Limits
    from analysis.operating_round import CompanyTurn
    from analysis.repair import Repair
    from analysis.what_if import Outcome, WhatIf
    from board.position import Position
    from records.games_18xx import RecordedGame
    from rules.evaluate import DividendOption


def route_to_json(scored: ScoredRoute) -> dict[str, object]:
    """One route. ``parts`` are the counted stops and the bonuses that it earns by itself; they sum to ``revenue``."""
    parts = [{"label": part.label, "amount": part.amount, "where": part.where} for part in scored.parts]
    parts += [{"label": item.label, "amount": item.amount, "where": item.where} for item in scored.bonuses]
    found: dict[str, object] = {
        "train": scored.train,
        "stops": list(scored.stops),
        "counted": list(scored.counted),
        "skipped": [{"stop": skipped.stop, "reason": skipped.reason} for skipped in scored.skipped],
        "connections": [list(leg.hexes) for leg in scored.route.legs],
        "revenue": scored.revenue,
        "parts": parts,
        "range": scored.range_used,
    }
    if scored.route.extensions:
        found["extensions"] = [[list(leg.hexes) for leg in legs] for legs in scored.route.extensions]
    if scored.explanation:
        found["token_rule"] = scored.explanation
    return found


def joint_to_json(verdict: Verdict) -> list[dict[str, object]]:
    """What several routes earn together; with the revenues of the routes it sums to the total."""
    return [
        {"label": item.label, "amount": item.amount, "routes": list(item.routes)}
        for item in verdict.bonuses
        if len(item.routes) > 1
    ]


def faults_to_json(faults: Sequence[Fault]) -> list[dict[str, str]]:
    return [{"code": fault.code, "message": fault.message, "where": fault.where} for fault in faults]


def set_to_json(verdict: Verdict) -> dict[str, object]:
    """The routes of a set and what several of them earn together."""
    return {"routes": [route_to_json(scored) for scored in verdict.routes], "bonuses": joint_to_json(verdict)}


def verdict_to_json(verdict: Verdict, record: PositionRecord, problem: RouteProblem) -> dict[str, object]:
    """The verdict for programs. ``revenue`` is what the claim earns by the rules, ``claimed`` what was said."""
    from analysis.repair import best_repair, told

    repair = None if verdict.legal else best_repair(problem, record.claimed)
    position = record.position
    paid = credited(verdict)
    routes = []
    for place, scored in enumerate(verdict.routes):
        value = route_to_json(scored)
        value["credited"] = paid[place]
        if record.claimed[place].revenue is not None:
            value["claimed"] = record.claimed[place].revenue
        value["faults"] = faults_to_json(scored.faults)
        routes.append(value)
    return {
        "title": position.edition.title,
        "game": position.game or None,
        "action": position.action,
        "operator": position.operator,
        "source": record.source,
        "legal": verdict.legal,
        "revenue": verdict.revenue,
        "claimed_revenue": claimed_total(record),
        "routes": routes,
        "bonuses": joint_to_json(verdict),
        "faults": faults_to_json(verdict.faults),
        "differences": faults_to_json(differences(record.claimed, claimed_total(record), verdict)),
        "notices": list(verdict.notices),
        **(
            {"repair": {**repair_to_json(repair), "text": told(repair, record.claimed, position)}}
            if repair is not None
            else {}
        ),
    }


def audited_to_json(run: AuditedRun) -> dict[str, object]:
    """An audited run. ``claimed`` is what was told (null: nothing), ``by_rules`` what the rules give for it;
    ``shortfall`` is the money left on the table."""
    position = run.position
    return {
        "title": position.edition.title,
        "game": position.game or None,
        "action": position.action,
        "source": run.source,
        "operator": position.operator,
        "player": run.player or None,
        "mark": run.mark or None,
        "phase": position.phase.name,
        "trains": list(position.trains),
        "claimed": run.claimed if run.stored else None,
        "by_rules": run.revenue,
        "best": run.best.revenue,
        "proven": run.best.proven,
        "bound": run.best.bound,
        "shortfall": run.shortfall,
        "legal": run.legal,
        "faults": faults_to_json(run.faults),
        "differs": run.differs,
        "differences": list(run.differences),
        "notes": list(run.notes),
    }


def outcome_to_json(outcome: Outcome, asked: WhatIf, position: Position, source: str) -> dict[str, object]:
    """What one change brings. ``revenue`` is the best of ``company`` after it, ``gain`` the difference to
    ``before``."""
    change = outcome.change
    tile = change.tile
    return {
        "title": position.edition.title,
        "game": position.game or None,
        "action": position.action,
        "source": source,
        "operator": asked.builder,
        "company": asked.company,
        "kind": change.kind,
        "hex": None if change.hex is None else str(change.hex),
        "city": str(change.where) if change.kind == "token" else None,
        "tile": None if tile is None else tile[0],
        "rotation": None if tile is None else tile[1],
        "train": change.train or None,
        "seller": change.seller or None,
        "private": change.by or None,
        "cost": change.cost,
        "before": asked.before,
        "revenue": outcome.revenue,
        "gain": outcome.gain,
        "proven": outcome.proven and asked.proven,
        "harms": dict(outcome.harms),
    }


def limits_to_json(limits: Limits) -> list[dict[str, object]]:
    """What keeps the best from earning more, the dearest first."""
    return [
        {
            "kind": limit.kind,
            "what": limit.what,
            "where": [str(place) for place in limit.where],
            "gain": limit.gain,
            "exact": limit.exact,
        }
        for limit in limits.found
    ]


def repair_to_json(repair: Repair) -> dict[str, object]:
    value: dict[str, object] = {"route": repair.route, "left_out": list(repair.left_out), "revenue": repair.revenue}
    if repair.train:
        value |= {"train": repair.train, "swapped_with": repair.swapped}
    if repair.added:
        value["added"] = [{"after": after, "stops": list(stops)} for after, stops in repair.added]
    if repair.unextended:
        value["unextended"] = True
    return value


def claimed_total(record: PositionRecord) -> int | None:
    """What was claimed in all: the total where it is told, else the sum where every route tells its amount."""
    return told_total(record.claimed, record.claimed_revenue)


def turn_to_json(game: RecordedGame, turn: CompanyTurn) -> dict[str, object]:
    """A company's turn for programs. Money of players stands under the ids of the record."""
    state, company = turn.state, turn.state.companies[turn.company]
    return {
        "title": state.facts.title,
        "game": game.id,
        "action": turn.action,
        "turn": [state.turn_number, state.round.number],
        "company": turn.company,
        "president": game.shown_id(company.president) if company.president is not None else None,
        "phase": state.phase_name,
        "trains": list(turn.position.trains),
        "best": {
            "revenue": turn.best.revenue,
            "proven": turn.best.proven,
            "bound": turn.best.bound,
            "routes": [route_to_json(scored) for scored in turn.best.verdict.routes],
            "bonuses": joint_to_json(turn.best.verdict),
        },
        "options": [option_to_json(game, option) for option in turn.options],
        "done": None if turn.done is None else option_to_json(game, turn.done),
        "recorded_revenue": None if turn.run is None else turn.run.stored,
        "shortfall": turn.shortfall,
    }


def option_to_json(game: RecordedGame, option: DividendOption) -> dict[str, object]:
    return {
        "kind": option.kind,
        "revenue": option.revenue,
        "kept": option.kept,
        "price": option.price_before,
        "price_after": option.price_after,
        "receives": {game.shown_id(party): amount for party, amount in option.receives.items()},
    }


def title_to_json(title: Title) -> dict[str, object]:
    """Everything about a title that a program may want; trains and phases for its largest number of players."""
    info, edition = title.info, edition_for_most(title)
    return {
        "title": info.name,
        "name": info.full_name,
        "players": list(info.players),
        "options": dict(info.options),
        "scenarios": list(info.scenarios),
        "methods": list(info.exact_methods),
        "companies": sorted(edition.companies),
        "privates": sorted(edition.privates),
        "trains": {name: train_text(train) for name, train in edition.trains.items()},
        "phases": [_phase_to_json(phase) for phase in edition.phases.values()],
        "markers": {name: shape.value for name, shape in edition.markers.items()},
        **_upgrades_to_json(title),
        "sources": list(info.sources),
    }


def _upgrades_to_json(title: Title) -> dict[str, object]:
    from analysis.upgrades import upgrade_table

    table, tiles = upgrade_table(title), edition_for_most(title).tiles
    if table is None:
        return {}
    return {
        "prints": [{"hexes": list(hexes), "tiles": list(first)} for hexes, first in table.prints],
        "tiles": {
            tile_id: {"colour": tiles.tile(tile_id).colour, "number": tiles.count(tile_id), "becomes": list(after)}
            for tile_id, after in table.tiles.items()
        },
    }


def _phase_to_json(phase: Phase) -> dict[str, object]:
    return {
        "phase": phase.name,
        "starts_with": phase.starts_with,
        "tile_colours": list(phase.tile_colours),
        "train_limit": phase.train_limit,
        "operating_rounds": phase.operating_rounds,
        "effects": list(phase.effects),
    }


def edition_for_most(title: Title) -> Edition:
    """The facts without options, for the largest number of players."""
    try:
        return title.edition((), title.info.players[1])
    except InputError:
        return title.edition()


def train_text(train: TrainType) -> str:
    """``5 stops, of which it counts 3``."""
    counts = [str(row.pay) for row in train.rows if row.pay is not None and row.pay not in (0, row.visit)]
    counted = f", of which it counts {' and '.join(counts)}" if counts else ""
    return (
        f"{range_of(train)}{counted}{f', each at {train.multiplier} times its value' if train.multiplier > 1 else ''}"
    )
