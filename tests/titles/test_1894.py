"""1894: London and its ferry, the London bonus, Luxembourg, the Netherlands, Paris. Source: digest 1894 section 7."""

from __future__ import annotations

import pytest

from board.hexes import StopId
from board.position import Position
from bonuses.of_route import HighestStopBonus
from tests.titles.turns import bonus_items, codes, run, turn
from titles.registry import get_title

CALAIS_LONDON_DUNKERQUE = "B9.c0 A10.c0 B11.c0"


def london(*, ferry: bool = True, bonus_token: bool = False, phase: str = "Brown") -> Position:
    """Est in Calais, joined to London and by London to Dunkerque."""
    return turn(
        "1894",
        phase,
        "Est",
        "4",
        tiles={"B9": ("57", 0), "B11": ("57", 2)},
        tokens={"B9.c0": "Est"} | ({"A12.c0": "Est"} if bonus_token else {}),
        markers={"ferry": ["Est"] if ferry else ["Nord"]},
    )


@pytest.mark.parametrize(("phase", "value"), [("Yellow", 30), ("Blue", 30), ("Brown", 80), ("Purple", 80)])
def test_a_ferry_opens_london_which_may_be_passed(phase: str, value: int) -> None:
    verdict = run(london(phase=phase), ("4", CALAIS_LONDON_DUNKERQUE))
    assert verdict.legal
    assert verdict.revenue == 20 + value + 20
    assert not bonus_items(verdict)


def test_without_a_ferry_no_route_touches_london() -> None:
    position = london(ferry=False)
    verdict = run(position, ("4", "B9.c0 A10.c0"))
    assert not verdict.legal
    reason = get_title("1894").route_rules(position).closed[StopId("A10.c0")]
    assert "ferry marker" in reason
    assert "Est" in reason


def test_the_bonus_box_is_no_stop_of_a_run() -> None:
    for ferry in (True, False):
        rules = get_title("1894").route_rules(london(ferry=ferry, bonus_token=True))
        assert StopId("A12.c0") in rules.closed


def test_a_token_in_the_box_adds_the_highest_other_stop() -> None:
    """London's own 80 is not copied, however high."""
    verdict = run(london(bonus_token=True), ("4", CALAIS_LONDON_DUNKERQUE))
    assert bonus_items(verdict) == [("London bonus", 20)]
    assert verdict.revenue == 20 + 80 + 20 + 20


def test_the_london_bonus_belongs_to_the_token_and_not_to_a_private() -> None:
    position = turn(
        "1894", "Brown", "Est", "4",
        tiles={"B9": ("57", 0)}, tokens={"B9.c0": "Est", "A12.c0": "Nord"}, markers={"ferry": ["Est"]},
        privates={"LS": ("Est", True)},
    )  # fmt: skip
    assert bonus_items(run(position, ("4", "B9.c0 A10.c0"))) == []


def luxembourg_to_the_netherlands(phase: str = "Brown") -> Position:
    return turn(
        "1894", phase, "Belge", "5+1",
        tiles={"H17": ("14", 2), "F17": ("8", 3), "E18": ("8", 0), "D17": ("14", 2)},
        tokens={"D17.c0": "Belge"},
    )  # fmt: skip


def test_luxembourg_copies_the_highest_stop_and_the_netherlands_pay_for_another_exit() -> None:
    verdict = run(luxembourg_to_the_netherlands(), ("5+1", "I18.o0 H17.c0 G18.c0 D17.c0 C18.o0"))
    assert verdict.legal
    assert bonus_items(verdict) == [("Luxembourg", 40), ("Netherlands", 100)]
    assert verdict.revenue == 0 + 30 + 30 + 30 + 40 + 140


def test_the_netherlands_alone_pay_no_bonus() -> None:
    verdict = run(luxembourg_to_the_netherlands(), ("5+1", "C18.o0 D17.c0 G18.c0"))
    assert bonus_items(verdict) == []


def test_luxembourg_copies_london_at_its_base_value() -> None:
    position = london(bonus_token=True)
    luxembourg = next(
        bonus
        for bonus in get_title("1894").bonuses(position)
        if isinstance(bonus, HighestStopBonus) and StopId("I18.o0") in bonus.trigger
    )
    assert luxembourg.values[StopId("A10.c0")] == 80


def test_a_route_visits_paris_once() -> None:
    position = turn(
        "1894", "Green", "PLM", "3",
        tiles={"G6": ("X4", 0), "F3": ("7", 4), "F5": ("8", 5)},
        tokens={"G6.c0": "PLM"},
    )  # fmt: skip
    assert run(position, ("3", "G6.c0 G4.c0")).legal
    assert "group-twice" in codes(run(position, ("3", "G6.c0 G4.c0 G6.c1")))


def test_a_split_city_may_hold_tokens_beside_its_slot() -> None:
    position = turn(
        "1894", "Brown", "Est", "2", tiles={"E10": ("X16", 0)}, tokens={"E10.c0": "Nord Est", "E10.c1": "AG"}
    )
    assert not position.blocks(StopId("E10.c0"))
    assert position.blocks(StopId("E10.c1"))
