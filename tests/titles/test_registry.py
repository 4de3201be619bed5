"""Finding titles by name."""

from __future__ import annotations

import pytest

from board.errors import InputError
from titles.registry import get_title, titles


def test_titles_come_in_a_fixed_order() -> None:
    names = [title.info.name for title in titles()]
    assert names[:5] == ["1828", "1830", "1833NE", "1894", "18GB"] or sorted(names, key=str.casefold) == names


@pytest.mark.parametrize(
    ("asked", "found"),
    [("1830", "1830"), ("18gb", "18GB"), ("1833ne", "1833NE"), ("1828.Games", "1828"), ("1828.GAMES", "1828")],
)
def test_a_title_is_found_in_any_case_and_by_its_other_names(asked: str, found: str) -> None:
    assert get_title(asked).info.name == found
    assert get_title(asked) is get_title(found)


@pytest.mark.parametrize("asked", ["1822", "", "../t1830", "t1830", "base", "1830\n"])
def test_an_unknown_title_is_refused_with_the_known_ones(asked: str) -> None:
    with pytest.raises(InputError) as caught:
        get_title(asked)
    assert caught.value.faults[0].code == "unknown-title"
    assert all(title.info.name in str(caught.value) for title in titles())
