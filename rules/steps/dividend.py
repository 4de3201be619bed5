"""Dividends. Source: COMMON section 10."""

from __future__ import annotations

from collections.abc import Iterator

from rules.actions import Action, Actor, Dividend
from rules.state import State
from rules.steps.base import NOTHING, Step


def cause_of_move(kind: str, revenue: int, kept: int) -> str:
    """The dividend as the cause of a price move."""
    if not revenue:
        return "no revenue"
    if kept >= revenue:
        return f"{kind}: nothing of {revenue} paid out"
    return f"{kind}: {revenue - kept} paid out" + (f" and {kept} kept" if kept else "")


class PayDividend(Step):
    name = "dividend"
    title = "Dividend"
    handles = frozenset({Dividend})

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or actor.name != company.name or not state.round.turn.revenue:
            return NOTHING
        return NOTHING if state.game.automatic_dividend(state, company) else self.handles

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for kind in state.game.dividend_kinds(state, state.companies[actor.name]):
            yield Dividend(by=actor, kind=kind)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, Dividend)
        company = state.companies[action.by.name]
        kinds = state.game.dividend_kinds(state, company)
        if action.kind not in kinds:
            raise state.violation("wrong-dividend", f"{company.name} may {' or '.join(kinds)}")
        return self.carry_out(state, company.name, action.kind, state.round.turn.revenue or 0).done(self.key)

    def skip(self, state: State) -> State:
        """Not running, or earning nothing, counts as withholding nothing; some companies have no choice."""
        company = state.operator
        if company is None:
            return state
        kind = state.game.automatic_dividend(state, company) or "withhold"
        return self.carry_out(state, company.name, kind, state.round.turn.revenue or 0)

    def carry_out(self, state: State, name: str, kind: str, revenue: int) -> State:
        """Money, price, trains that have run for the last time."""
        company = state.companies[name]
        cell = state.game.price_after_dividend(state, company, kind, revenue)
        state = state.because(cause_of_move(kind, revenue, state.game.kept_of(state, company, kind, revenue)))
        state = state.game.pay_dividend(state, company, kind, revenue)
        state = self.drop_obsolete(state, name)
        company = state.companies[name]
        state = state.with_company(company.but(operated=True))
        if cell is not None:
            state = state.game.moving_price(state, name, cell)
        return state.game.after_dividend(state, name)

    def drop_obsolete(self, state: State, name: str) -> State:
        company = state.companies[name]
        if not state.obsolete.intersection(company.trains):
            return state
        kept = tuple(train for train in company.trains if train not in state.obsolete)
        return state.with_company(company.but(trains=kept))
