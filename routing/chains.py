"""Chains of track as they lie: every way from one stop to the next, walked piece by piece over the raw tiles.

Claims and the oracle choose among these chains. The search has a track graph of its own (:mod:`board.network`) and does
not use this module, so that a mistake in one cannot hide in the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from board.hexes import HexId, StopId, opposite
from board.position import Position
from board.routes import Leg, TrackPiece
from board.tiles import End


def chains_from(position: Position, start: StopId) -> Iterator[Leg]:
    """Every chain from *start* to the next stop, a loop back to *start* included.

    A chain crosses no hexside and no junction twice. Blocking cities, closed stops and terminal pieces do not matter
    here: whether a chain may be used is for the checker to say.
    """
    if start in position.stops:
        walker = _Walker(position, start)
        for piece in position.layout_of[start.hex].track:
            if start.part in (piece.a, piece.b):
                yield from walker.over(TrackPiece(start.hex, piece), start.part, (), frozenset())


@dataclass(frozen=True)
class _Walker:
    """Walks away from one stop in every direction."""

    position: Position
    start: StopId

    def over(
        self, piece: TrackPiece, entered: End, walked: tuple[TrackPiece, ...], crossed: frozenset[tuple[HexId, End]]
    ) -> Iterator[Leg]:
        """The chains that go on over *piece* from its end *entered*; *crossed* are the joints behind."""
        walked = (*walked, piece)
        hex_id, end = piece.hex, piece.track.other_end(entered)
        if isinstance(end, str) and not end.startswith("j"):
            yield Leg(self.start, StopId.of(hex_id, end), walked)
            return
        if (hex_id, end) in crossed:
            return
        crossed |= {(hex_id, end)}
        if isinstance(end, int):
            beyond = self.position.edition.map.neighbour(hex_id, end)
            if beyond is None:
                return
            hex_id, end = beyond, opposite(end)
            crossed |= {(hex_id, end)}
        for following in self.position.layout_of[hex_id].track:
            if end in (following.a, following.b) and piece != (hex_id, following):
                yield from self.over(TrackPiece(hex_id, following), end, walked, crossed)


def chains_between(position: Position, one: StopId, other: StopId) -> tuple[Leg, ...]:
    """Every chain from *one* to *other*, shortest first."""
    return shortest_first(leg for leg in chains_from(position, one) if leg.end == other)


def shortest_first(legs: Iterable[Leg]) -> tuple[Leg, ...]:
    """Fewest pieces first, then by their text; each once."""
    once = {leg.pieces: leg for leg in legs}
    return tuple(sorted(once.values(), key=lambda leg: (len(leg.pieces), [str(piece) for piece in leg.pieces])))
