"""The position taken before each run equals the recorded one. Source: shared/positions/FORMAT.md."""

from __future__ import annotations

import pytest

from tests.replays.positions import position_differences
from tests.replays.test_checkpoints import NAMES, needs_records


@needs_records
@pytest.mark.parametrize("name", NAMES)
def test_position_before_each_run_equals_the_recorded_one(name: str) -> None:
    first = next(position_differences(name), None)
    assert first is None, first
