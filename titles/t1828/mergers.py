"""The exchange of shares when two corporations become a system. Source: 1828 section 9.3.

A :class:`Merger` is a merger under way; :func:`advance` carries it on until somebody must choose (a ``Pending`` of kind
:data:`CHOICE`) or it is done. Shares that are neither with players nor in IPO or pool lie with holders of their own:
:data:`USED`, turned in; :data:`DISCARD`, thrown away; :data:`SWAPPED`, partner shares given to the survivor's IPO.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from rules.actions import Actor
from rules.record import Record
from rules.rounds.stock import stock_round
from rules.shares import IPO, POOL, Bundle, Certificate, moved
from rules.state import BANK, Company, Pending, State
from rules.trade import pass_presidency
from titles.t1828.systems import System

USED: Final = "USED"
DISCARD: Final = "DISCARD"
SWAPPED: Final = "SWAPPED"
#: Kinds of pending decision.
CHOICE: Final = "merger_choice"
FAILED: Final = "merger_failed"
#: What the president must hold before one share goes to the treasury. Source: 1828 section 9.3, point 5.
LEAST_SHARES: Final = 3


class Option(NamedTuple):
    """Something that can be chosen: ``key`` says what it is, ``text`` is how records write it."""

    key: str
    text: str


@dataclass(frozen=True)
class Merger(Record):
    """A merger under way.

    ``stage``: pairs or singles; ``queue``: the players still to exchange in it, the one at work first. ``odd``: the
    share that this player keeps aside, ``decided`` once that is settled. ``partner``: the player chosen to swap with;
    ``exchanging``: the player at work has chosen to exchange a single share. ``before``: the state in which the merger
    was begun.
    """

    survivor: str
    other: str
    system: str
    player: str
    before: State
    stage: str = "pairs"
    queue: tuple[str, ...] = ()
    odd: tuple[str, Certificate] | None = None
    decided: bool = False
    partner: str | None = None
    exchanging: bool = False
    options: tuple[Option, ...] = ()


def begin(state: State, merger: Merger) -> State:
    """The exchange of shares begins with the player who merges. Source: 1828 section 9.3, step 1."""
    order = stock_round(state).order
    place = order.index(merger.player)
    return advance(state, merger.but(queue=(*order[place:], *order[:place])))


def choose(state: State, merger: Merger, option: Option) -> State:
    """The choice of the player at work carried out."""
    state = state.but(pending=tuple(one for one in state.pending if one.kind != CHOICE))
    if option.key == "exchange":
        return advance(state, merger.but(exchanging=True))
    if option.key == "sell":
        state = _Exchange(state, merger).sell_single(merger.queue[0])
        return advance(state, merger)
    if option.key in state.players:
        return advance(state, merger.but(partner=option.key))
    share = _ordinary(state.companies[option.key], merger.queue[0])[0]
    return advance(state, merger.but(odd=(option.key, share), decided=True))


def advance(state: State, merger: Merger) -> State:
    """Carry the exchange on until the next choice or its end."""
    return _Exchange(state, merger).run()


def _ordinary(company: Company, holder: str) -> list[Certificate]:
    return [one for one in company.held(holder) if not one.president]


def _president(company: Company, holder: str) -> Certificate | None:
    return next((one for one in company.held(holder) if one.president), None)


def _partner_holder(source: str) -> str:
    """Who keeps the partner's shares of a source: those given to the survivor's IPO lie apart from the partner's."""
    return SWAPPED if source == IPO else source


