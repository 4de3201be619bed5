"""Issuing shares from the treasury and redeeming them from the pool. Source: 1846 section 8, 1833NE section 6."""

from __future__ import annotations

from collections.abc import Iterator

from rules import trade
from rules.actions import Action, Actor, BuyShares, SellShares
from rules.shares import IPO, POOL, certificate_id
from rules.state import Company, State
from rules.steps.base import NOTHING, Step
from rules.treasury import TreasuryGame


def treasury_game(state: State) -> TreasuryGame:
    """The rules of the game, which are of the family of :mod:`rules.treasury`."""
    assert isinstance(state.game, TreasuryGame)
    return state.game


class IssueOrRedeem(Step):
    """One issue or redemption in a turn, beside the steps before the dividend. No price moves."""

    name = "issue"
    title = "Issuing or redeeming"
    handles = frozenset({SellShares, BuyShares})

    def __init__(self) -> None:
        super().__init__(blocks=False)

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        company, game = state.operator, treasury_game(state)
        if company is None or actor != state.actor(company) or not game.may_issue(state, company):
            return NOTHING
        found: set[type[Action]] = set()
        if game.most_issued(state, company):
            found.add(SellShares)
        if game.most_redeemed(state, company):
            found.add(BuyShares)
        return frozenset(found)

    def why_not(self, state: State, action: Action) -> str:
        company, game = state.operator, treasury_game(state)
        if company is None or action.by != state.actor(company) or not isinstance(action, (SellShares, BuyShares)):
            return ""
        if not game.decides(company):
            return f"nobody issues or redeems shares of {company.name}"
        if state.round.turn.marks.get("issued"):
            return f"{company.name} has issued or redeemed shares in this turn"
        return "" if game.before_dividend(state) else "shares are issued and redeemed before the dividend"

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        company, game = state.companies[actor.name], treasury_game(state)
        for number in range(1, game.most_issued(state, company) + 1):
            shares, percent = first_shares(company, number, IPO)
            yield SellShares(by=actor, shares=shares, percent=percent, price=game.issue_price(company))
        for number in range(1, game.most_redeemed(state, company) + 1):
            shares, percent = first_shares(company, number, POOL)
            yield BuyShares(by=actor, shares=shares, percent=percent, price=game.redeem_price(company))

    def apply(self, state: State, action: Action) -> State:
        assert isinstance(action, (SellShares, BuyShares))
        issuing = isinstance(action, SellShares)
        company, game = state.companies[action.by.name], treasury_game(state)
        bundle = trade.bundle_of(state, action.shares, action.percent)
        source = IPO if issuing else POOL
        if bundle.company != company.name or bundle.owner != source or bundle.president is not None:
            what = "issues shares of its treasury" if issuing else "redeems shares of the pool"
            raise state.violation("wrong-shares", f"{company.name} {what}, not {', '.join(action.shares)}")
        most = game.most_issued(state, company) if issuing else game.most_redeemed(state, company)
        number = trade.units(state, bundle)
        if number > most:
            verb = "issue" if issuing else "redeem"
            raise state.violation("too-many-shares", f"{company.name} may {verb} {most} at most, not {number}")
        price = game.issue_price(company) if issuing else game.redeem_price(company)
        if action.price not in (None, price):
            raise state.violation("wrong-price", f"a share is paid {price}, not {action.price}")
        change = game.issue if issuing else game.redeem
        state = change(state, bundle, number * price)
        return state.with_turn(marks={**state.round.turn.marks, "issued": True}).did(action)


def first_shares(company: Company, number: int, source: str) -> tuple[tuple[str, ...], int]:
    """The ids and the percentage of the first shares of the treasury or the pool."""
    certificates = [one for one in company.held(source) if not one.president][:number]
    return tuple(certificate_id(company.name, one) for one in certificates), sum(one.percent for one in certificates)
