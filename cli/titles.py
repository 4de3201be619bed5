"""``trackage titles``: what is supported, and where the facts come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.as_json import edition_for_most, title_to_json, train_text
from analysis.upgrades import upgrade_table
from board.phases import Phase
from cli.errors import DONE
from cli.screen import GLUE, columns, hanging, say, styled
from cli.written import write_json
from titles.base import Title
from titles.registry import get_title, titles


def run(names: Sequence[str], *, as_json: bool = False) -> int:
    """List all titles, or describe those named; returns the exit status.

    Raises :class:`InputError` for unknown ones.
    """
    chosen = [get_title(name) for name in names] if names else titles()
    if as_json:
        for title in chosen:
            write_json(title_to_json(title))
    elif names:
        for title in chosen:
            for line in _description(title):
                say(line)
    else:
        rows = [["title", "players", "name"]]
        rows += [[title.info.name, _span(title.info.players), title.info.full_name] for title in chosen]
        for line in columns(rows):
            say(line)
        say()
        say("trackage titles NAME tells options, trains, phases and sources of a title.")
    return DONE


def _span(players: tuple[int, int]) -> str:
    return f"{players[0]} to {players[1]}" if players[0] != players[1] else str(players[0])


def _description(title: Title) -> Iterator[str]:
    info, edition = title.info, edition_for_most(title)
    yield styled(info.full_name, "bold")
    rows = [["title", info.name], ["players", _span(info.players)]]
    if info.scenarios:
        rows.append(["scenarios", ", ".join(info.scenarios)])
    rows.append(["companies", ", ".join(sorted(edition.companies))])
    rows.append(["privates", ", ".join(sorted(edition.privates))])
    rows.append(["exact by", " and ".join(info.exact_methods)])
    if edition.markers:
        rows.append(["markers", "; ".join(f"{name}: {shape.value}" for name, shape in edition.markers.items())])
    yield from (f"  {line}" for line in columns(rows))
    yield from _section("options", [[name, meaning] for name, meaning in info.options.items()])
    yield from _section("trains", [[name, train_text(train)] for name, train in edition.trains.items()])
    yield from _section("phases", [[phase.name, _phase_text(phase)] for phase in edition.phases.values()])
    yield from _tiles(title)
    yield "  sources"
    for source in info.sources:
        first, *others = hanging(source, 4)
        yield f"    {first}"
        yield from others
    yield ""


def _tiles(title: Title) -> Iterator[str]:
    """What may be laid on which hexes, and what may follow on each tile."""
    table = upgrade_table(title)
    if table is None:
        return
    tiles = edition_for_most(title).tiles
    yield from _section(
        "tiles on the hexes as printed", [[", ".join(first), " ".join(on)] for on, first in table.prints]
    )
    rows = []
    last: dict[str, list[str]] = {}
    for tile_id, after in table.tiles.items():
        count = tiles.count(tile_id)
        number = "" if count is None else f" ×{count}"
        if after:
            rows.append([tile_id, number.strip(), tiles.tile(tile_id).colour, " ".join(after)])
        else:
            last.setdefault(tiles.tile(tile_id).colour, []).append(f"{tile_id}{number}".replace(" ", GLUE))
    yield from _section("tiles, how many (all you need unless told), and what each may become", rows)
    yield from _section(
        "tiles on which nothing follows", [[colour, ", ".join(found)] for colour, found in last.items()]
    )


def _section(name: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield f"  {name}"
        yield from (f"    {line}" for line in columns(rows))


def _phase_text(phase: Phase) -> str:
    limit = phase.train_limit
    if isinstance(limit, dict):
        trains = ", ".join(f"{kind} {number}" for kind, number in limit.items())
    else:
        trains = str(limit) if limit is not None else "any number"
    rounds = f"{phase.operating_rounds} operating round{'s' if phase.operating_rounds != 1 else ''}"
    colours = ", ".join(phase.tile_colours) or "no"
    return " ".join((f"{colours} tiles; train limit {trains}; {rounds}.", *phase.effects))
