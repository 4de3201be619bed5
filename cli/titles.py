"""``trackage titles``: what is supported, and where the facts come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from board.edition import Edition
from board.errors import InputError
from board.phases import Phase
from board.trains import TrainType
from cli.errors import DONE
from cli.screen import columns, hanging, say, styled
from cli.written import write_json
from routing.scoring import range_of
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


def title_to_json(title: Title) -> dict[str, object]:
    """Everything about a title that a program may want; trains and phases for its largest number of players."""
    info, edition = title.info, _edition(title)
    return {
        "title": info.name,
        "name": info.full_name,
        "players": list(info.players),
        "options": dict(info.options),
        "scenarios": list(info.scenarios),
        "methods": list(info.exact_methods),
        "companies": sorted(edition.companies),
        "privates": sorted(edition.privates),
        "trains": {name: _train_text(train) for name, train in edition.trains.items()},
        "phases": [_phase_to_json(phase) for phase in edition.phases.values()],
        "markers": {name: shape.value for name, shape in edition.markers.items()},
        "sources": list(info.sources),
    }


def _phase_to_json(phase: Phase) -> dict[str, object]:
    return {
        "phase": phase.name,
        "starts_with": phase.starts_with,
        "tile_colours": list(phase.tile_colours),
        "train_limit": phase.train_limit,
        "operating_rounds": phase.operating_rounds,
        "effects": list(phase.effects),
    }


def _edition(title: Title) -> Edition:
    """The facts without options, for the largest number of players."""
    try:
        return title.edition((), title.info.players[1])
    except InputError:
        return title.edition()


def _span(players: tuple[int, int]) -> str:
    return f"{players[0]} to {players[1]}" if players[0] != players[1] else str(players[0])


def _description(title: Title) -> Iterator[str]:
    info, edition = title.info, _edition(title)
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
    yield from _section("trains", [[name, _train_text(train)] for name, train in edition.trains.items()])
    yield from _section("phases", [[phase.name, _phase_text(phase)] for phase in edition.phases.values()])
    yield "  sources"
    for source in info.sources:
        first, *others = hanging(source, 4)
        yield f"    {first}"
        yield from others
    yield ""


def _section(name: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield f"  {name}"
        yield from (f"    {line}" for line in columns(rows))


def _train_text(train: TrainType) -> str:
    """``5 stops, of which it counts 3``."""
    counts = [str(row.pay) for row in train.rows if row.pay is not None and row.pay not in (0, row.visit)]
    counted = f", of which it counts {' and '.join(counts)}" if counts else ""
    return (
        f"{range_of(train)}{counted}{f', each at {train.multiplier} times its value' if train.multiplier > 1 else ''}"
    )


def _phase_text(phase: Phase) -> str:
    limit = phase.train_limit
    if isinstance(limit, dict):
        trains = ", ".join(f"{kind} {number}" for kind, number in limit.items())
    else:
        trains = str(limit) if limit is not None else "any number"
    rounds = f"{phase.operating_rounds} operating round{'s' if phase.operating_rounds != 1 else ''}"
    colours = ", ".join(phase.tile_colours) or "no"
    return " ".join((f"{colours} tiles; train limit {trains}; {rounds}.", *phase.effects))
