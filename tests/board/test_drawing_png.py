"""PNG pictures: real ones, with letters, on a machine without fonts."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from board.drawing import draw_map, png, to_png
from board.errors import InputError, LimitExceeded
from tests.boards import line, make_position

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def pixels(picture: bytes) -> tuple[int, int, bytes]:
    """Width, height and RGBA bytes of a PNG of 8 bits without interlace."""
    assert picture.startswith(SIGNATURE)
    place, packed, header = 8, b"", b""
    while place < len(picture):
        (length,), kind = struct.unpack(">I", picture[place : place + 4]), picture[place + 4 : place + 8]
        content = picture[place + 8 : place + 8 + length]
        header, packed = (content if kind == b"IHDR" else header), packed + (content if kind == b"IDAT" else b"")
        place += 12 + length
    width, height, depth, colours = struct.unpack(">IIBB", header[:10])
    assert (depth, colours) == (8, 6)
    return width, height, _unfiltered(zlib.decompress(packed), width * 4)


def _unfiltered(data: bytes, stride: int) -> bytes:
    rows, above = [], bytearray(stride)
    for start in range(0, len(data), stride + 1):
        method, row = data[start], bytearray(data[start + 1 : start + 1 + stride])
        for place in range(stride):
            left = row[place - 4] if place >= 4 else 0
            corner = above[place - 4] if place >= 4 else 0
            row[place] = (row[place] + _guess(method, left, above[place], corner)) & 255
        rows.append(bytes(row))
        above = row
    return b"".join(rows)


def _guess(method: int, left: int, up: int, corner: int) -> int:
    if method == 4:
        guess = left + up - corner
        return min((left, up, corner), key=lambda value: abs(guess - value))
    return (0, left, up, (left + up) // 2)[method]


def dark(picture: bytes) -> int:
    _, _, data = pixels(picture)
    return sum(data[place] < 80 for place in range(0, len(data), 4))


def words(content: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><rect width="80" height="20" fill="#fff"/>'
        f'<text x="2" y="15" font-family="Arial, sans-serif" font-size="14">{content}</text></svg>'
    )


@pytest.fixture(scope="module")
def svg() -> str:
    return draw_map(make_position(line("city 20", "city 30"), tokens={"A1.c0": "A"}))


def test_is_a_picture_of_the_wanted_size(svg: str) -> None:
    width, height, data = pixels(to_png(svg, width=200))
    assert width == 200
    assert len(data) == width * height * 4
    assert len({data[place : place + 4] for place in range(0, len(data), 4)}) > 20


def test_scale_counts_pixels_for_each_unit(svg: str) -> None:
    box = svg.partition('viewBox="0 0 ')[2].partition('"')[0].split()
    width, height, _ = pixels(to_png(svg, scale=0.5))
    assert abs(width - float(box[0]) / 2) <= 1
    assert abs(height - float(box[1]) / 2) <= 1


def test_letters_are_drawn() -> None:
    assert dark(to_png(words("MMMM"), width=160)) > dark(to_png(words("M"), width=160)) > 20


def test_letters_come_from_the_package_not_from_the_system() -> None:
    fonts = png._fonts()
    assert fonts
    assert all(Path(font).is_file() for font in fonts)


def test_bold_differs_from_regular() -> None:
    bold = words("MMMM").replace("<text ", '<text font-weight="700" ')
    assert dark(to_png(bold, width=160)) > dark(to_png(words("MMMM"), width=160))


def test_works_without_the_font_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "_fonts", lambda: ())
    assert to_png(words("M"), width=40).startswith(SIGNATURE)


def test_same_svg_same_bytes(svg: str) -> None:
    assert to_png(svg, width=100) == to_png(svg, width=100)


@pytest.mark.parametrize("text", ["", "no picture", "<svg/>", '<svg viewBox="0 0 0 5"></svg>', words("M")[:-20]])
def test_what_is_no_picture_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        to_png(text, width=10)


def test_sizes_have_limits(svg: str) -> None:
    with pytest.raises(InputError):
        to_png(svg, width=0)
    with pytest.raises(LimitExceeded):
        to_png(svg, width=1_000_000)


def test_drawing_loads_nothing_heavy() -> None:
    program = (
        "import sys, board.drawing; "
        "print(sorted({'numpy', 'networkx', 'resvg_py', 'fontpkg_arimo', 'ortools', 'xml'} & set(sys.modules)))"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout.strip() == "[]"
