"""Systems: companies made of two corporations. Source: 1828 section 9."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.facts import CorporationFacts
from rules.prices import Cell, Market
from rules.state import Company, State, Token
from rules.table import Kept

#: The token that belongs to nobody and fills its slot. Source: COMMON section 8.
BLOCK = "BLOCK"


@dataclass(frozen=True)
class System(Company):
    """A system. ``parts``: the corporation that survived and its partner, which go on as shells; ``shell_of``: the
    shell in which a train of the system lies (trains that have left the system do not matter)."""

    parts: tuple[str, str] = ("", "")
    shell_of: Mapping[str, str] = field(default_factory=dict)

    def trains_in(self, shell: str) -> tuple[str, ...]:
        return tuple(train for train in self.trains if self.shell_of.get(train) == shell)

    @property
    def empty_shells(self) -> tuple[str, ...]:
        return tuple(shell for shell in self.parts if not self.trains_in(shell))


def system_name(survivor: str, partner: str) -> str:
    return f"{survivor}-{partner}"


def system_facts(name: str, survivor: CorporationFacts, partner: CorporationFacts) -> CorporationFacts:
    """What is fixed of a system: 20 % and eight times 10 %, all sold at the market price. Source: 1828 section 9.2."""
    return CorporationFacts(
        name=name,
        full_name=f"{survivor.full_name} System",
        token_prices=(*survivor.token_prices, *partner.token_prices),
        homes=(*survivor.homes, *partner.homes),
        shares=survivor.shares,
        float_percent=survivor.float_percent,
        holding_limit=survivor.holding_limit,
        ipo_at_market_price=True,
        kind="system",
    )


def system_price(market: Market, one: Cell, other: Cell) -> Cell:
    """The cell of a new system: in the column further left the highest price not above the higher price and half of
    the lower one; where even the top of that column is below, the highest price of the top row not above.
    Source: 1828 section 9.2."""
    low, high = sorted((market.price(one), market.price(other)))
    most = high + low // 2
    column = min(one.column, other.column)
    cells = market.printed
    top = min(cell for cell in cells if cell.column == column)
    if market.price(top) < most:
        return max(
            (cell for cell in cells if cell.row == top.row and market.price(cell) <= most), key=lambda cell: cell.column
        )
    return min(cell for cell in cells if cell.column == column and market.price(cell) <= most)


def joined_tokens(survivor: Company, partner: Company) -> tuple[Token, ...]:
    """The tokens of both, those on the map first, each in order of price; of two in one city the dearer one comes
    back. Source: 1828 section 9.2."""
    tokens = sorted((*survivor.tokens, *partner.tokens), key=lambda token: (token.at is None, token.price))
    found: list[Token] = []
    taken: set[object] = set()
    for token in tokens:
        if token.at is not None and token.at in taken:
            found.append(token.but(at=None, used=False))
        else:
            found.append(token)
        if token.at is not None:
            taken.add(token.at)
    return tuple(found)


def tokens_joined_on_map(state: State, survivor: str, partner: str, system: str) -> State:
    """Tokens and reservations of both under the name of the system; of two in one city one becomes a blocking token."""
    table = state.table
    for name in (survivor, partner):
        for stop in table.stops_of(name):
            both = system in table.tokens_in(stop.hex, stop.part)
            table = table.replacing_token(name, BLOCK if both else system, stop)
    kept = {
        hex_id: tuple(
            Kept(system, one.city, one.slot) if one.company in (survivor, partner) else one for one in reserved
        )
        for hex_id, reserved in table.kept.items()
    }
    return state.but(table=table.but(kept=kept))
