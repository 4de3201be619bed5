"""Seeded boards of any size with track of every tile colour, to see how the search grows."""

from __future__ import annotations

from random import Random
from typing import Final

from board.hexes import HexId, Layout
from board.network import Network, build_network
from routing.problem import RouteProblem
from tests.boards import make_edition, make_problem

#: Prints by colour: what lies on a hex, unrotated; ``{}`` takes a value.
_CITIES: Final = (
    "yellow city {}; track 0-c0 3-c0",
    "green city {} slots=2; track 0-c0 2-c0 3-c0 4-c0",
    "green city {} slots=2; track 0-c0 1-c0 3-c0 4-c0",
    "brown city {} slots=3; track 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0",
    "brown city {}; city {}; track 0-c0 3-c0 1-c1 4-c1",
    "gray city {} slots=3; track 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0",
)
_TOWNS: Final = (
    "yellow town {}; track 0-t0 3-t0",
    "green town {}; track 0-t0 2-t0 3-t0 4-t0",
    "brown town {}; track 0-t0 1-t0 2-t0 3-t0",
)
_PLAIN: Final = (
    "yellow track 0-3",
    "yellow track 0-2",
    "green track 0-3 1-4",
    "green track 0-3 0-4",
    "green track 0-2 3-4",
    "brown track 0-3 1-4 0-4 1-3",
    "brown track 0-3 2-4 0-4 2-3",
    "brown track 0-2 2-4 0-4",
)
#: Trains in the order in which a company gets more of them.
FLEET: Final = ("D", "6", "5", "4", "3", "2")


def synthetic(links: int, trains: int, seed: int = 1) -> RouteProblem:
    """A problem whose network has about *links* links: the board grows hex by hex until it does.

    The company has a token in the middle and one for every twenty links further out.
    """
    for attempt in range(50):
        rng = Random(f"{seed} {links} {attempt}")
        hexes: dict[str, str] = {}
        for place, name in enumerate(_SPIRAL):
            hexes[name] = _print(rng, *_choice(rng, place))
            if place % 3 == 0:
                network = _network(hexes)
                if len(network.links) >= links:
                    cities = [stop for stop in network.stops if stop.part == "c0"]
                    tokens = cities[:: max(1, len(cities) * 20 // links)]
                    return _problem(hexes, trains, {str(stop): "A" for stop in (cities[0], *tokens)})
    raise ValueError(f"no board with {links} links from seed {seed}")


def _network(hexes: dict[str, str]) -> Network:
    problem = _problem(hexes, 1, {f"{_MIDDLE}.c0": "A"})
    return build_network(problem.position, sorted(problem.token_stops))


def _problem(hexes: dict[str, str], trains: int, tokens: dict[str, str]) -> RouteProblem:
    edition = make_edition(hexes, layout=Layout.POINTY)
    return make_problem(edition, trains=" ".join(FLEET[:trains]), tokens=tokens, phase="gray")


def _choice(rng: Random, place: int) -> tuple[str, int]:
    if place == 0:
        return _CITIES[3], 0
    return rng.choice(rng.choices((_CITIES, _TOWNS, _PLAIN), (3, 2, 4))[0]), rng.randrange(6)


def _print(rng: Random, text: str, turns: int) -> str:
    """The print with values and turned by *turns* sixths."""
    filled = text.format(*(10 * rng.randint(1, 8) for _ in range(text.count("{}"))))
    words = []
    for word in filled.split(" "):
        ends = word.rstrip(";").split("-")
        if len(ends) == 2:
            ends = [str((int(end) + turns) % 6) if end.isdecimal() else end for end in ends]
            word = "-".join(ends)  # noqa: PLW2901
        words.append(word)
    return " ".join(words)


def _spiral() -> list[str]:
    """The hexes around the middle from the inside outwards."""
    seen, ring = [HexId(_MIDDLE)], [HexId(_MIDDLE)]
    while len(seen) < 460:
        beyond = (Layout.POINTY.neighbour(hex_id, side) for hex_id in ring for side in range(6))
        ring = [hex_id for hex_id in dict.fromkeys(beyond) if hex_id is not None and hex_id not in seen]
        seen += ring
    return [str(hex_id) for hex_id in seen]


_MIDDLE: Final = "M35"
_SPIRAL: Final = _spiral()
