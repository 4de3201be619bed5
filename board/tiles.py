"""Tiles: parts, track, rotation, and the one-line text notation in which title files write them.

Notation: items separated by ``;``::

    city 20 slots=2; town 10; offboard yellow=30,brown=50 group=Canada; junction
    track 0-c0 c0-3 1-4 2-t0! 4-5~
    label OO; cost 40 water

Parts of one kind are numbered in the order written (``c0``, ``c1``, ``t0``, ``o0``, ``j0``). A revenue is a number, or
values by tile colour (the newest colour of the phase that is listed pays), or values by phase name. A piece of track
joins two ends, each a side (0 to 5) or a part; ``!`` marks a terminal piece (a route may end on it but not run through
it), ``~`` marks the special track of 18GB's estuary tiles. ``seq=`` gives a part the number that recorded games know
it by, where that is not its place in the list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from board.errors import Fault, InputError
from board.hexes import HexId, StopId
from board.phases import TILE_COLOURS, Phase
from board.trains import StopKind

End = int | str
"""A side (0 to 5) or the id of a part."""


class Track(NamedTuple):
    """A piece of track inside one tile; ``a`` and ``b`` are its ends, sides before parts, smaller before larger."""

    a: End
    b: End
    terminal: bool = False
    dual: bool = False

    @classmethod
    def between(cls, a: End, b: End, *, terminal: bool = False, dual: bool = False) -> Track:
        if (isinstance(a, str), a if isinstance(a, int) else 0, str(a)) > (
            isinstance(b, str),
            b if isinstance(b, int) else 0,
            str(b),
        ):
            a, b = b, a
        return cls(a, b, terminal, dual)

    def rotated(self, turns: int) -> Track:
        """The piece on a tile turned clockwise by *turns* sixths."""
        ends = [(end + turns) % 6 if isinstance(end, int) else end for end in (self.a, self.b)]
        return Track.between(ends[0], ends[1], terminal=self.terminal, dual=self.dual)

    def other_end(self, end: End) -> End:
        return self.b if end == self.a else self.a

    def __str__(self) -> str:
        return f"{self.a}-{self.b}{'!' if self.terminal else ''}{'~' if self.dual else ''}"


class Passage(NamedTuple):
    """Where track leads inside a tile from one of its ends: over the ``piece`` there, on over junctions, to ``sides``
    and to ``stops``, each with the piece that ends in it. Terminal track is not entered from a junction."""

    piece: Track
    sides: tuple[int, ...]
    stops: tuple[tuple[str, Track], ...]


@dataclass(frozen=True, slots=True)
class Revenue:
    """What a stop pays: a fixed amount, or amounts ``by`` tile colour or phase name. Money of the title."""

    fixed: int = 0
    by_colour: tuple[tuple[str, int], ...] = ()
    by_phase: tuple[tuple[str, int], ...] = ()

    def in_phase(self, phase: Phase) -> int:
        """Source: COMMON section 1, "Revenue value by phase"."""
        if self.by_phase:
            return dict(self.by_phase).get(phase.name, 0)
        if self.by_colour:
            listed = dict(self.by_colour)
            for colour in reversed(TILE_COLOURS):
                if colour in phase.tile_colours and colour in listed:
                    return listed[colour]
            return 0
        return self.fixed

    def __str__(self) -> str:
        pairs = self.by_colour or self.by_phase
        return ",".join(f"{key}={value}" for key, value in pairs) if pairs else str(self.fixed)


@dataclass(frozen=True, slots=True)
class Part:
    """A city, town, off-board area or junction of a tile. ``kind`` is None for a junction, which pays nothing.

    ``groups`` are names shared with other stops: of all stops of a group a route may visit one. ``through`` marks an
    off-board area that a route may run through (elsewhere off-boards are ends). ``seq`` is the number that recorded
    games know the part by.
    """

    id: str
    kind: StopKind | None
    revenue: Revenue = Revenue()
    slots: int = 0
    groups: tuple[str, ...] = ()
    through: bool = False
    seq: int = 0


@dataclass(frozen=True)
class Tile:
    """A tile, or the print of a map hex, in one orientation."""

    id: str
    colour: str
    parts: tuple[Part, ...] = ()
    track: tuple[Track, ...] = ()
    label: str = ""
    cost: int = 0
    terrain: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """A short one: id and first piece of track tell nearly all tiles and orientations apart."""
        return hash((self.id, self.track[:1]))

    @classmethod
    def parse(cls, tile_id: str, colour: str, text: str) -> Tile:
        """The tile written as *text*. Raises :class:`InputError` with every fault of the text."""
        return _Reader(tile_id, colour, text).tile()

    @property
    def notation(self) -> str:
        """The text that :meth:`parse` reads back to an equal tile."""
        items: list[str] = []
        for place, part in enumerate(self.parts):
            words = ["junction"] if part.kind is None else [part.kind.value, str(part.revenue)]
            if part.kind is StopKind.CITY and part.slots != 1:
                words.append(f"slots={part.slots}")
            words += [f"group={group}" for group in part.groups]
            words += ["through"] if part.through else []
            if part.seq != place:
                words.append(f"seq={part.seq}")
            items.append(" ".join(words))
        if self.track:
            items.append("track " + " ".join(str(piece) for piece in self.track))
        if self.label:
            items.append(f"label {self.label}")
        if self.cost or self.terrain:
            items.append(" ".join(["cost", str(self.cost), *self.terrain]))
        return "; ".join(items)

    def rotated(self, turns: int) -> Tile:
        """This tile turned clockwise by *turns* sixths (0 to 5)."""
        return self._orientations[turns % 6]

    @cached_property
    def _orientations(self) -> tuple[Tile, ...]:
        turned = (replace(self, track=tuple(piece.rotated(turns) for piece in self.track)) for turns in range(1, 6))
        return (self, *turned)

    @cached_property
    def track_at(self) -> Mapping[End, tuple[Track, ...]]:
        """The pieces of track that touch each end."""
        found: dict[End, tuple[Track, ...]] = {}
        for piece in self.track:
            for end in (piece.a, piece.b):
                found[end] = (*found.get(end, ()), piece)
        return found

    def stops_on(self, hex_id: HexId) -> Mapping[StopId, Part]:
        """The stops of this tile where it lies on the hex."""
        found = self._stops_on.get(hex_id)
        if found is None:
            found = {StopId.of(hex_id, part.id): part for part in self.parts if part.kind is not None}
            self._stops_on[hex_id] = found
        return found

    @cached_property
    def _stops_on(self) -> dict[HexId, Mapping[StopId, Part]]:
        """What has been asked before: a tile lies on few hexes, and those are asked for in every position."""
        return {}

    @cached_property
    def passages(self) -> Mapping[End, tuple[Passage, ...]]:
        """For each side and stop where its track leads, a passage for each piece that begins there."""
        return {end: tuple(self._passage(end, piece) for piece in pieces) for end, pieces in self.track_at.items()}

    def onward(self, part_id: str) -> tuple[Passage, ...]:
        """The passages by which a stop may be left that has been reached over track: terminal track leads nowhere."""
        return self._onward[part_id]

    @cached_property
    def _onward(self) -> Mapping[str, tuple[Passage, ...]]:
        return {
            end: tuple(passage for passage in passages if not passage.piece.terminal)
            for end, passages in self.passages.items()
            if isinstance(end, str)
        }

    def _passage(self, start: End, first: Track) -> Passage:
        sides: dict[int, None] = {}
        stops: dict[tuple[str, Track], None] = {}
        seen: set[tuple[End, Track]] = set()
        pending = [(start, first)]
        while pending:
            entered, piece = pending.pop()
            if (entered, piece) in seen:
                continue
            seen.add((entered, piece))
            end = piece.other_end(entered)
            if isinstance(end, int):
                sides[end] = None
            elif end[0] == "j":
                pending += [(end, ahead) for ahead in self.track_at[end] if ahead != piece and not ahead.terminal]
            else:
                stops[end, piece] = None
        return Passage(first, tuple(sides), tuple(stops))

    def part(self, part_id: str) -> Part | None:
        return self._part_of.get(part_id)

    @cached_property
    def _part_of(self) -> Mapping[str, Part]:
        return {part.id: part for part in self.parts}

    @cached_property
    def cities(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.kind is StopKind.CITY)

    @cached_property
    def towns(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.kind is StopKind.TOWN)

    @cached_property
    def sides(self) -> frozenset[int]:
        """The sides that track reaches."""
        return frozenset(end for end in self.track_at if isinstance(end, int))

    def sides_of(self, part_id: str) -> frozenset[int]:
        """The sides joined to the part by one piece of track."""
        return self._sides_of.get(part_id, _NO_SIDES)

    @cached_property
    def _sides_of(self) -> Mapping[End, frozenset[int]]:
        return {
            end: frozenset(other for piece in pieces if isinstance(other := piece.other_end(end), int))
            for end, pieces in self.track_at.items()
        }


_NO_SIDES: Final[frozenset[int]] = frozenset()
_LETTER: Final = {"city": "c", "town": "t", "offboard": "o", "junction": "j"}
_KINDS: Final = {"city": StopKind.CITY, "town": StopKind.TOWN, "offboard": StopKind.OFF_BOARD, "junction": None}
_TRACK: Final = re.compile(r"([0-5]|[ctoj][0-9])-([0-5]|[ctoj][0-9])(!?)(~?)")


class _Reader:
    """Reads one line of notation; collects every fault before it complains."""

    def __init__(self, tile_id: str, colour: str, text: str) -> None:
        self._id, self._colour = tile_id, colour
        self._faults: list[Fault] = []
        self._parts: list[Part] = []
        self._track: list[Track] = []
        self._label, self._cost = "", 0
        self._terrain: tuple[str, ...] = ()
        for item in filter(None, (piece.strip() for piece in text.split(";"))):
            word, _, rest = item.partition(" ")
            if word in _LETTER:
                self._part(word, rest.split())
            elif word == "track":
                self._pieces(rest.split())
            elif word == "label" and rest:
                self._label = rest
            elif word == "cost" and rest.split()[:1] and rest.split()[0].isdecimal():
                self._cost, self._terrain = int(rest.split()[0]), tuple(rest.split()[1:])
            else:
                self._fault(
                    f"{item!r} is not a part of a tile; expected city, town, offboard, junction, track, label or cost"
                )

    def tile(self) -> Tile:
        known = {part.id for part in self._parts}
        for piece in self._track:
            for end in (piece.a, piece.b):
                if isinstance(end, str) and end not in known:
                    self._fault(f"track {piece} names {end}, which the tile does not have")
            if piece.a == piece.b:
                self._fault(f"track {piece} joins an end to itself")
        if self._faults:
            raise InputError(self._faults)
        return Tile(
            self._id, self._colour, tuple(self._parts), tuple(self._track), self._label, self._cost, self._terrain
        )

    def _fault(self, message: str) -> None:
        self._faults.append(Fault("malformed-tile", message, f"tile {self._id}"))

    def _part(self, word: str, words: list[str]) -> None:
        kind = _KINDS[word]
        count = sum(part.kind is kind for part in self._parts)
        revenue, slots, seq, through = Revenue(), int(kind is StopKind.CITY), len(self._parts), False
        groups: list[str] = []
        for position, token in enumerate(words):
            key, equals, value = token.partition("=")
            if token == "through" and kind is StopKind.OFF_BOARD:
                through = True
            elif position == 0 and kind is not None and not (equals and key in ("slots", "group", "seq")):
                revenue = self._revenue(token)
            elif key == "slots" and value.isdecimal() and kind is StopKind.CITY:
                slots = int(value)
            elif key == "group" and value:
                groups.append(value)
            elif key == "seq" and value.isdecimal():
                seq = int(value)
            else:
                self._fault(f"{token!r} does not belong to a {word}")
        self._parts.append(Part(f"{_LETTER[word]}{count}", kind, revenue, slots, tuple(groups), through, seq))

    def _revenue(self, text: str) -> Revenue:
        if text.isdecimal():
            return Revenue(int(text))
        pairs = [pair.partition("=") for pair in text.split(",")]
        if not all(key and equals and value.isdecimal() for key, equals, value in pairs):
            self._fault(f"{text!r} is not a revenue; expected 20, or yellow=20,brown=40, or values by phase name")
            return Revenue()
        values = tuple((key, int(value)) for key, _, value in pairs)
        return Revenue(by_colour=values) if all(key in TILE_COLOURS for key, _ in values) else Revenue(by_phase=values)

    def _pieces(self, words: list[str]) -> None:
        for word in words:
            match = _TRACK.fullmatch(word)
            if match is None:
                self._fault(f"{word!r} is not a piece of track; expected two ends (a side 0 to 5, or a part) as 0-c0")
                continue
            ends = [int(text) if text.isdecimal() else text for text in match.groups()[:2]]
            self._track.append(Track.between(ends[0], ends[1], terminal=bool(match[3]), dual=bool(match[4])))