class _Exchange:
    """One stretch of the exchange, between two choices."""

    def __init__(self, state: State, merger: Merger) -> None:
        self.state = state
        self.merger = merger

    # --- reading -----------------------------------------------------------------------------------------------

    @property
    def survivor(self) -> Company:
        return self.state.companies[self.merger.survivor]

    @property
    def other(self) -> Company:
        return self.state.companies[self.merger.other]

    @property
    def system(self) -> System:
        found = self.state.companies[self.merger.system]
        assert isinstance(found, System)
        return found

    def shares(self, company: Company, holder: str) -> int:
        """Number of shares of a holder; the president's certificate counts two."""
        return company.percent_of(holder) // company.unit

    def total(self, holder: str) -> int:
        return self.shares(self.survivor, holder) + self.shares(self.other, holder)

    def has_sold(self, player: str) -> bool:
        """Whether the player sold shares of either corporation in this round."""
        sold = stock_round(self.state).sold.get(player, frozenset())
        return bool(sold & {self.merger.survivor, self.merger.other})

    # --- moving ------------------------------------------------------------------------------------------------

    def move(self, company: str, certificate: Certificate, old: str, new: str) -> None:
        """A share of one of the two corporations handed on; nobody's presidency changes any more."""
        found = self.state.companies[company]
        self.state = self.state.with_company(found.but(holdings=moved(found.holdings, (certificate,), old, new)))

    def give_system_shares(self, to: str, number: int, *, president: bool = False) -> None:
        """Shares of the system out of its IPO: the president's certificate first where it is due."""
        system = self.system
        certificate = _president(system, IPO)
        if president and number >= 2 and certificate is not None:
            given: list[Certificate] = [certificate]
        else:
            given = _ordinary(system, IPO)[:number]
            if len(given) < number and certificate is not None:
                self.trade_president_certificate(IPO)
                given = _ordinary(self.system, IPO)[:number]
        if given:
            self.hand_over(IPO, tuple(given), to)

    def hand_over(self, old: str, certificates: tuple[Certificate, ...], to: str) -> None:
        """Shares of the system change hands, and its presidency is settled: whoever holds most, at least 20 %."""
        system, before = self.system, self.system.president
        bundle = Bundle(system.name, old, certificates, sum(one.percent for one in certificates))
        system = system.but(holdings=moved(system.holdings, certificates, old, to))
        self.state = self.state.with_company(system)
        held = {player: system.percent_of(player) for player in self.state.players}
        most = max(held.values())
        if before is None or held[before] < most:
            seats = self.state.game.seats if before is None else self.state.seats_from(before)
            new = next((one for one in seats if held[one] == most and most >= system.president_percent), None)
            if new is not None and before is not None and _president(system, before) is not None:
                self.state = pass_presidency(self.state, bundle, to, before, new)
            elif new is not None:
                self.state = self.state.with_company(system.but(president=new))
        system = self.system
        if 100 - system.percent_of(IPO) >= system.float_percent:
            self.state = self.state.with_company(system.but(floated=True))

    def trade_president_certificate(self, holder: str) -> None:
        """The president's certificate goes to the president, for ordinary shares."""
        system = self.system
        certificate = _president(system, holder)
        if certificate is None or system.president is None or holder == system.president:
            return
        number = certificate.percent // system.unit
        ordinary = _ordinary(system, system.president)[:number]
        if len(ordinary) == number:
            holdings = moved(system.holdings, ordinary, system.president, holder)
            holdings = moved(holdings, (certificate,), holder, system.president)
            self.state = self.state.with_company(system.but(holdings=holdings))

    # --- going on ----------------------------------------------------------------------------------------------

    def run(self) -> State:
        while self.merger.queue:
            done = self.pairs_of_player() if self.merger.stage == "pairs" else self.single_of_player()
            if not done:
                return self.state
            self.merger = self.merger.but(
                queue=self.merger.queue[1:], odd=None, decided=False, partner=None, exchanging=False
            )
            if not self.merger.queue and self.merger.stage == "pairs":
                order = stock_round(self.state).order
                place = order.index(self.merger.player) + 1
                self.merger = self.merger.but(stage="singles", queue=(*order[place:], *order[:place]))
        self.bank_exchanges(POOL)
        for certificate in self.other.held(SWAPPED):
            self.move(self.merger.other, certificate, SWAPPED, IPO)
        self.bank_exchanges(IPO)
        return self.complete()

    def ask(self, player: str, options: tuple[Option, ...]) -> None:
        merger = self.merger.but(options=options)
        pending = Pending(CHOICE, Actor("player", player), merger.system, marks={"merger": merger})
        self.state = self.state.but(pending=(*self.state.pending, pending))

    # --- step 1: pairs -----------------------------------------------------------------------------------------

    def pairs_of_player(self) -> bool:
        """All pairs of the player at work exchanged; false where a choice is due first."""
        player = self.merger.queue[0]
        if not self.merger.decided and not self.keep_odd_share(player):
            return False
        if self.merger.odd is not None:
            company, share = self.merger.odd
            self.move(company, share, player, USED)
        done = self.exchange_pairs(player)
        if self.merger.odd is not None:
            company, share = self.merger.odd
            self.move(company, share, USED, player)
        return done

    def keep_odd_share(self, player: str) -> bool:
        """With an odd number one ordinary share is kept for step 2; which one, the player says who has both kinds."""
        odd: tuple[str, Certificate] | None = None
        if self.total(player) % 2:
            kinds = [company for company in (self.survivor, self.other) if _ordinary(company, player)]
            if len(kinds) == 2:
                self.ask(
                    player, tuple(Option(one.name, f"{one.name} ({self.money(self.price(one))})") for one in kinds)
                )
                return False
            odd = (kinds[0].name, _ordinary(kinds[0], player)[0])
        self.merger = self.merger.but(odd=odd, decided=True)
        return True

    def exchange_pairs(self, holder: str) -> bool:
        while self.total(holder) >= 2:
            certificates = (_president(self.survivor, holder), _president(self.other, holder))
            four = any(certificates)
            own = self.shares(self.survivor, holder)
            if four and self.total(holder) >= 4 and own >= 2:
                self.turn_in_four(holder, *certificates)
            elif certificates[0] is not None and self.total(holder) < 4:
                self.turn_in_certificate(holder, certificates[0])
            elif not four and own:
                self.turn_in_pair(holder)
            else:
                source = self.source(holder, 2 if four else 1)
                if source is None:
                    for certificate in self.other.held(holder):
                        self.move(self.merger.other, certificate, holder, DISCARD)
                    return True
                if source == "":
                    return False
                self.swap_for_pair(holder, source, certificates)
                self.turn_in_pair(holder)
        return True

    def turn_in_four(self, holder: str, survivor: Certificate | None, other: Certificate | None) -> None:
        """Four shares with a president's certificate among them for two of the system."""
        used = [survivor] if survivor is not None else _ordinary(self.survivor, holder)[:2]
        for certificate in used:
            self.move(self.merger.survivor, certificate, holder, USED)
        if other is not None:
            self.move(self.merger.other, other, holder, DISCARD)
        else:
            for _ in range(2):
                self.discard_one(holder)
        self.paid_out(holder, 2, president=True)

    def turn_in_certificate(self, holder: str, certificate: Certificate) -> None:
        """A president's certificate of the survivor alone is two shares, for one of the system: one of them is turned
        in, the other one lies on the discard."""
        survivor = self.survivor
        unit = certificate.percent // 2
        halves = (Certificate(certificate.number, unit), Certificate(-1, unit))
        left = tuple(one for one in survivor.held(holder) if one != certificate)
        holdings = {**survivor.holdings, holder: left}
        holdings[USED] = (*holdings.get(USED, ()), halves[0])
        holdings[DISCARD] = (*holdings.get(DISCARD, ()), halves[1])
        self.state = self.state.with_company(survivor.but(holdings=holdings))
        self.paid_out(holder, 1)

    def turn_in_pair(self, holder: str) -> None:
        """A share of the survivor turned in, another share thrown on the discard, one system share received."""
        self.move(self.merger.survivor, self.survivor.held(holder)[0], holder, USED)
        self.discard_one(holder)
        self.paid_out(holder, 1)

    def discard_one(self, holder: str) -> None:
        for company in (self.other, self.survivor):
            if company.held(holder):
                self.move(company.name, company.held(holder)[0], holder, DISCARD)
                return

    def paid_out(self, holder: str, number: int, *, president: bool = False) -> None:
        """System shares for the holder; those of the IPO stay where they are."""
        if holder != IPO:
            self.give_system_shares(holder, number, president=president)

    # --- swapping ----------------------------------------------------------------------------------------------

    def source(self, holder: str, number: int) -> str | None:
        """Where a share of the survivor can be had by a swap: the discard, other players in order (the one who swaps
        chooses among several), the survivor's IPO, the pool. Empty where a choice is due, None where there is none."""
        if self.merger.partner is not None:
            partner, self.merger = self.merger.partner, self.merger.but(partner=None)
            return partner
        players = [player for player in self.trade_order(holder) if self.can_give(player, number)]
        if self.can_give(DISCARD, number):
            return DISCARD
        if len(players) > 1:
            self.ask(holder, tuple(Option(one, self.state.players[one].name) for one in players))
            return ""
        if players:
            return players[0]
        return next((one for one in (IPO, POOL) if one != holder and self.can_give(one, number)), None)

    def trade_order(self, holder: str) -> tuple[str, ...]:
        """The other players: in step 1 all of them from the holder's left on, in step 2 those still to exchange."""
        if holder not in self.state.players:
            return ()
        if self.merger.stage == "singles":
            return self.merger.queue[1:]
        order = stock_round(self.state).order
        place = order.index(holder)
        return (*order[place + 1 :], *order[:place])

    def can_give(self, holder: str, number: int) -> bool:
        mine = len(_ordinary(self.survivor, holder))
        return mine > 0 and mine + len(_ordinary(self.other, _partner_holder(holder))) >= number

    def swap_for_pair(
        self, holder: str, source: str, certificates: tuple[Certificate | None, Certificate | None]
    ) -> None:
        """One share of the partner for one of the survivor; a president's certificate for two shares."""
        if certificates[0] is not None:
            given = (self.merger.survivor, certificates[0])
        else:
            given = (self.merger.other, certificates[1] or self.other.held(holder)[0])
        mine = [(self.merger.survivor, one) for one in _ordinary(self.survivor, source)]
        theirs = [(self.merger.other, one) for one in _ordinary(self.other, _partner_holder(source))]
        received = [*mine[:1], *theirs[:1], *mine[1:2]][: 2 if any(certificates) else 1]
        self.swap(holder, given, source, received)

    def swap(
        self, holder: str, given: tuple[str, Certificate], source: str, received: list[tuple[str, Certificate]]
    ) -> None:
        """The swap, and the difference in price for a player who cannot pair the share received."""
        company, certificate = given
        for name, one in received:
            self.move(name, one, _partner_holder(source) if name == self.merger.other else source, holder)
        self.move(company, certificate, holder, _partner_holder(source) if company == self.merger.other else source)
        if source not in self.state.players or len(received) != 1 or self.total(source) % 2 == 0:
            return
        gain = self.price(self.state.companies[received[0][0]]) - self.price(self.state.companies[company])
        if gain >= 0 or self.state.players[source].cash >= -gain:
            self.state = self.state.pay(BANK, source, gain)
        else:
            self.throw_away(source, company, certificate)

    def throw_away(self, player: str, company: str, certificate: Certificate) -> None:
        """A share sold to the discard for its price; it counts as a sale."""
        self.move(company, certificate, player, DISCARD)
        current = stock_round(self.state)
        sold = current.sold.get(player, frozenset()) | {company}
        self.state = self.state.with_round(sold={**current.sold, player: sold})
        number = certificate.percent // self.state.companies[company].unit
        self.state = self.state.pay(BANK, player, number * self.price(self.state.companies[company]))

    # --- step 2: singles ---------------------------------------------------------------------------------------

    def single_of_player(self) -> bool:
        """The share that the player at work has left exchanged or sold; false where a choice is due first."""
        player = self.merger.queue[0]
        while self.total(player):
            company, certificate = self.single(player)
            price = self.price(company) * (certificate.percent // company.unit)
            due = self.price(self.system) - price
            money = self.state.players[player].cash
            if self.has_sold(player) or money < due or not self.system.held(IPO):
                self.throw_away(player, company.name, certificate)
            elif not self.merger.exchanging:
                exchange = Option("exchange", f"Exchange ({self.money(-due)})")
                self.ask(player, (exchange, Option("sell", f"Sell ({self.money(price)})")))
                return False
            else:
                source = self.source(player, 1) if company.name == self.merger.other else player
                if source == "":
                    return False
                if source is None:
                    self.move(company.name, certificate, player, DISCARD)
                    continue
                self.exchange_single(player, source, company.name, certificate)
                self.state = self.state.pay(player, BANK, due)
                self.merger = self.merger.but(exchanging=False)
        return True

    def single(self, holder: str) -> tuple[Company, Certificate]:
        company = self.survivor if self.survivor.held(holder) else self.other
        return company, company.held(holder)[0]

    def exchange_single(self, holder: str, source: str, company: str, certificate: Certificate) -> None:
        if source != holder:
            received = [(self.merger.survivor, _ordinary(self.survivor, source)[0])]
            self.swap(holder, (company, certificate), source, received)
        self.move(self.merger.survivor, self.survivor.held(holder)[0], holder, USED)
        self.paid_out(holder, 1)

    def sell_single(self, player: str) -> State:
        company, certificate = self.single(player)
        self.throw_away(player, company.name, certificate)
        return self.state

    # --- steps 3 to 7 ------------------------------------------------------------------------------------------

    def bank_exchanges(self, holder: str) -> None:
        """Pairs and singles of the pool or of the IPO, without money."""
        self.exchange_pairs(holder)
        while self.total(holder):
            company, certificate = self.single(holder)
            source = self.source(holder, 1) if company.name == self.merger.other else holder
            if source is None:
                self.move(company.name, certificate, holder, DISCARD)
            elif source:
                self.exchange_single(holder, source, company.name, certificate)

    def complete(self) -> State:
        """Discarded shares to the pool, the share of the treasury, the capital, and the two corporations close."""
        merger = self.merger
        discarded = self.shares(self.survivor, DISCARD)
        if discarded:
            self.give_system_shares(POOL, discarded)
        for holder in (POOL, IPO, *self.state.players):
            self.trade_president_certificate(holder)
        president = self.system.president
        if president is None or self.shares(self.system, president) < LEAST_SHARES:
            pending = Pending(FAILED, Actor("player", merger.player), merger.system, marks={"merger": merger})
            return self.state.but(pending=(*self.state.pending, pending))
        self.hand_over(president, (_ordinary(self.system, president)[0],), merger.system)
        if not (self.survivor.floated and self.other.floated):
            self.state = self.state.pay(merger.system, BANK, self.system.cash)
            if self.system.floated:
                self.state = self.state.pay(BANK, merger.system, self.state.game.capital(self.state, merger.system))
        current = stock_round(self.state)
        sold = {
            player: names | {merger.system} if names & {merger.survivor, merger.other} else names
            for player, names in current.sold.items()
        }
        self.state = self.state.with_round(sold=sold)
        for name in (merger.survivor, merger.other):
            company = self.state.companies[name]
            self.state = self.state.with_company(
                company.but(closed=True, holdings={}, president=None, price=None, floated=False)
            )
        return self.state

    # --- money -------------------------------------------------------------------------------------------------

    def price(self, company: Company) -> int:
        return self.state.price_of(company)

    def money(self, amount: int) -> str:
        return f"{self.state.facts.currency}{amount}"


def taken_back(merger: Merger) -> State:
    """The state before the merger, as if it had not been tried. Source: 1828 section 9.3, step 5."""
    return merger.before
