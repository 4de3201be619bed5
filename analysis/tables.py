"""The tables of a batch: names, Arrow schemas, and what each column means. Nothing else decides what a dataset holds.

``VERSION`` grows whenever a table or column changes its name, type or meaning; a dataset says with which it was
written. Every table has the column ``source``, the unique name of a game within the batch, by which tables are joined;
tables about train runs also have ``run``, the number of the run within its game, from 1. Money is whole units of the
title's currency. All but ``errors`` and ``timings`` are partitioned by ``title``, which is a column of theirs too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

#: The version of all schemas together.
VERSION: Final = 2

#: The types of columns by their short names here, as Arrow types are called.
_TYPES: Final[Mapping[str, str]] = {
    "text": "string", "int": "int64", "real": "float64", "yes": "bool", "texts": "list<string>",
    "paths": "list<list<string>>",
}  # fmt: skip


@dataclass(frozen=True)
class Column:
    """A column: ``kind`` is one of text, int, real, yes, texts, paths; ``meaning`` is for people. Any may be
    null where the meaning says when."""

    name: str
    kind: str
    meaning: str

    @property
    def type_name(self) -> str:
        return _TYPES[self.kind]


@dataclass(frozen=True)
class TableSchema:
    """A table: what one row is, and its columns. ``partitioned``: one folder for each title."""

    name: str
    row: str
    columns: tuple[Column, ...]
    partitioned: bool = True

    @cached_property
    def arrow(self) -> Any:
        """The Arrow schema, with meanings and version as metadata; without the title of a partition."""
        import pyarrow as pa

        types = {
            "text": pa.string(), "int": pa.int64(), "real": pa.float64(), "yes": pa.bool_(),
            "texts": pa.list_(pa.string()), "paths": pa.list_(pa.list_(pa.string())),
        }  # fmt: skip
        fields = [pa.field(one.name, types[one.kind], metadata={"meaning": one.meaning}) for one in self.columns]
        return pa.schema(fields, metadata={"trackage.table": self.name, "trackage.version": str(VERSION)})


def _table(name: str, row: str, text: str, *, partitioned: bool = True) -> TableSchema:
    """A table from lines of ``name kind meaning``."""
    columns = [Column("source", "text", "name of the game within the batch")]
    for line in text.strip().splitlines():
        column, kind, meaning = line.strip().split(" ", 2)
        columns.append(Column(column, kind, meaning.strip()))
    return TableSchema(name, row, tuple(columns), partitioned)


GAMES: Final = _table(
    "games",
    "a game that could be read and opened",
    """
    game text id of the game as recorded
    scenario text scenario of the title, empty where it has none
    options texts options of the title, as recorded
    players int number of players
    actions int actions that were carried out
    runs int train runs of the game
    turn int stock round, with its operating rounds, that was reached, from 1
    phase text last phase
    over text why the game ended; null where it did not
    recorded_end text why it ended by the record; null where it does not say
    complete yes whether every recorded action was carried out
    differences int in how many places the replay differs from the record
    bank int money left in the bank; null where it has no limit
    digest text SHA-256 of the text of the game
    """,
)
PLAYERS: Final = _table(
    "players",
    "a player of a game and the result",
    """
    seat int place at the table, from 1
    player text id of the player as recorded
    name text name of the player
    cash int money in hand at the last action
    value int score by the rules at the last action
    recorded int score by the record; null where it does not tell
    rank int place by value, from 1; equal values share it
    bankrupt yes whether the player went bankrupt
    """,
)
COMPANY_TURNS: Final = _table(
    "company_turns",
    "a train run of a company: what was run, and the best",
    """
    run int number of the run within its game, from 1
    action int id of the recorded action
    turn int stock round before it, from 1
    round int operating round within its set, from 1
    company text company that runs
    president text id of its president; null where nobody presides
    mark text receivership or insolvent; null otherwise
    phase text phase of the run
    trains texts trains that may run
    tiles int tiles laid on the map: how far the game is developed
    tokens int tokens of all companies on the map
    own_tokens int tokens of this company on the map
    price int share price before the dividend; 0 without one
    claimed int revenue as recorded, or by the rules where the record does not tell
    told yes whether the record tells the revenue
    revenue int revenue of the recorded routes by the rules
    best int revenue of the best legal routes; a run whose search failed is in errors instead
    bound int no legal routes earn more; equal to best where proven
    proven yes whether best is proven
    method text how best was found: enumerate or constraint
    shortfall int money left on the table: best less claimed, never negative
    legal yes whether the recorded routes are legal
    faults texts codes of what makes them illegal
    fault_text text the same in sentences; null where there is none
    dividend text what was done with the revenue: payout, withhold, half, automatic (nobody chose); null if not yet
    price_after int share price after the dividend; null where the record ends before
    """,
)
ROUTES: Final = _table(
    "routes",
    "a route of a run: one that was run, or one of the best",
    """
    run int number of the run
    kind text run for a recorded route, best for one of the best set
    route int number of the route within its set, from 1
    train text name of the train
    card text card of the train (2-0); null for best routes
    stops texts stops in travel order
    counted texts the stops that pay
    connections paths for each leg the hexes that it runs through
    revenue int what the route earns by itself
    legal yes whether the route is legal by itself
    """,
)
REVENUE_ITEMS: Final = _table(
    "revenue_items",
    "an amount of a route or of several routes together; they sum to the revenue of the run",
    """
    run int number of the run
    kind text run or best, as in routes
    route int number of the route; null where several routes earn the amount together
    item text stop or bonus
    label text name of the place or of the bonus
    place text stop or hex that pays; null where no place does
    amount int money
    """,
)
SHARE_PRICES: Final = _table(
    "share_prices",
    "a movement of a share price, also where it stays in place for a reason",
    """
    action int id of the recorded action
    turn int stock round, from 1
    round_kind text kind of round: Stock, Operating, …
    round int number of the round within its set, from 1
    company text company
    price_before int price before; 0 where it had none
    price int price after
    cause text why it moved
    """,
)
STANDINGS: Final = _table(
    "standings",
    "a player at the end of a round",
    """
    ended int rounds of the game that have ended, this one included
    turn int stock round, from 1
    round_kind text kind of the round that ended
    round int number of the round within its set, from 1
    player text id of the player
    cash int money in hand
    value int score if the game ended there
    """,
)
HOLDINGS: Final = _table(
    "holdings",
    "what somebody holds of a company at the end of a round",
    """
    ended int rounds of the game that have ended, this one included
    turn int stock round, from 1
    round_kind text kind of the round that ended
    round int number of the round within its set, from 1
    company text company whose shares they are
    holder text id of a player, name of a company, ipo or pool
    percent int percent of the company
    president yes whether the holder presides over it
    """,
)
TRAINS_BOUGHT: Final = _table(
    "trains_bought",
    "a train that a company bought",
    """
    action int id of the recorded action
    turn int stock round before it, from 1
    round int operating round within its set, from 1
    phase text phase before the purchase
    company text buyer
    president text id of the president of the buyer; null where nobody presides
    train text name of the train, by the side that was bought
    card text card of the train (2-0)
    seller text bank, pool (a discarded one) or the company that sold it
    price int money paid
    traded_in text card given in exchange; null where there was none
    """,
)
POSITIONS: Final = _table(
    "positions",
    "the position of a run as a position file, for best, score and show",
    """
    run int number of the run
    position text a position file (JSON), with the routes that were run
    """,
)
ERRORS: Final = _table(
    "errors",
    "something that could not be read, played or searched",
    """
    title text title of the game; null where it is not known
    game text id of the game as recorded; null where it is not known
    stage text where it went wrong: read, play, search or program
    code text kind of fault, for programs
    message text what is wrong, in a sentence, with its place
    """,
    partitioned=False,
)
TIMINGS: Final = _table(
    "timings",
    "how long a search took; not the same from one batch to the next",
    """
    title text title of the game
    run int number of the run; 0 for the whole game
    seconds real seconds of the search, or of the whole game
    """,
    partitioned=False,
)

TABLES: Final[tuple[TableSchema, ...]] = (
    GAMES, PLAYERS, COMPANY_TURNS, ROUTES, REVENUE_ITEMS, SHARE_PRICES, STANDINGS, HOLDINGS, TRAINS_BOUGHT, POSITIONS,
    ERRORS, TIMINGS,
)  # fmt: skip
#: Tables that the same input does not give twice.
NOT_REPEATABLE: Final = frozenset({"timings"})

Rows = dict[str, list[dict[str, object]]]
"""Rows by the name of their table."""


def no_rows() -> Rows:
    return {table.name: [] for table in TABLES}
