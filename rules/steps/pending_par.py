"""The par price owed by whoever got a president's certificate with a private. Source: COMMON section 6.1."""

from __future__ import annotations

from collections.abc import Iterator

from rules import trade
from rules.actions import Action, Actor, Par
from rules.shares import IPO, Bundle
from rules.state import State
from rules.steps.pending import PendingStep


class PendingPar(PendingStep):
    name = "pending_par"
    title = "Par price for a private"
    handles = frozenset({Par})
    awaits = "par"

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        pending = self.pending(state)
        if pending is not None and pending.company is not None:
            for cell in state.game.par_cells(state, pending.company):
                yield Par(by=actor, corporation=pending.company, cell=cell)

    def apply(self, state: State, action: Action) -> State:
        pending = self.pending(state)
        assert isinstance(action, Par)
        assert pending is not None
        if action.corporation != pending.company:
            raise state.violation("wrong-corporation", f"the par price of {pending.company} is due first")
        allowed = state.game.par_cells(state, action.corporation)
        if action.cell not in allowed:
            prices = ", ".join(str(state.facts.market.price(cell)) for cell in allowed)
            raise state.violation("wrong-par", f"{action.corporation} may be started at {prices}")
        state = self.without(state, pending)
        state = state.game.set_par(state, action.corporation, action.cell)
        company = state.companies[action.corporation]
        president = next(one for one in company.held(IPO) if one.president)
        bundle = Bundle(company.name, IPO, (president,), president.percent)
        state = trade.transfer(state, bundle, action.by.name)
        return state.game.after_start(state, action.by.name, company.name)
