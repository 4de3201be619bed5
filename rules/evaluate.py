"""What a company's revenue would do: prices, and money of every holder, for each choice of dividend. Nothing is played.

Source: COMMON section 10, by way of the title's rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.state import Company, State


@dataclass(frozen=True)
class DividendOption:
    """One way to use a revenue: what each player and treasury would receive, and where the share price would go.

    Prices are 0 for a company without shares. ``kept`` is what the treasury keeps before shares are paid.
    """

    kind: str
    revenue: int
    kept: int
    receives: Mapping[str, int]
    price_before: int
    price_after: int


def dividend_options(state: State, name: str, revenue: int) -> tuple[DividendOption, ...]:
    """Every choice that the company has for this revenue; without revenue, nothing to withhold is the only one."""
    company = state.companies[name]
    kinds = state.game.dividend_kinds(state, company) if revenue else ()
    return tuple(option(state, company, kind, revenue) for kind in (kinds or ("withhold",)))


def option(state: State, company: Company, kind: str, revenue: int) -> DividendOption:
    """What using the revenue in this way would bring."""
    game = state.game
    cell = game.price_after_dividend(state, company, kind, revenue)
    before = state.price_of(company)
    return DividendOption(
        kind=kind,
        revenue=revenue,
        kept=game.kept_of(state, company, kind, revenue),
        receives=game.dividend_amounts(state, company, kind, revenue),
        price_before=before,
        price_after=before if cell is None else game.facts.market.price(cell),
    )
