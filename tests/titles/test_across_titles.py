"""A title's exceptional rules are bound to that title. Source: field case F28."""

from __future__ import annotations

import pytest

from board.hexes import StopId
from board.trains import StopKind
from tests.titles.turns import earned, pretended, turn
from titles.registry import get_title

#: A title, a phase, the company that runs, a train that counts all it visits, and the number of players.
TURNS = {
    "1830": ("5", "PRR", "6", 4),
    "1894": ("Brown", "Est", "6", 4),
    "18GB": ("4+2", "NER", "5+2", 5),
    "1828": ("Brown", "B&M", "6", 4),
    "1833NE": ("III", "RR", "3+3", 4),
    "1846": ("III", "NYC", "6", 5),
}
#: Where a title has a rule of its own: hexes and the titles in which they mean something.
SPECIAL = {
    "A10": "1894", "A12": "1894 1833NE", "I18": "1894", "C18": "1894", "G6": "1894",
    "B8": "1846", "C5": "1846", "D6": "1846", "I1": "1846", "H12": "1846", "G19": "1846",
    "K0": "18GB", "E14": "18GB", "J13": "18GB", "C14": "18GB", "I4": "18GB", "C22": "18GB",
    "K11": "1828", "A6": "1833NE", "C26": "1833NE", "G22": "1833NE", "B3": "1833NE",
}  # fmt: skip


@pytest.mark.parametrize("name", TURNS)
def test_special_hexes_of_other_titles_mean_nothing_here(name: str) -> None:
    phase, operator, train, players = TURNS[name]
    position = turn(name, phase, operator, train, players=players)
    title = get_title(name)
    rules = title.route_rules(position)
    foreign = {hex_id for hex_id, owners in SPECIAL.items() if name not in owners.split()}
    assert not any(stop.hex in foreign for stop in (*rules.closed, *rules.groups, *rules.as_token))
    stops = [stop for hex_id in foreign for stop in position.stops_on(StopId(f"{hex_id}.c0").hex)]
    away = next(stop for stop, part in position.stops.items() if part.kind is StopKind.CITY and stop.hex not in SPECIAL)
    for stop in stops:
        assert earned(title.bonuses(position), pretended(position, train, f"{stop} {away}")) == {}


def test_1830_adds_nothing() -> None:
    position = turn("1830", "5", "PRR", "6")
    title = get_title("1830")
    assert not title.bonuses(position)
    assert not title.notices(position)
    rules = title.route_rules(position)
    assert not rules.closed
    assert not rules.groups
    assert rules.token_required
    assert position.groups(StopId("A9.o0")) == position.groups(StopId("A11.o0")) == ("Canada",)
    assert position.groups(StopId("I1.o0")) == position.groups(StopId("J2.o0")) == ("Gulf",)


def test_no_title_module_names_another_title() -> None:
    import re
    from importlib.resources import files

    from titles.registry import titles

    names = {title.info.name for title in titles()}
    for title in titles():
        folder = files(f"titles.{title.package}")  # type: ignore[attr-defined]
        for file in folder.iterdir():
            if file.name.endswith(".py"):
                imported = re.findall(r"titles\.(t[0-9a-z]+)", file.read_text(encoding="utf-8"))
                assert set(imported) <= {title.package}, file.name  # type: ignore[attr-defined]
    assert len(names) >= 5
