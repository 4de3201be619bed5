"""Maps of positions as SVG or PNG files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from board.errors import Fault, InputError
from board.position import Position
from cli.written import write_file
from routing.checker import Verdict
from routing.result import Result

_KINDS: Final = (".svg", ".png")


def checked_paths(paths: Sequence[Path], option: str) -> tuple[Path, ...]:
    """The paths as they are. Raises :class:`InputError` for names that end neither in ``.svg`` nor in ``.png``, and for
    folders that do not exist, before any work is done."""
    faults: list[Fault] = []
    for path in paths:
        if path.suffix.lower() not in _KINDS:
            faults.append(Fault("unknown-kind", f"{path} must end in .svg or .png", option))
        elif not path.parent.is_dir():
            faults.append(Fault("cannot-write", f"there is no folder {path.parent}", option))
    if faults:
        raise InputError(faults)
    return tuple(paths)


def write_maps(
    paths: Sequence[Path], position: Position, number: int, verdict: Verdict | None = None, result: Result | None = None
) -> tuple[Path, ...]:
    """Draw *position* with the routes of *verdict* to each of the paths; returns where.

    The first position of a call goes to the path itself, further ones to ``name-2.svg``, ``name-3.svg``, ….
    """
    from analysis.pictures import picture_of

    svg = picture_of(position, verdict, result)
    written = []
    for path in paths:
        target = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        if path.suffix.lower() == ".png":
            from board.drawing import to_png

            write_file(target, to_png(svg))
        else:
            write_file(target, svg.encode("utf-8"))
        written.append(target)
    return tuple(written)
