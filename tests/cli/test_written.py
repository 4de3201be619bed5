"""Files that commands write: whole or not there, and never in the place of something else."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from board.errors import InputError
from cli.written import write_file


def test_a_file_is_replaced_at_once(tmp_path: Path) -> None:
    target = tmp_path / "map.svg"
    write_file(target, b"one")
    write_file(target, b"two")
    assert target.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "map.svg", tmp_path / "link.svg"
    target.parent.mkdir()
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_file(link, b"new")
    assert (link.is_symlink(), target.read_bytes()) == (True, b"new")


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"a game")
    reader.join(timeout=10)
    assert (read, pipe.is_fifo()) == ([b"a game"], True)


@pytest.mark.parametrize("name", ["", "no folder/map.svg", "x" * 300])
def test_what_cannot_be_written_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as refused:
        write_file(tmp_path / name, b"")
    assert [fault.code for fault in refused.value.faults] == ["cannot-write"]
    assert list(tmp_path.iterdir()) == []
