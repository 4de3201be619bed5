"""Questions about positions: the answers are those of the library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from analysis.as_json import title_to_json
from records.positions import from_json
from routing.claims import check_claim
from routing.solve import solve
from service.questions import edition_of
from tests.service.serving import client_of, example
from titles.registry import get_title, titles

EXAMPLES = ("1830-erie", "18gb-lnwr", "1833ne-frr")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client_of(tmp_path_factory.mktemp("store")) as found:
        yield found


def without_claim(name: str) -> dict[str, Any]:
    position = example(name)
    for key in ("claimed", "claimed_revenue", "known_best"):
        position.pop(key, None)
    return position


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_best_runs_are_those_of_the_library(client: TestClient, name: str) -> None:
    record = from_json(example(name), edition_of)
    problem = get_title(record.position.edition.title).problem(record.position)
    expected = solve(problem)
    answer = client.post("/api/best", json={"position": example(name)}).json()
    assert (answer["revenue"], answer["bound"], answer["proven"]) == (expected.revenue, expected.bound, True)
    assert [route["stops"] for route in answer["routes"]] == [list(route.stops) for route in expected.routes]
    assert (
        sum(route["revenue"] for route in answer["routes"]) + sum(bonus["amount"] for bonus in answer["bonuses"])
        == (answer["revenue"])
    )


def test_an_answer_comes_in_lines(client: TestClient) -> None:
    answer = client.post("/api/best?stream=true", json={"position": example("1830-erie"), "top": 3})
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert lines[-1]["answer"]["revenue"] == 380
    assert len(lines[-1]["answer"]["runner_ups"]) == 2


def test_a_search_without_time_has_a_bound(client: TestClient) -> None:
    answer = client.post("/api/best", json={"position": example("18gb-lnwr"), "time_limit": 0}).json()
    assert answer["revenue"] <= 500 <= answer["bound"]


def test_pins_and_forbidden_routes(client: TestClient) -> None:
    position = without_claim("1830-erie")
    free = client.post("/api/best", json={"position": position}).json()
    pinned = client.post("/api/best", json={"position": position, "pin": ["4: E11.c1-D14"]}).json()
    assert pinned["price_of_pins"] == free["revenue"] - pinned["revenue"] == 120
    avoided = client.post("/api/best", json={"position": position, "avoid": [free["routes"][0]["text"]]}).json()
    assert avoided["revenue"] <= free["revenue"]
    assert free["routes"][0]["text"] not in [route["text"] for route in avoided["routes"]]


@pytest.mark.parametrize("name", EXAMPLES)
def test_routes_as_text_can_be_pinned(client: TestClient, name: str) -> None:
    position = without_claim(name)
    best = client.post("/api/best", json={"position": position}).json()
    texts = [route["text"] for route in best["routes"]]
    pinned = client.post("/api/best", json={"position": position, "pin": texts}).json()
    assert (pinned["revenue"], pinned["price_of_pins"]) == (best["revenue"], 0)


def test_a_claim_is_judged_as_by_the_library(client: TestClient) -> None:
    record = from_json(example("1833ne-frr"), edition_of)
    problem = get_title("1833NE").problem(record.position)
    expected = check_claim(problem, record.claimed)
    answer = client.post("/api/score", json={"position": example("1833ne-frr"), "map": True}).json()
    assert (answer["legal"], answer["revenue"]) == (expected.legal, expected.revenue) == (True, 140)
    assert answer["claimed_revenue"] == 150
    assert answer["svg"].startswith("<svg")


def test_an_illegal_claim_names_its_faults(client: TestClient) -> None:
    routes = ["4: E11.c1-D14", "5: E11.c1-D14"]
    answer = client.post("/api/score", json={"position": without_claim("1830-erie"), "routes": routes}).json()
    assert not answer["legal"]
    assert answer["faults"] or any(route["faults"] for route in answer["routes"])
    assert "repair" in answer


def test_pictures(client: TestClient) -> None:
    svg = client.post("/api/map", json={"position": example("1833ne-frr")})
    assert svg.headers["content-type"] == "image/svg+xml"
    assert 'data-route="0"' in svg.text
    png = client.post("/api/map?format=png", json={"position": example("1830-erie"), "legend": "none"})
    assert png.content.startswith(b"\x89PNG")


def test_tiles_that_may_lie(client: TestClient) -> None:
    answer = client.post("/api/tiles", json={"position": without_claim("1830-erie"), "hex": "E19"}).json()
    assert answer["tiles"]
    position = without_claim("1830-erie")
    for tile in answer["tiles"][:4]:
        for rotation in tile["rotations"]:
            position["tiles"]["E19"] = [tile["tile"], rotation]
            assert client.post("/api/best", json={"position": position}).status_code == 200


def test_what_if_is_that_of_the_library(client: TestClient) -> None:
    answer = client.post("/api/what-if", json={"position": without_claim("1830-erie"), "only": ["D16"]})
    assert answer.status_code == 200, answer.text
    assert answer.json()["before"] == 380
    lay = next(one for one in answer.json()["outcomes"] if one["kind"] in ("lay", "upgrade"))
    position = without_claim("1830-erie")
    position["tiles"][lay["hex"]] = [lay["tile"], lay["rotation"]]
    assert client.post("/api/best", json={"position": position}).json()["revenue"] == lay["revenue"]


def test_titles(client: TestClient) -> None:
    assert client.get("/api/titles").json() == [title_to_json(title) for title in titles()]


def test_every_example_of_the_interface_works(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    tried = 0
    for path, operations in document["paths"].items():
        if "{" in path or "post" not in operations:
            continue
        body = operations["post"]["requestBody"]["content"]["application/json"]["example"]
        answer = client.post(path, json=body)
        assert answer.status_code in (200, 201) or path == "/api/round", (path, answer.text[:300])
        tried += 1
    assert tried >= 6


def test_examples_of_the_page_are_those_of_the_documents() -> None:
    root = Path(__file__).resolve().parents[2]
    for name in EXAMPLES:
        shown = root / "service" / "static" / "examples" / f"{name}.json"
        assert json.loads(shown.read_text(encoding="utf-8")) == example(name)
