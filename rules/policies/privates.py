"""What a title decides about privates: income, prices for corporations, closing, hexes that they keep closed."""

from __future__ import annotations

from board.hexes import HexId
from rules import trade
from rules.actions import Actor
from rules.facts import GameFacts
from rules.shares import IPO, Bundle
from rules.state import BANK, Company, Pending, Private, State


class PrivateRules:
    facts: GameFacts
    seats: tuple[str, ...]

    def pay_incomes(self, state: State) -> State:
        """Every owned private pays its owner. Source: COMMON section 6.3."""
        for private in tuple(state.privates.values()):
            if private.owner is not None and not private.closed:
                state = state.pay(BANK, private.owner, self.income_of(state, private))
        return state

    def income_of(self, state: State, private: Private) -> int:
        return private.income

    def closed_hexes(self, state: State, builder: str) -> frozenset[HexId]:
        """Hexes that a private keeps the builder from: those of privates owned by players."""
        return frozenset(
            hex_id
            for private in state.privates.values()
            if private.owner in state.players and not private.closed
            for hex_id in state.private_facts(private.name).blocks
        )

    def price_range(self, state: State, company: Company, private: Private) -> tuple[int, int] | None:
        """What the company may pay for the private; None when it is not for sale to it now. Source: title digest."""
        facts = state.private_facts(private.name)
        if (
            company.kind == "minor"
            or private.owner not in state.players
            or private.closed
            or "corporations_may_buy_privates" not in state.phase.status
            or facts.least_price is None
            or facts.most_price is None
        ):
            return None
        return facts.least_price, facts.most_price

    def for_sale(self, state: State, company: Company) -> tuple[tuple[Private, int, int], ...]:
        """The privates that the company could buy now, with the prices between which it may."""
        found = []
        for private in state.privates.values():
            bounds = self.price_range(state, company, private)
            if bounds is not None and bounds[0] <= company.cash:
                found.append((private, *bounds))
        return tuple(found)

    def after_private_sold(self, state: State, private: str, old_owner: str, new_owner: str) -> State:
        """Changes that the sale to a corporation (or another player) brings: an income that changes."""
        ability = state.private_facts(private).ability("income_changes")
        if ability is not None and "sale_to_a_corporation" in ability.when and new_owner in state.companies:
            income = ability.details.get("new_income")
            if isinstance(income, int):
                state = state.with_private(state.privates[private].but(income=income))
        return state

    def grant_shares(self, state: State, private: str, player: str) -> State:
        """Certificates that come with a private bought in the opening auction. Source: COMMON section 6.1, title.

        A president's certificate makes its buyer owe the par price, which interrupts play, and comes with it.
        """
        ability = state.private_facts(private).ability("grants_shares")
        if ability is None:
            return state
        for name, kind in ability.shares:
            company = state.companies[name]
            certificate = next(
                (one for one in company.held(IPO) if one.president == (kind == "president")),
                None,
            )
            if certificate is None:
                continue
            bundle = Bundle(name, IPO, (certificate,), certificate.percent)
            if kind == "president":
                state = state.but(pending=(*state.pending, Pending("par", Actor("player", player), name)))
                continue
            state = trade.transfer(state, bundle, player, president_may_change=self.grant_changes_president(private))
        return state

    def grant_changes_president(self, private: str) -> bool:
        """Whether shares that come with the private may move a presidency."""
        return True

    def close_private(self, state: State, name: str) -> State:
        return state.with_private(state.privates[name].but(closed=True))

    def close_all_privates(self, state: State) -> State:
        """Source: title digest, phase that closes the privates."""
        for name, private in state.privates.items():
            if not private.closed and self.closes_with_the_others(state, private):
                state = self.close_private(state, name)
        return state

    def closes_with_the_others(self, state: State, private: Private) -> bool:
        return True

    def leave_privates(self, state: State, player: str) -> State:
        """The privates of a bankrupt player close. Source: digest 1846 section 16, point 4."""
        for private in state.privates_of(player):
            state = self.close_private(state, private.name)
        return state

    def close_by(self, state: State, moment: str, company: str) -> State:
        """Close the privates whose ``closes`` ability names this moment and company."""
        for name, private in state.privates.items():
            if private.closed:
                continue
            for ability in state.private_facts(name).abilities:
                if ability.kind == "closes" and moment in ability.when and company in ability.corporations:
                    state = self.close_private(state, name)
        return state
