"""Reading tables of title files without stopping at the first fault, and checks across the files of a title.

Every fault names the file and the key (``map.toml: hexes.E11.borders[0]``) and says what would be right. A loader
builds what it can and raises all faults together with :meth:`FaultList.stop_if_any`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from board.errors import Fault, InputError
from board.hexes import SIDES, HexId, opposite
from board.map import Border, GameMap, MapHex
from board.tiles import Tile

#: Kinds of marks on hexsides; those with a cost. Source: COMMON section 1, "Border".
BORDER_KINDS: Final = {
    "impassable": False,
    "province": False,
    "same_area": False,
    "water": True,
    "mountain": True,
}
HEX_COLOURS: Final = ("white", "yellow", "green", "brown", "gray", "red", "blue")


class FaultList:
    """Collects faults of one or more files; *code* is what programs call them."""

    def __init__(self, code: str = "bad-title-data") -> None:
        self.faults: list[Fault] = []
        self._code = code

    def add(self, where: str, message: str) -> None:
        self.faults.append(Fault(self._code, message, where))

    def stop_if_any(self) -> None:
        """Raises :class:`InputError` with every fault found so far."""
        if self.faults:
            raise InputError(self.faults)


class Table:
    """A table of a file. Each getter notes a fault instead of raising, and gives a harmless value in its place."""

    def __init__(self, data: object, file: str, faults: FaultList, path: str = "") -> None:
        self._file, self._path, self._faults = file, path, faults
        self._data: Mapping[str, object] = {}
        self._read: set[str] = set()
        if isinstance(data, Mapping):
            self._data = data
        else:
            self.fault("", f"{data!r} is not a table")

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def where(self, key: str = "") -> str:
        path = f"{self._path}.{key}" if self._path and key else self._path or key
        return f"{self._file}: {path}" if path else self._file

    def fault(self, key: str, message: str) -> None:
        self._faults.add(self.where(key), message)

    def text(self, key: str, default: str | None = None) -> str:
        """A string; with a *default* it may be missing."""
        value = self._value(key, default)
        if isinstance(value, str):
            return value
        self._wrong(key, value, "a text")
        return default or ""

    def number(self, key: str, default: int | None = None) -> int:
        """A whole number from 0 up; with a *default* it may be missing."""
        value = self._value(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self._wrong(key, value, "a number from 0 up")
        return default or 0

    def count(self, key: str) -> int | None:
        """A number of copies, or None for ``"unlimited"``."""
        value = self._value(key, None)
        if value == "unlimited":
            return None
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self._wrong(key, value, 'a number from 0 up or "unlimited"')
        return 0

    def flag(self, key: str) -> bool:
        """True or false; missing means false."""
        value = self._value(key, False)
        if isinstance(value, bool):
            return value
        self._wrong(key, value, "true or false")
        return False

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; missing means none."""
        value = self._value(key, ())
        if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self._wrong(key, value, "a list of texts")
        return ()

    def hex(self, key: str) -> HexId:
        """A hex, as ``E16``."""
        return self._hex(key, self.text(key))

    def hexes(self, key: str) -> tuple[HexId, ...]:
        """A list of hexes; missing means none."""
        return tuple(self._hex(f"{key}[{place}]", text) for place, text in enumerate(self.texts(key)))

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers; missing means none."""
        value = self._value(key, ())
        if isinstance(value, (list, tuple)) and all(type(item) is int for item in value):
            return tuple(value)
        self._wrong(key, value, "a list of numbers")
        return ()

    def table(self, key: str) -> Table:
        """The table *key*; a missing one is empty."""
        return Table(self._value(key, {}), self._file, self._faults, self.where(key).partition(": ")[2])

    def tables(self, key: str) -> Iterator[tuple[str, Table]]:
        """The tables inside table *key*, by name, in written order."""
        inner = self.table(key)
        for name in inner:
            yield name, inner.table(name)

    def list_of_tables(self, key: str) -> Iterator[Table]:
        value = self._value(key, ())
        if not isinstance(value, (list, tuple)):
            self._wrong(key, value, "a list of tables")
            return
        path = self.where(key).partition(": ")[2]
        for place, item in enumerate(value):
            yield Table(item, self._file, self._faults, f"{path}[{place}]")

    def raw(self, key: str) -> object:
        """The value as it is written; None where the key is missing."""
        self._read.add(key)
        return self._data.get(key)

    def is_table(self, key: str) -> bool:
        return isinstance(self._data.get(key), Mapping)

    def numbers(self, key: str) -> dict[str, int]:
        """A table of numbers; a missing one is empty."""
        inner = self.table(key)
        return {name: inner.number(name) for name in inner}

    def ignore(self, *keys: str) -> None:
        """Keys that another reader uses."""
        self._read.update(keys)

    def close(self) -> None:
        """Note a fault for each key that nobody has read."""
        for key in self._data:
            if key not in self._read:
                self.fault(key, "unknown key")

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def _hex(self, key: str, text: str) -> HexId:
        return hex_or_fault(text, self.where(key), self._faults) or HexId("A0")

    def _value(self, key: str, default: object) -> object:
        self._read.add(key)
        value = self._data.get(key, default)
        if value is None:
            self.fault(key, "missing")
        return value

    def _wrong(self, key: str, value: object, expected: str) -> None:
        if value is not None:
            self.fault(key, f"{value!r} is not {expected}")


def check_map(game_map: GameMap, file: str, companies: Collection[str], faults: FaultList) -> None:
    """Note what contradicts itself on the map: borders seen from one side only, track that leads nowhere known,
    reservations for nobody. *companies* are all names of corporations, minors and privates."""
    for printed in game_map:
        where = f"{file}: hexes.{printed.id}"
        for border in printed.borders:
            if problem := _border_problem(game_map, printed, border):
                faults.add(f"{where}.borders", problem)
        for reservation in printed.reservations:
            if reservation.company not in companies:
                faults.add(f"{where}.reserved", f"no company or private is called {reservation.company!r}")
            if reservation.city is not None and printed.tile.part(reservation.city) is None:
                faults.add(f"{where}.reserved", f"{printed.id} has no city {reservation.city!r}")
        for private in printed.blocked_by:
            if private not in companies:
                faults.add(f"{where}.blocked_by", f"no private is called {private!r}")
        for problem in tile_problems(printed.tile):
            faults.add(f"{where}.print", problem)


def _border_problem(game_map: GameMap, printed: MapHex, border: Border) -> str:
    """What is wrong with a mark on a hexside; empty where nothing is."""
    side, kind = border.side, border.kind
    if side not in SIDES:
        return f"{side} is not a side; sides are 0 to 5"
    # A cost belongs to the hex that prints it (18GB charges both sides apart); the other marks are drawn on a line
    # between two hexes and have to be there for both.
    if kind not in ("impassable", "same_area", "province"):
        return ""
    other = game_map.layout.neighbour(printed.id, side)
    beyond = game_map.hexes.get(other) if other is not None else None
    if beyond is None:
        return "" if kind == "same_area" else f"side {side} is {kind}, but no hex lies beyond it"
    across = beyond.border(opposite(side))
    if across is None or across.kind != kind:
        return f"side {side} is {kind}, but {other} does not say so of its side"
    return ""


def tile_problems(tile: Tile) -> Iterator[str]:
    """What is wrong with a tile that can be read: the same piece twice, cities without slots, parts named twice."""
    pieces = [(piece.a, piece.b) for piece in tile.track]
    for piece in sorted(set(pieces), key=str):
        if pieces.count(piece) > 1:
            yield f"the track {piece[0]}-{piece[1]} is written twice"
    for part in tile.parts:
        if sum(other.seq == part.seq for other in tile.parts) > 1:
            yield f"{part.id} has the same seq as another part"
    for city in tile.cities:
        if not city.slots:
            yield f"city {city.id} has no slot"


def hex_or_fault(text: str, where: str, faults: FaultList) -> HexId | None:
    """The hex named *text*; None, and a fault, where it is malformed."""
    try:
        return HexId.parse(text)
    except InputError as error:
        faults.add(where, error.faults[0].message)
        return None
