"""Recorded positions from beside the checkout: all are read, and written back as they were."""

from __future__ import annotations

import json
from pathlib import Path

from cli.inputs import edition_of
from records.positions import PositionRecord, read_positions, to_json
from titles.registry import titles


def test_recorded_positions_are_read_and_written_back(shared: Path) -> None:
    known = {title.info.name for title in titles()}
    paths = [path for path in sorted((shared / "positions").glob("*/*.jsonl")) if path.parent.name in known]
    assert paths
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        for line, record in zip(lines, read_positions([path], edition_of), strict=True):
            assert isinstance(record, PositionRecord), record.error
            told = {
                key: value
                for key, value in json.loads(line).items()
                if key in ("options", "trains") or value not in ({}, [])
            }
            assert to_json(record) == told
