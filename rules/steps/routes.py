"""Running the trains. Source: COMMON sections 9 and 10, formats/18xx-games-json section 6."""

from __future__ import annotations

from collections.abc import Iterator

from rules.actions import Action, Actor, RunRoutes
from rules.rounds.operating import operating_round
from rules.state import State
from rules.steps.base import NOTHING, Step


class Run(Step):
    """The claimed runs of a turn. The stored revenue is paid; without one the game's scorer works it out."""

    name = "routes"
    title = "Routes"
    handles = frozenset({RunRoutes})

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company = state.operator
        if company is None or actor.name != company.name or not state.game.can_run(state, company):
            return NOTHING
        return self.handles

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        """Running nothing. Which runs there are is for the search to say."""
        yield RunRoutes(by=actor)

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, RunRoutes)
        company = state.operator
        assert company is not None
        used = [route.train for route in action.routes]
        wrong = [train for train in used if train not in self.allowed(state)]
        if wrong or len(set(used)) != len(used):
            raise state.violation(
                "wrong-train", f"{company.name} may run {', '.join(self.allowed(state)) or 'nothing'} once each"
            )
        revenue = self.revenue(state, action)
        ran = operating_round(state).ran | set(used)
        return state.with_round(ran=ran).with_turn(revenue=revenue, routes=action).did(action).done(self.key)

    def allowed(self, state: State) -> tuple[str, ...]:
        company = state.operator
        return state.game.runnable(state, company) if company is not None else ()

    def revenue(self, state: State, action: RunRoutes) -> int:
        told = [route.revenue for route in action.routes]
        if all(amount is not None for amount in told):
            return sum(amount for amount in told if amount is not None) + action.extra_revenue
        if state.game.scorer is None:
            raise state.violation("no-revenue", "the routes do not tell what they earn, and nothing here works it out")
        assert state.operator is not None
        return state.game.scorer(state, state.operator.name, action) + action.extra_revenue
