"""Takeovers: after the second operating round corporations may absorb each other. Source: digest 1833NE section 14.

The corporations come in the order of operating. Each may try once: it names another one whose token it reaches, and
how it pays; the other one accepts or refuses. What the sources leave open is in ``SOURCES.md``, and an option each.
Mark of a turn: ``tried``, the corporations that it has tried to absorb.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from rules import trade
from rules.actions import Action, Actor, Choose, Merge, Pass
from rules.rounds.base import RoundKind
from rules.shares import IPO, POOL, Bundle, Certificate
from rules.state import BANK, Company, Pending, Round, State, Turn
from rules.steps.base import NOTHING, Step
from rules.steps.pending import PendingStep
from titles.t1833ne.facts import (
    CARDS_KEPT,
    MORE_ATTEMPTS,
    OBSOLETE_LOST,
    PRESIDENT_PAYS,
    RISING,
    SHARE_FOR_SHARE,
    UNUSED_LOST,
)

if TYPE_CHECKING:
    from titles.t1833ne.game import Game1833NE

#: Ways to pay.
CASH: Final = "cash"
SHARES: Final = "shares"
#: Answers.
ACCEPT: Final = "accept"
REFUSE: Final = "refuse"
#: What is pending: how the price is paid, and whether the takeover is accepted.
PAYMENT: Final = "takeover_payment"
ANSWER: Final = "takeover_answer"


def rules_of(state: State) -> Game1833NE:
    return cast("Game1833NE", state.game)


# --- the round -----------------------------------------------------------------------------------------------------


class TakeoverRounds(RoundKind):
    """Corporations take turns in the order of operating, dearest first; by option by rising price."""

    role = "takeover"

    def begin(self, state: State, number: int) -> State:
        order = state.game.operating_order(state)
        if RISING in state.game.options:
            # Who came first to a price comes first, as in the very first operating round.
            order = tuple(sorted(order, key=lambda name: state.price_of(state.companies[name])))
        return self._to_next(state.but(round=Round(kind=self.name, number=number, order=order, at=-1)))

    def turn_over(self, state: State) -> State:
        return self._to_next(state)

    def _to_next(self, state: State) -> State:
        order, at = state.round.order, state.round.at + 1
        while at < len(order) and state.companies[order[at]].closed:
            at += 1
        return state.with_round(at=at, turn=Turn())

    def finished(self, state: State) -> bool:
        return state.round.at >= len(state.round.order)


# --- what may be absorbed, and for what ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Payment:
    """What the holders of a corporation are paid: money, or shares of the other one."""

    money: dict[str, int]
    shares: dict[str, int]


def targets(state: State, company: Company) -> tuple[str, ...]:
    """The corporations that this one may try to absorb: it has a train that is not obsolete, decides for itself, and
    reaches a token of the other, whose shares it can pay."""
    game = rules_of(state)
    if not game.decides(company) or not company.floated or all(one in state.obsolete for one in company.trains):
        return ()
    stops, before = game.reach(state, company.name).stops, tried(state)
    return tuple(
        name
        for name, other in state.companies.items()
        if name != company.name
        and name not in before
        and other.floated
        and not other.closed
        and any(token.at in stops for token in other.tokens)
        and ways_to_pay(state, company, other)
    )


def tried(state: State) -> tuple[str, ...]:
    """Those that the corporation has tried to absorb in its turn."""
    found = state.round.turn.marks.get("tried", ())
    assert isinstance(found, tuple)
    return found


def outstanding(state: State, other: Company) -> dict[str, int]:
    """The number of shares by holder that are not in the treasury."""
    return {
        holder: other.percent_of(holder) // other.unit for holder in (*state.players, POOL) if other.percent_of(holder)
    }


def payment(state: State, company: Company, other: Company, way: str) -> Payment:
    """The price of all outstanding shares: in money their present price each, in own shares for each holder as few as
    are worth that much, by option one for each."""
    price, own = state.price_of(other), state.price_of(company)
    held = outstanding(state, other)
    worth = {holder: number * price for holder, number in held.items()}
    if way == CASH:
        return Payment(worth, {})
    if SHARE_FOR_SHARE in state.game.options:
        return Payment({}, held)
    return Payment({}, {holder: -(-amount // own) for holder, amount in worth.items()})


def ways_to_pay(state: State, company: Company, other: Company) -> tuple[str, ...]:
    """How the corporation could pay. No holding grows above its limit."""
    found = []
    if sum(payment(state, company, other, CASH).money.values()) <= company.cash + help_of_president(state, company):
        found.append(CASH)
    given = payment(state, company, other, SHARES).shares
    if sum(given.values()) <= len(treasury(company)) and all(
        _has_room(state, company, holder, number * company.unit) for holder, number in given.items()
    ):
        found.append(SHARES)
    return tuple(found)


def help_of_president(state: State, company: Company) -> int:
    """Money that the president may add; none but by option. Source: SOURCES.md."""
    if PRESIDENT_PAYS not in state.game.options or company.president is None:
        return 0
    return state.players[company.president].cash


def _has_room(state: State, company: Company, holder: str, percent: int) -> bool:
    if holder == POOL:
        return company.percent_of(POOL) + percent <= state.game.pool_limit(state, company)
    return state.game.may_hold(state, holder, company, percent, IPO)


def treasury(company: Company) -> tuple[Certificate, ...]:
    return tuple(one for one in company.held(IPO) if not one.president)


def may_refuse(state: State, other: Company) -> bool:
    """Not without a train that is not obsolete, and not without anybody who decides."""
    return other.president is not None and any(train not in state.obsolete for train in other.trains)


# --- the takeover --------------------------------------------------------------------------------------------------


def absorb(state: State, name: str, other: str, way: str) -> State:
    """Shares are paid and vanish; trains, money, ferries, privates and tokens go to the one that absorbs."""
    paid = payment(state, state.companies[name], state.companies[other], way)
    missing = max(0, sum(paid.money.values()) - state.companies[name].cash)
    if missing:
        state = state.pay(state.companies[name].president or BANK, name, missing)
    for holder, amount in paid.money.items():
        state = state.pay(name, BANK if holder == POOL else holder, amount)
    for holder, number in paid.shares.items():
        company = state.companies[name]
        given = treasury(company)[:number]
        bundle = Bundle(name, IPO, given, sum(one.percent for one in given))
        state = trade.transfer(state, bundle, holder)
    state = _hand_over_tokens(state, name, other)
    gone, company = state.companies[other], state.companies[name]
    game = rules_of(state)
    lost = state.obsolete if OBSOLETE_LOST in game.options else frozenset()
    company = company.but(trains=(*company.trains, *(train for train in gone.trains if train not in lost)))
    ferries = (*game.ferries_of(company), *game.ferries_of(gone))
    absorbed = company.marks.get("absorbed", 0)
    assert isinstance(absorbed, int)
    marks = {**company.marks, "absorbed": absorbed + 1}
    if ferries:
        marks["ferries"] = ferries
    state = state.with_company(company.but(marks=marks))
    state = state.pay(other, name, gone.cash)
    for private in state.privates_of(other):
        state = state.handing_private(private.name, name)
    state = state.but(table=state.table.without_reservations(other))
    state = state.with_company(
        state.companies[other].but(
            closed=True, floated=False, receivership=False, president=None, holdings={}, trains=(), price=None,
            tokens=tuple(token.but(at=None) for token in gone.tokens), marks={},
        )
    ).noting("closing", other, f"{name} absorbs {other}")  # fmt: skip
    return _remove_card(state)


def _hand_over_tokens(state: State, name: str, other: str) -> State:
    """Tokens on the map become those of the one that absorbs, but where it has one in the hex; unused ones too."""
    tokens = list(state.companies[name].tokens)
    for token in state.companies[other].tokens:
        if token.at is None:
            if not token.used and UNUSED_LOST not in state.game.options:
                tokens.append(token)
        elif state.table.has_token_on(token.at.hex, name):
            state = state.but(table=state.table.without_token(other, token.at))
            state = rules_of(state).close_gaps(state)
        else:
            state = state.but(table=state.table.replacing_token(other, name, token.at))
            tokens.append(token)
    return state.with_company(state.companies[name].but(tokens=tuple(tokens)))


def _remove_card(state: State) -> State:
    """A card goes that the Takeover game has beyond the standard one, as long as one is left. Source: SOURCES.md."""
    if CARDS_KEPT in state.game.options:
        return state
    for card in state.facts.trains.values():
        usual = card.details.get("count")
        if card.count is None or not isinstance(usual, int):
            continue
        removed = state.marks.get("removed_cards", 0)
        assert isinstance(removed, int)
        left = [train for train in state.depot.upcoming if train.rpartition("-")[0] == card.name]
        if removed < card.count - usual and left:
            upcoming = tuple(train for train in state.depot.upcoming if train != left[-1])
            state = state.but(depot=state.depot.but(upcoming=upcoming)).with_mark("removed_cards", removed + 1)
    return state


# --- steps ---------------------------------------------------------------------------------------------------------


class TryTakeover(Step):
    """The corporation names another one, or passes; by option it goes on after an attempt."""

    name = "takeover"
    title = "Takeover"
    handles = frozenset({Merge, Pass})

    def actors(self, state: State) -> tuple[Actor, ...]:
        current = state.round.current
        return (state.actor(state.companies[current]),) if current is not None else ()

    def offers(self, state: State, actor: Actor) -> frozenset[type[Action]]:
        if actor not in self.actors(state) or not targets(state, state.companies[actor.name]):
            return NOTHING
        return self.handles

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        for name in targets(state, state.companies[actor.name]):
            yield Merge(by=actor, corporation=name)
        yield Pass(by=actor)

    def apply(self, state: State, action: Action) -> State:
        if isinstance(action, Pass):
            return state.done(self.key)
        assert isinstance(action, Merge)
        company = state.companies[action.by.name]
        allowed = targets(state, company)
        if action.corporation not in allowed:
            raise state.violation(
                "no-takeover", f"{company.name} may try to absorb {', '.join(allowed)}, not {action.corporation}"
            )
        other = state.companies[action.corporation]
        state = state.did(action)
        if MORE_ATTEMPTS in state.game.options:
            state = state.with_turn(marks={**state.round.turn.marks, "tried": (*tried(state), other.name)})
        else:
            state = state.done(self.key)
        ways = ways_to_pay(state, company, other)
        if len(ways) == 1:
            return propose(state, company.name, other.name, ways[0])
        pending = Pending(PAYMENT, action.by, company.name, marks={"target": other.name})
        return state.but(pending=(*state.pending, pending))


def propose(state: State, name: str, other: str, way: str) -> State:
    """The other one is asked, unless it may not refuse or the same player decides for both."""
    target = state.companies[other]
    if not may_refuse(state, target) or target.president == state.companies[name].president:
        return absorb(state, name, other, way)
    pending = Pending(ANSWER, state.actor(target), name, marks={"way": way})
    return state.but(pending=(*state.pending, pending))


class _Pending(PendingStep):
    """A choice that is pending."""

    handles = frozenset({Choose})

    def choices(self, state: State, pending: Pending) -> tuple[str, ...]:
        raise NotImplementedError

    def legal(self, state: State, actor: Actor) -> Iterator[Action]:
        pending = self.pending(state)
        if pending is not None:
            for choice in self.choices(state, pending):
                yield Choose(by=actor, choice=choice)

    def apply(self, state: State, action: Action) -> State:
        pending = self.pending(state)
        assert isinstance(action, Choose)
        assert pending is not None
        allowed = self.choices(state, pending)
        if action.choice not in allowed:
            raise state.violation("wrong-choice", f"{action.by} chooses {' or '.join(allowed)}, not {action.choice}")
        state = self.without(state, pending).did(action)
        return self.chosen(state, pending, action.choice)

    def chosen(self, state: State, pending: Pending, choice: str) -> State:
        raise NotImplementedError


class ChoosePayment(_Pending):
    """Money or own shares, where both are possible."""

    name = "takeover_payment"
    title = "Price of the takeover"
    awaits = PAYMENT

    def choices(self, state: State, pending: Pending) -> tuple[str, ...]:
        name, other = pending.company or "", str(pending.marks["target"])
        return ways_to_pay(state, state.companies[name], state.companies[other])

    def chosen(self, state: State, pending: Pending, choice: str) -> State:
        return propose(state, pending.company or "", str(pending.marks["target"]), choice)


class AnswerTakeover(_Pending):
    """The other corporation accepts or refuses."""

    name = "takeover_answer"
    title = "Answer to the takeover"
    awaits = ANSWER

    def choices(self, state: State, pending: Pending) -> tuple[str, ...]:
        return ACCEPT, REFUSE

    def chosen(self, state: State, pending: Pending, choice: str) -> State:
        if choice == REFUSE:
            return state
        return absorb(state, pending.company or "", pending.who.name, str(pending.marks["way"]))
