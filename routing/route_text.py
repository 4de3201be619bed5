"""Routes as people write them: ``3+1: Glasgow-Carlisle-H11.t0 via G6``.

A route is a train, a colon and its stops in order, joined by hyphens; a stop is named in full (``H15.c1``), or by its
hex or the printed name of its place where that names one stop only. ``via`` and hexes tell apart two pieces of track
between the same stops.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise

from board.errors import Fault, InputError
from board.hexes import HexId, StopId
from board.position import Position
from board.routes import ClaimedRoute
from routing.chains import chains_between
from routing.problem import RouteProblem


def parse_route(problem: RouteProblem, text: str) -> ClaimedRoute:
    """The route written as *text*. Raises :class:`InputError` with what was meant perhaps."""
    position = problem.position
    train, colon, rest = text.partition(":")
    train = train.strip()
    if not colon or not rest.strip():
        raise _error("malformed-route", f"{text!r} is not a route; a route is written TRAIN: STOP-STOP-…", text)
    if train not in position.edition.trains:
        known = position.edition.trains
        raise _error(
            "unknown-train", f"{position.edition.title} has no train {train!r}{_perhaps(train, known, known)}", text
        )
    path, _, told = re.sub(r"\s+", " ", rest).partition(" via ")
    stops = _Stops(position).along(path, text)
    if len(stops) < 2:
        raise _error("malformed-route", "a route has at least two stops, joined by hyphens", text)
    return ClaimedRoute(train, stops, _connections(position, stops, told, text))


def _error(code: str, message: str, where: str) -> InputError:
    return InputError(Fault(code, message, where.strip()))


def _perhaps(word: str, choices: Iterable[str], otherwise: Iterable[str] = ()) -> str:
    """``; did you mean 'E16'?``, or what there is, or nothing."""
    close = get_close_matches(word, list(choices), n=3, cutoff=0.6)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; it has {', '.join(otherwise)}" if otherwise else ""


def plain(name: str) -> str:
    """A name without accents, capitals, blanks and punctuation, as names are compared."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if letter.isalnum())


class _Stops:
    """Finds the stops of a position by what people call them."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._named: dict[str, set[HexId]] = {}
        aliases: dict[str, set[HexId]] = {}
        for hex_id, name in position.edition.map.names.items():
            self._named.setdefault(plain(name), set()).add(hex_id)
            for part in re.split(r"[&/]| and ", name):
                aliases.setdefault(plain(part), set()).add(hex_id)
        self._named = {**aliases, **self._named}

    def along(self, path: str, text: str) -> tuple[StopId, ...]:
        """The stops of a path; hyphens also occur in names, so the longest word that is a place is taken."""
        words = [word.strip() for word in re.split(r"[-–—]", path)]
        stops: list[StopId] = []
        while words:
            for length in range(min(4, len(words)), 0, -1):
                word = "-".join(words[:length])
                if length == 1 or self._hexes(word):
                    stops.append(self.named(word, text))
                    words = words[length:]
                    break
        return tuple(stops)

    def _hexes(self, word: str) -> set[HexId]:
        for hex_id in (word, word.upper()):
            if hex_id in self._position.layout_of:
                return {HexId(hex_id)}
        return self._named.get(plain(word), set())

    def named(self, word: str, text: str) -> StopId:
        """The one stop that *word* names."""
        position = self._position
        hex_text, dot, part = word.partition(".")
        if dot and re.fullmatch(r"[A-Za-z][0-9]+", hex_text):
            hexes = self._hexes(hex_text)
            found = [stop for stop in self._stops_on(hexes) if stop.part == part]
        else:
            hexes = self._hexes(word)
            found = self._stops_on(hexes)
        if len(found) == 1:
            return found[0]
        if found:
            raise _error("ambiguous-stop", f"{word!r} names {len(found)} stops: {', '.join(found)}; name one", text)
        if hexes:
            there = self._stops_on(hexes)
            where = ", ".join(position.edition.map.name_of(hex_id) for hex_id in sorted(hexes))
            has = f"its stops are {', '.join(there)}" if there else "it has no stop"
            raise _error("unknown-stop", f"there is no stop {word!r}; {where}: {has}", text)
        names = [*position.edition.map.names.values(), *position.layout_of]
        close = {plain(name): name for name in names}
        near = get_close_matches(plain(word), close, n=3, cutoff=0.6)
        hint = f"; did you mean {' or '.join(close[name] for name in near)}?" if near else ""
        raise _error("unknown-stop", f"{position.edition.title} has no place {word!r}{hint}", text)

    def _stops_on(self, hexes: Iterable[HexId]) -> list[StopId]:
        return sorted((stop for stop in self._position.stops if stop.hex in hexes), key=lambda stop: stop.sort_key)


def _connections(position: Position, stops: Sequence[StopId], told: str, text: str) -> tuple[tuple[HexId, ...], ...]:
    """For each leg the hexes of ``via`` that its track has to run through."""
    hexes = [_hex_of(position, word, text) for word in re.split(r"[ ,]+", told) if word]
    if not hexes:
        return ()
    ways = [[frozenset(leg.hexes) for leg in chains_between(position, one, other)] for one, other in pairwise(stops)]
    for hex_id in hexes:
        if not any(hex_id in way for leg in ways for way in leg):
            raise _error("no-such-track", f"no track of this route runs through {hex_id}", text)
    shared = next(_shared_out(ways, hexes), None) or next(_shared_out(ways, hexes[::-1]), None)
    if shared is None:
        raise _error("no-such-track", f"no track of this route runs through {' and '.join(hexes)} in order", text)
    return tuple(
        tuple(hex_id for hex_id in taken if hex_id not in (one.hex, other.hex))
        for (one, other), taken in zip(pairwise(stops), shared, strict=True)
    )


def _hex_of(position: Position, word: str, text: str) -> HexId:
    for hex_id in (word, word.upper()):
        if hex_id in position.layout_of:
            return HexId(hex_id)
    raise _error(
        "unknown-hex",
        f"the map of {position.edition.title} has no hex {word!r}{_perhaps(word, position.layout_of)}",
        text,
    )


def _shared_out(
    ways: Sequence[Sequence[frozenset[HexId]]], hexes: Sequence[HexId]
) -> Iterator[tuple[tuple[HexId, ...], ...]]:
    """The ways to share *hexes* out among the legs in order, such that some track of each leg runs through its own."""
    if not ways:
        if not hexes:
            yield ()
        return
    for number in range(len(hexes), -1, -1):
        if any(set(hexes[:number]) <= way for way in ways[0]) or number == 0:
            for others in _shared_out(ways[1:], hexes[number:]):
                yield (tuple(hexes[:number]), *others)
