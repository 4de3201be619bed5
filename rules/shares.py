"""Certificates, who holds them, and who presides. Source: COMMON sections 2 and 3.

A company keeps its certificates by holder, each holder's in order of arrival: the order decides which certificates a
presidency exchange moves, and records name certificates by number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

#: Holders that are neither player nor company: the unsold stock, and the bank's stock of shares sold back.
IPO: Final = "IPO"
POOL: Final = "POOL"


class Certificate(NamedTuple):
    """One certificate: its number in the company (0 is the president's) and its percentage."""

    number: int
    percent: int
    president: bool = False


Holdings = Mapping[str, tuple[Certificate, ...]]


@dataclass(frozen=True, slots=True)
class Bundle:
    """Certificates of one company moved in one action; ``percent`` below their sum takes part of a president's one."""

    company: str
    owner: str
    certificates: tuple[Certificate, ...]
    percent: int

    @property
    def president(self) -> Certificate | None:
        return next((certificate for certificate in self.certificates if certificate.president), None)

    @property
    def surplus(self) -> int:
        """Percent of the certificates that are not part of the deal."""
        return sum(certificate.percent for certificate in self.certificates) - self.percent


def issue(percents: Sequence[int]) -> tuple[Certificate, ...]:
    """The certificates of a company, the president's first."""
    return tuple(Certificate(number, percent, number == 0) for number, percent in enumerate(percents))


def percent(holdings: Holdings, holder: str) -> int:
    return sum(certificate.percent for certificate in holdings.get(holder, ()))


def moved(holdings: Holdings, certificates: Iterable[Certificate], old: str, new: str) -> Holdings:
    """The certificates given from one holder to another, behind those already there."""
    leaving = set(certificates)
    staying = tuple(certificate for certificate in holdings.get(old, ()) if certificate not in leaving)
    given = tuple(certificate for certificate in holdings.get(old, ()) if certificate in leaving)
    changed = dict(holdings)
    if staying:
        changed[old] = staying
    else:
        changed.pop(old, None)
    changed[new] = (*changed.get(new, ()), *given)
    return changed


def certificate_id(company: str, certificate: Certificate) -> str:
    """As records write it: ``PRR_3``."""
    return f"{company}_{certificate.number}"
