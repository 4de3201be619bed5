"""Amounts that were claimed and are not what the rules give, each with a code and a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from board.errors import Fault
from board.routes import ClaimedRoute
from routing.checker import Verdict, credited

#: Codes: an amount of a route, or the total, is wrong; a bonus is contained twice in it.
WRONG_REVENUE, WRONG_TOTAL, BONUS_TWICE = "wrong-revenue", "wrong-total", "bonus-twice"


def differences(claimed: Sequence[ClaimedRoute], total: int | None, verdict: Verdict) -> tuple[Fault, ...]:
    """One fault for each amount that was told and is wrong. *total* is what was claimed in all (money; None: not told).

    A bonus that several routes earn together is credited to the first route of its set, as claims are written.
    """
    return tuple(_differences(claimed, total, verdict))


def _differences(claimed: Sequence[ClaimedRoute], total: int | None, verdict: Verdict) -> Iterator[Fault]:
    for place, (claim, right) in enumerate(zip(claimed, credited(verdict), strict=True)):
        if claim.revenue is not None and claim.revenue != right:
            twice = _twice(verdict, claim.revenue - right, place) if not verdict.routes[place].faults else ""
            yield Fault(
                BONUS_TWICE if twice else WRONG_REVENUE,
                f"claimed {claim.revenue}, right {_right(right, claim.revenue)}{twice}",
                f"route {place + 1} ({claim.train})",
            )
    if total is not None and total != verdict.revenue:
        twice = _twice(verdict, total - verdict.revenue, None) if verdict.legal else ""
        message = f"claimed {total}, right {_right(verdict.revenue, total)}{twice}"
        yield Fault(BONUS_TWICE if twice else WRONG_TOTAL, message, "total")


def _twice(verdict: Verdict, more: int, place: int | None) -> str:
    """Which bonuses of the legal route (None: of any) make up just what is claimed too much."""
    items = [item for item in verdict.bonuses if place is None or min(item.routes) == place]
    for item in items:
        if item.amount == more > 0:
            return f"; {item.label} {item.amount} is claimed twice"
    if more > 0 and sum(item.amount for item in items) == more:
        return f"; {' and '.join(f'{item.label} {item.amount}' for item in items)} are claimed twice"
    return ""


def _right(right: int, claimed: int) -> str:
    return f"{right} ({right - claimed:+d})"
