"""Routes as people write them: ``3+1: Glasgow-Carlisle-H11.t0 via G6``.

A route is a train, a colon and its stops in order, joined by hyphens; a stop is named in full (``H15.c1``), or by its
hex or the printed name of its place where that names one stop only. ``via`` and hexes tell apart two pieces of track
between the same stops: at the end of the text they belong to whichever track of the route runs through them, after an
inner stop (``A-B via F18 G19-C``) to the track that leads to that stop.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice, pairwise, product
from typing import Final

from board.errors import Fault, InputError
from board.hexes import HexId, StopId
from board.position import Position
from board.routes import ClaimedRoute
from routing.chains import chains_between
from routing.problem import RouteProblem

#: Readings of one route that are looked at.
MOST_READINGS: Final = 64
#: Letters of a route that are told as the place of a fault.
_LONGEST_PLACE: Final = 50
#: Letters that a name may be cut down to where no other name begins with them.
_LEAST_LETTERS: Final = 3


def parse_route(problem: RouteProblem, text: str) -> ClaimedRoute:
    """The route written as *text*. Raises :class:`InputError` with what was meant perhaps."""
    position = problem.position
    train, colon, rest = text.partition(":")
    train = train.strip()
    if not colon or not rest.strip():
        raise _error("malformed-route", f"{text!r} is not a route; a route is written TRAIN: STOP-STOP-…", text)
    known_train(position, train, text)
    finder = _Stops(position, text)
    stops, vias = finder.along(_words(rest))
    if len(stops) < 2:
        raise _error("malformed-route", "a route has at least two stops, joined by hyphens", text)
    hexes = [tuple(finder.hex_named(word) for word in via) for via in vias]
    return ClaimedRoute(train, stops, _connections(position, stops, hexes, text))


def known_train(position: Position, train: str, text: str) -> None:
    """Raises :class:`InputError` for a train that the title does not have."""
    known = position.edition.trains
    if train not in known:
        raise _error(
            "unknown-train", f"{position.edition.title} has no train {train!r}{_perhaps(train, known, known)}", text
        )


def readings(problem: RouteProblem, train: str, path: str, text: str) -> tuple[ClaimedRoute, ...]:
    """Every route that *path* (stops joined by hyphens) may mean where a hex or a name holds several stops.

    Readings with track between all their stops go before the others; where there are any, only they are given. At most
    :data:`MOST_READINGS` are looked at. Raises :class:`InputError` as :func:`parse_route` does for what has no reading.
    """
    position = problem.position
    finder = _Stops(position, text)
    choices, vias = finder.choices_along(_words(path))
    if len(choices) < 2:
        raise _error("malformed-route", "a route has at least two stops, joined by hyphens", text)
    hexes = [tuple(finder.hex_named(word) for word in via) for via in vias]
    found: list[ClaimedRoute] = []
    joined: list[ClaimedRoute] = []
    refused: InputError | None = None
    for stops in islice(product(*choices), MOST_READINGS):
        try:
            claim = ClaimedRoute(train, stops, _connections(position, stops, hexes, text))
        except InputError as error:
            refused = refused or error
            continue
        found.append(claim)
        if len(set(stops)) == len(stops) and all(
            chains_between(position, one, other) for one, other in pairwise(stops)
        ):
            joined.append(claim)
    if not found:
        assert refused is not None
        raise refused
    return tuple(joined or found)


def _words(path: str) -> list[tuple[str, tuple[str, ...]]]:
    """The pieces between hyphens, each with the words after its ``via``."""
    found = []
    for piece in re.split(r"\s*(?:->|[-‐-―−→])\s*", path.strip()):
        word, *via = re.split(r"\s+via(?:\s+|$)", piece, maxsplit=1)
        found.append((word.strip(), tuple(re.split(r"[\s,]+", via[0].strip())) if via and via[0].strip() else ()))
    return found


def _error(code: str, message: str, where: str) -> InputError:
    where = where.strip()
    return InputError(Fault(code, message, where if len(where) <= _LONGEST_PLACE else f"{where[:_LONGEST_PLACE]}…"))


def _perhaps(word: str, choices: Iterable[str], otherwise: Iterable[str] = ()) -> str:
    """``; did you mean 'E16'?``, or what there is, or nothing."""
    close = get_close_matches(word, list(choices), n=3, cutoff=0.6)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; it has {', '.join(otherwise)}" if otherwise else ""


def plain(name: str) -> str:
    """A name without accents, capitals, blanks and punctuation, as names are compared; ``Ft.`` is ``Fort``."""
    words = re.split(r"[\s.]+", name.casefold().translate(_LIGATURES))
    letters = unicodedata.normalize("NFKD", "".join(_SHORT.get(word, word) for word in words))
    return "".join(letter for letter in letters if letter.isalnum())


#: Letters that have no form without accent, and words that are often written short.
_LIGATURES: Final = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "þ": "th"})
_SHORT: Final = {"ft": "fort", "st": "saint", "mt": "mount"}


def separated(position: Position, text: str) -> str:
    """The names and hexes of *text* that stand one after the other with blanks between, joined by hyphens; the text as
    it is where it does not hold two of them."""
    finder = _Stops(position, text)
    words, found, known = text.split(), [], 0
    while words:
        longest = min(4, len(words))
        length = next((n for n in range(longest, 0, -1) if finder.knows(" ".join(words[:n]))), 0)
        found.append(" ".join(words[: length or 1]))
        known += bool(length)
        words = words[length or 1 :]
    return "-".join(found) if known > 1 else text


def is_place(position: Position, text: str) -> bool:
    """Whether *text* is a hex of the map, a stop of one, or the name of a place."""
    return _Stops(position, text).knows(text.partition(".")[0] if re.fullmatch(r"\w+\.\w+", text) else text)


class _Stops:
    """Finds the stops of a position by what people call them."""

    def __init__(self, position: Position, text: str) -> None:
        self._position, self._text = position, text
        named: dict[str, set[HexId]] = {}
        for hex_id, name in position.edition.map.names.items():
            for part in (name, *re.split(r"[&/]| and ", name)):
                named.setdefault(plain(part), set()).add(hex_id)
        whole = {plain(name) for name in position.edition.map.names.values()}
        for name in whole:  # a whole name goes before a part of another
            named[name] = {hex_id for hex_id, other in position.edition.map.names.items() if plain(other) == name}
        self._named = named

    def knows(self, word: str) -> bool:
        """Whether the word is a hex or a name, or the beginning of one name alone."""
        return bool(self._hexes(word))

    def along(
        self, words: Sequence[tuple[str, tuple[str, ...]]]
    ) -> tuple[tuple[StopId, ...], tuple[tuple[str, ...], ...]]:
        """The stops of a path and what is told ``via`` after each of them. Hyphens also occur in names, so the longest
        name is taken."""
        choices, vias = self._along(words)
        return tuple(self.named(word) for word in choices), vias

    def choices_along(
        self, words: Sequence[tuple[str, tuple[str, ...]]]
    ) -> tuple[tuple[tuple[StopId, ...], ...], tuple[tuple[str, ...], ...]]:
        """As :meth:`along`, with every stop that a word may name."""
        names, vias = self._along(words)
        found: list[tuple[StopId, ...]] = []
        faults: list[Fault] = []
        for name in names:
            try:
                found.append(self.candidates(name))
            except InputError as error:
                faults += error.faults
        if faults:
            raise InputError(dict.fromkeys(faults))
        return tuple(found), vias

    def _along(self, words: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[list[str], tuple[tuple[str, ...], ...]]:
        names: list[str] = []
        vias: list[tuple[str, ...]] = []
        while words:
            length = next(
                (
                    length
                    for length in range(min(4, len(words)), 1, -1)
                    if not any(via for _, via in words[: length - 1])
                    and self._hexes("-".join(word for word, _ in words[:length]))
                ),
                1,
            )
            names.append("-".join(word for word, _ in words[:length]))
            vias.append(words[length - 1][1])
            words = words[length:]
        return names, tuple(vias)

    def hex_named(self, word: str) -> HexId:
        """The hex after ``via``, which may be told by the name of a place as well."""
        found = self._hexes(word)
        if len(found) == 1:
            return min(found)
        title, known = self._position.edition.title, self._position.layout_of
        raise _error("unknown-hex", f"the map of {title} has no hex {word!r}{_perhaps(word, known)}", self._text)

    def _hexes(self, word: str) -> set[HexId]:
        for hex_id in (word, word.upper()):
            if hex_id in self._position.layout_of:
                return {HexId(hex_id)}
        name = plain(word)
        if name in self._named or len(name) < _LEAST_LETTERS or not name.isalpha():
            return self._named.get(name, set())
        begun = {frozenset(hexes) for full, hexes in self._named.items() if full.startswith(name)}
        return set(min(begun)) if len(begun) == 1 else set()

    def named(self, word: str) -> StopId:
        """The one stop that *word* names."""
        found = self.candidates(word)
        if len(found) > 1:
            raise _error(
                "ambiguous-stop", f"{word!r} names {len(found)} stops: {', '.join(found)}; name one", self._text
            )
        return found[0]

    def candidates(self, word: str) -> tuple[StopId, ...]:
        """The stops that *word* may name, at least one."""
        position = self._position
        hex_text, dot, part = word.partition(".")
        if dot and re.fullmatch(r"[A-Za-z][0-9]+", hex_text):
            hexes = self._hexes(hex_text)
            found = [stop for stop in self._stops_on(hexes) if stop.part == part.lower()]
        else:
            hexes = self._hexes(word)
            found = self._stops_on(hexes)
        if found:
            return tuple(found)
        if hexes:
            there = self._stops_on(hexes)
            where = ", ".join(position.edition.map.name_of(hex_id) for hex_id in sorted(hexes))
            has = f"its stops are {', '.join(there)}" if there else "it has no stop"
            raise _error("unknown-stop", f"there is no stop {word!r}; {where}: {has}", self._text)
        near = self._near(word)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise _error("unknown-stop", f"{position.edition.title} has no place {word!r}{hint}", self._text)

    def _near(self, word: str) -> list[str]:
        """What may be meant by a word that names nothing: names like it, with it as initials, beginning with it, or
        contained in it."""
        names = dict.fromkeys((*self._position.edition.map.names.values(), *self._position.layout_of))
        name, parts = plain(word), [plain(part) for part in re.split(r"[^\w.'’]+", word)]
        written = {form: full for full in names for form in (full, *re.split(r"[&/]| and ", full))}
        alike = {plain(form): full for form, full in written.items()}
        initials = [
            full for form, full in written.items() if len(name) > 1
            and (begin := plain("".join(part[0] for part in re.findall(r"\w+", form)))) == name[: max(2, len(begin))]
        ]  # fmt: skip
        begun = [full for form, full in alike.items() if len(name) > 1 and name.isalpha() and form.startswith(name)]
        within = [alike[part] for part in parts if len(part) >= _LEAST_LETTERS and part in alike]
        close = [alike[form] for form in get_close_matches(name, alike, n=3, cutoff=0.6)]
        if not (initials or begun or within or close) and len(name) > 4:
            close = [alike[form] for form in get_close_matches(name, alike, n=1, cutoff=0.5)]
        return list(dict.fromkeys((*initials, *begun, *within, *close)))[:3]

    def _stops_on(self, hexes: Iterable[HexId]) -> list[StopId]:
        return sorted((stop for stop in self._position.stops if stop.hex in hexes), key=lambda stop: stop.sort_key)


def _connections(
    position: Position, stops: Sequence[StopId], vias: Sequence[tuple[HexId, ...]], text: str
) -> tuple[tuple[HexId, ...], ...]:
    """For each leg the hexes of ``via`` that its track has to run through; *vias* holds one entry for each stop."""
    if not any(vias):
        return ()
    if vias[0]:
        raise _error("malformed-route", "via stands after the stop to which the track leads", text)
    legs = tuple(pairwise(stops))
    ways = [[frozenset(leg.hexes) for leg in chains_between(position, one, other)] for one, other in legs]
    for (one, other), way, told in zip(legs, ways, vias[1:-1], strict=False):
        if told and not any(set(told) <= hexes for hexes in way):
            raise _error("no-such-track", f"no track from {one} to {other} runs through {' and '.join(told)}", text)
    open_ways = [[] if told else way for way, told in zip(ways, (*vias[1:-1], ()), strict=True)]
    last = vias[-1]
    for hex_id in last:
        if not any(hex_id in hexes for way in open_ways for hexes in way):
            raise _error("no-such-track", f"no track of this route runs through {hex_id}", text)
    shared = next(_shared_out(open_ways, last), None) or next(_shared_out(open_ways, last[::-1]), None)
    if shared is None:
        raise _error("no-such-track", f"no track of this route runs through {' and '.join(last)} in order", text)
    return tuple(
        tuple(hex_id for hex_id in told or taken if hex_id not in (one.hex, other.hex))
        for (one, other), told, taken in zip(legs, (*vias[1:-1], ()), shared, strict=True)
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
        if number == 0 or any(set(hexes[:number]) <= way for way in ways[0]):
            for others in _shared_out(ways[1:], hexes[number:]):
                yield (tuple(hexes[:number]), *others)
