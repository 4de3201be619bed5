"""An edition: the facts of a title for given options and number of players, as far as the board needs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from board.catalogue import Catalogue
from board.hexes import HexId
from board.map import GameMap
from board.phases import Phase
from board.trains import TrainType


class MarkerShape(Enum):
    """How a title-specific marker is written in a position."""

    COMPANIES = "a list of companies"
    HEXES = "a list of hexes"
    HEX_TO_NAMES = "a table from hexes to lists of names"
    COMPANY_TO_NAMES = "a table from companies to lists of names"
    NAME = "a name"


@dataclass(frozen=True)
class Edition:
    """Map, tiles, phases, trains and names of one title in one scenario.

    ``phases`` and ``trains`` keep the printed order. ``companies`` are the names that may own tokens and trains;
    ``joined_companies`` allows systems named by two of them joined with a hyphen (1828). ``tokens_beside_slots``
    allows a city to hold more tokens than slots (1894, after a split). ``train_counts`` is the number of train cards
    by name (None: unlimited); the two faces of a card have the same number. ``colours`` are hexadecimal, by company.
    ``other_labels``: tiles that lie on a hex although its label is not theirs (1833NE).
    """

    title: str
    scenario: str
    options: frozenset[str]
    players: int | None
    map: GameMap
    tiles: Catalogue
    phases: Mapping[str, Phase]
    trains: Mapping[str, TrainType]
    companies: frozenset[str]
    privates: frozenset[str]
    markers: Mapping[str, MarkerShape] = field(default_factory=dict)
    joined_companies: bool = False
    tokens_beside_slots: bool = False
    colours: Mapping[str, str] = field(default_factory=dict)
    train_counts: Mapping[str, int | None] = field(default_factory=dict)
    other_labels: Mapping[str, HexId] = field(default_factory=dict)

    def knows_company(self, name: str) -> bool:
        if name in self.companies:
            return True
        one, hyphen, other = name.partition("-")
        return (
            self.joined_companies
            and bool(hyphen)
            and one in self.companies
            and other in self.companies
            and one != other
        )
