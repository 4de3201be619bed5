"""Routes as people write them: ``4: E11.c0-F10-H10 via G9 G11``.

A route is a train, a colon and its stops in travel order with hyphens between them. A stop is written ``E11.c0``; the
hex alone is enough where only one stop lies on it. ``via`` and hexes after a stop name the hexes that the track runs
through on its way to that stop; they tell apart two pieces of track between the same stops.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from board.errors import Fault, InputError, TrackageError
from board.hexes import HexId, StopId
from board.position import Position
from board.routes import ClaimedRoute, Route
from records.reading import shortened

#: Longer texts are refused unread.
MOST_CHARACTERS: Final = 2000
_DASH: Final = re.compile(r"\s*(?:->|[-\u2010-\u2015\u2212\u2192])\s*")


def parse_route(text: str, position: Position) -> ClaimedRoute:
    """The route written as *text*; a hex alone stands for the one stop that lies on it in *position*.

    Raises :class:`InputError` with every fault: ``malformed-route``, ``malformed-stop``, ``malformed-hex``,
    ``no-stop`` (nothing to stop at on the hex), ``ambiguous-stop`` (several stops on the hex).
    """
    where = f"route {shortened(text)}"
    train, colon, rest = (part.strip() for part in text.partition(":"))
    if len(text) > MOST_CHARACTERS or not colon or not train or not rest:
        raise InputError(Fault("malformed-route", "a route is written TRAIN: STOP-STOP-…, as 4: E11.c0-F10-H10", where))
    faults: list[Fault] = []
    stops: list[StopId] = []
    vias: list[tuple[HexId, ...]] = []
    for piece in _DASH.split(rest):
        stop_text, _, via_text = (part.strip() for part in re.sub(r"\svia(\s|$)", "\0", piece, count=1).partition("\0"))
        try:
            stops.append(_stop(stop_text, position))
            vias.append(tuple(_hex_of_map(word, position) for word in via_text.split()))
        except TrackageError as error:
            faults += (fault.at(where) for fault in error.faults)
    if not faults and len(stops) < 2:
        faults.append(Fault("malformed-route", "a route has at least two stops with a hyphen between them", where))
    if not faults and vias[0]:
        faults.append(Fault("malformed-route", "via stands after the stop that the track leads to", where))
    if faults:
        raise InputError(faults)
    connections = tuple(
        (start.hex, *via, end.hex) if via else () for start, end, via in zip(stops, stops[1:], vias[1:], strict=False)
    )
    return ClaimedRoute(train, tuple(stops), connections if any(connections) else ())


def parse_routes(texts: Iterable[str], position: Position) -> tuple[ClaimedRoute, ...]:
    """The routes written as *texts*. Raises :class:`InputError` with the faults of all of them."""
    routes: list[ClaimedRoute] = []
    faults: list[Fault] = []
    for text in texts:
        try:
            routes.append(parse_route(text, position))
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return tuple(routes)


def claim_of(route: Route, revenue: int | None = None) -> ClaimedRoute:
    """The route with its track, as a claim."""
    return ClaimedRoute(route.train, route.stops, tuple(leg.hexes for leg in route.legs), revenue)


def route_text(claim: ClaimedRoute, position: Position) -> str:
    """The claim as :func:`parse_route` reads it back: parts of stops only where the hex has several, track only where
    it runs through hexes between two stops."""
    pieces = []
    for place, stop in enumerate(claim.stops):
        connection = claim.connections[place - 1] if 0 < place <= len(claim.connections) else ()
        if len(connection) > 2 and connection[0] != claim.stops[place - 1].hex:
            connection = connection[::-1]
        via = " ".join(connection[1:-1])
        pieces.append(f"{_short(stop, position)} via {via}" if via else _short(stop, position))
    return f"{claim.train}: {'-'.join(pieces)}"


def _stops_on(hex_id: HexId, position: Position) -> tuple[StopId, ...]:
    tile = position.layout_of.get(hex_id)
    return tuple(StopId.of(hex_id, part.id) for part in tile.parts if part.kind is not None) if tile is not None else ()


def _short(stop: StopId, position: Position) -> str:
    return str(stop.hex) if _stops_on(stop.hex, position) == (stop,) else str(stop)


def _hex_of_map(text: str, position: Position) -> HexId:
    hex_id = HexId.parse(text)
    if hex_id not in position.edition.map:
        raise InputError(Fault("unknown-hex", f"the map of {position.edition.title} has no hex {hex_id}"))
    return hex_id


def _stop(text: str, position: Position) -> StopId:
    if "." in text:
        stop = StopId.parse(text)
        hex_id = _hex_of_map(stop.hex, position)
        here = _stops_on(hex_id, position)
        if stop not in here:
            raise InputError(Fault("no-stop", f"there is no stop {stop}; {_what_lies_there(hex_id, here, position)}"))
        return stop
    hex_id = _hex_of_map(text, position)
    here = _stops_on(hex_id, position)
    if len(here) == 1:
        return here[0]
    code = "ambiguous-stop" if here else "no-stop"
    raise InputError(Fault(code, f"{hex_id} does not name one stop; {_what_lies_there(hex_id, here, position)}"))


def _what_lies_there(hex_id: HexId, stops: tuple[StopId, ...], position: Position) -> str:
    return f"{position.edition.map.name_of(hex_id)} has {', '.join(stops) or 'nothing to stop at'}"
