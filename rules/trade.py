"""Certificates changing hands: purchases, sales, presidency. Source: COMMON sections 2, 3 and 6.2.

Every transfer of certificates in a game goes through :func:`transfer`, every sale to the pool through :func:`sell`.
"""

from __future__ import annotations

from collections.abc import Iterable

from board.errors import Fault, RuleViolation
from rules.shares import IPO, POOL, Bundle, Certificate, moved
from rules.state import BANK, State


def bundle_of(state: State, ids: Iterable[str], percent: int | None = None) -> Bundle:
    """The certificates named as records name them. Raises :class:`RuleViolation` for unknown or scattered ones."""
    found: list[Certificate] = []
    where: set[tuple[str, str]] = set()
    for name in ids:
        company_name, _, number = name.rpartition("_")
        company = state.companies.get(company_name)
        place = None
        if company is not None and number.isdecimal():
            place = next(
                (
                    (holder, certificate)
                    for holder, certificates in company.holdings.items()
                    for certificate in certificates
                    if certificate.number == int(number)
                ),
                None,
            )
        if place is None:
            raise RuleViolation(Fault("unknown-share", f"there is no certificate {name}"))
        where.add((company_name, place[0]))
        found.append(place[1])
    if len(where) != 1:
        raise RuleViolation(Fault("mixed-bundle", "the shares of one deal are of one company and one holder"))
    ((company_name, holder),) = where
    total = sum(certificate.percent for certificate in found)
    percent = percent or None
    if percent is not None and not 0 < percent <= total:
        raise RuleViolation(Fault("wrong-percent", f"{percent} % of certificates that are worth {total} %"))
    return Bundle(company_name, holder, tuple(found), total if percent is None else percent)


def units(state: State, bundle: Bundle) -> int:
    """The number of ordinary shares that the bundle is worth."""
    return bundle.percent // state.companies[bundle.company].unit


def transfer(state: State, bundle: Bundle, to: str, *, president_may_change: bool = True) -> State:
    """The bundle given to *to*, and the presidency settled. No money moves. Source: COMMON section 3."""
    company = state.companies[bundle.company]
    before = company.president
    company = company.but(holdings=moved(company.holdings, bundle.certificates, bundle.owner, to))
    if bundle.president is not None and before is None and to in state.players:
        company = company.but(president=to)
        before = to
    state = state.with_company(company)
    if president_may_change:
        state = state.game.settle_presidency(state, bundle, to, before)
    if bundle.surplus:
        state = _give_change(state, bundle, to)
    if bundle.owner == IPO:
        state = state.game.check_float(state, bundle.company)
    return state


def _give_change(state: State, bundle: Bundle, to: str) -> State:
    """Ordinary shares back to the one who gave more certificates than the deal was for."""
    company = state.companies[bundle.company]
    number = bundle.surplus // company.unit
    change = tuple(certificate for certificate in company.held(to) if not certificate.president)[:number]
    if len(change) < number:
        raise state.violation("no-change", f"{to} has no ordinary share of {company.name} to give back")
    return state.with_company(company.but(holdings=moved(company.holdings, change, to, bundle.owner)))


def pass_presidency(state: State, bundle: Bundle, to: str, old: str, new: str) -> State:
    """The president's certificate exchanged for ordinary shares. Source: COMMON section 3, point 3."""
    company = state.companies[bundle.company].but(president=new, receivership=False)
    held = next(
        (holder, certificate)
        for holder, certificates in company.holdings.items()
        for certificate in certificates
        if certificate.president
    )
    holder, certificate = held
    left_to_old = company.percent_of(old) + (bundle.surplus if bundle.owner == old else 0)
    receiver = old if holder == old or left_to_old >= certificate.percent else to
    number = certificate.percent // company.unit
    given: list[Certificate] = []
    worth = 0
    for ordinary in company.held(new):
        if worth >= number:
            break
        given.append(ordinary)
        worth += ordinary.percent // company.unit
    holdings = moved(company.holdings, given, new, receiver)
    holdings = moved(holdings, (certificate,), holder, new)
    return state.with_company(company.but(holdings=holdings))


def buy(
    state: State, buyer: str, bundle: Bundle, *, price: int | None = None, president_may_change: bool = True
) -> State:
    """The bundle bought from IPO, pool or a treasury for *price* in all (None: the normal price)."""
    company = state.companies[bundle.company]
    cost = state.game.cost_of(state, buyer, bundle) if price is None else price
    payee = state.game.paid_for(state, company, bundle.owner)
    if state.cash_of(buyer) < cost:
        raise state.violation(
            "not-enough-money", f"{buyer} has {state.cash_of(buyer)}; {bundle.percent} % of {company.name} cost {cost}"
        )
    state = state.pay(buyer, payee, cost)
    return transfer(state, bundle, buyer, president_may_change=president_may_change)


def sell(state: State, bundle: Bundle, *, price: int | None = None) -> State:
    """The bundle sold to the pool; the price moves as the title says. Source: COMMON sections 4 and 6.2."""
    company = state.companies[bundle.company]
    was_president = company.president == bundle.owner
    proceeds = state.game.sale_value(state, bundle) if price is None else price
    number = units(state, bundle)
    text = f"{state.called(bundle.owner)} sold {number} share{'s' if number != 1 else ''} of {bundle.company}"
    state = state.pay(BANK, bundle.owner, proceeds).noting("sale", bundle.owner, f"{text} for {proceeds}")
    state = transfer(state, bundle, POOL)
    return state.game.after_sale(state.because(text), bundle, was_president)
