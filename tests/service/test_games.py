"""Stored games: kept, brought up to date, answered turn by turn, and there after kill -9."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from analysis.games import opening, problems_of
from analysis.operating_round import evaluated_round
from records.games_18xx import game_from
from service.store import Store
from tests.service.serving import GAME, Process, client_of, example, until


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client_of(tmp_path_factory.mktemp("store")) as found:
        yield found


@pytest.fixture(scope="module")
def stored(client: TestClient) -> dict[str, Any]:
    answer = client.post("/api/games", content=GAME)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def runs(game: dict[str, Any]) -> list[int]:
    return [turn["action"] for turn in game["turns"] if turn["run"]]


def shorter(number: int) -> bytes:
    """The game as it was when so many actions had been taken."""
    value = json.loads(GAME)
    value["actions"] = value["actions"][:number]
    for key in ("result", "game_end_reason"):
        value.pop(key, None)
    value["status"] = "active"
    return json.dumps(value).encode()


def test_a_game_is_listed_and_told(client: TestClient, stored: dict[str, Any]) -> None:
    assert stored["id"] in [one["id"] for one in client.get("/api/games").json()]
    assert client.get(f"/api/games/{stored['id']}").json() == stored
    assert stored["title"] == "1830"
    assert runs(stored)


def test_turns_are_those_of_the_round(client: TestClient, stored: dict[str, Any]) -> None:
    game = game_from(json.loads(GAME))
    expected = list(evaluated_round(game, opening(game), problems_of("1830"), at=runs(stored)[-1]))
    ran = [turn for turn in expected if turn.action is not None]
    assert ran
    for turn in ran:
        answer = client.get(f"/api/games/{stored['id']}/turns/{turn.action}").json()
        assert answer["best"]["revenue"] == turn.best.revenue
        assert [(one["kind"], one["price_after"]) for one in answer["options"]] == [
            (one.kind, one.price_after) for one in turn.options
        ]
        assert turn.done is not None
        assert answer["done"]["revenue"] == turn.done.revenue
    answer = client.get(f"/api/games/{stored['id']}/round").json()["turns"]
    assert [one["company"] for one in answer][-1] == list(evaluated_round(game, opening(game), problems_of("1830")))[
        -1
    ].company


def test_positions_can_be_asked_again(client: TestClient, stored: dict[str, Any]) -> None:
    action = runs(stored)[-1]
    position = client.get(f"/api/games/{stored['id']}/positions/{action}").json()
    turn = client.get(f"/api/games/{stored['id']}/turns/{action}").json()
    assert turn["position"] == position
    best = client.post("/api/best", json={"position": position}).json()
    assert best["revenue"] == turn["best"]["revenue"]
    assert client.get(f"/api/games/{stored['id']}/positions/999999").status_code == 422


def test_dividends_of_another_revenue(client: TestClient, stored: dict[str, Any]) -> None:
    action = runs(stored)[-1]
    answer = client.get(f"/api/games/{stored['id']}/dividends/{action}?revenue=100").json()
    assert {one["kind"] for one in answer["options"]} == {"payout", "withhold"}
    assert all(one["revenue"] == 100 for one in answer["options"])


def test_a_further_export_updates_the_game(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        whole = json.loads(GAME)["actions"]
        first = client.post("/api/games", content=shorter(len(whole) - 60)).json()
        early = runs(first)[0]
        known = client.get(f"/api/games/{first['id']}/turns/{early}").json()
        answer = client.post("/api/games", content=GAME)
        assert (answer.status_code, answer.json()["id"]) == (200, first["id"])
        assert len(answer.json()["turns"]) > len(first["turns"])
        assert len(client.get("/api/games").json()) == 1
        store = Store(tmp_path, most_games=9)
        assert json.loads(store.turn(first["id"], early) or b"null") == known  # not worked out again
        store.close()


def test_another_beginning_drops_what_was_known(tmp_path: Path) -> None:
    store = Store(tmp_path, most_games=9)
    store.put("g", b"one", {"title": "T", "turns": [{"chain": "a"}, {"chain": "b"}]})
    digest = store.get("g").digest  # type: ignore[union-attr]
    store.put_turn("g", digest, 1, "a", b"1")
    store.put_turn("g", digest, 2, "b", b"2")
    store.put_turn("g", "of an older export", 3, "c", b"3")
    store.put("g", b"two", {"title": "T", "turns": [{"chain": "a"}, {"chain": "x"}]})
    assert [store.turn("g", action) for action in (1, 2, 3)] == [b"1", None, None]
    assert store.delete("g")
    assert store.turn("g", 1) is None


def test_a_game_can_be_forgotten(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        game = client.post("/api/games", content=GAME).json()
        assert client.delete(f"/api/games/{game['id']}").status_code == 204
        assert client.get(f"/api/games/{game['id']}").status_code == 404
        assert client.delete(f"/api/games/{game['id']}").status_code == 404


def test_a_game_that_breaks_off_is_shown_so_far(tmp_path: Path) -> None:
    value = json.loads(GAME)
    value["actions"].insert(-5, {**value["actions"][0], "id": value["actions"][-6]["id"]})
    for number, action in enumerate(value["actions"], start=1):
        action["id"] = number
    with client_of(tmp_path) as client:
        answer = client.post("/api/games", json=value)
        assert answer.status_code == 201
        assert answer.json()["faults"]
        assert answer.json()["turns"]


def test_the_store_is_full(tmp_path: Path) -> None:
    with client_of(tmp_path, games=0) as client:
        answer = client.post("/api/games", content=GAME)
        assert (answer.status_code, answer.json()["error"]["faults"][0]["code"]) == (507, "store-full")


def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    with Process(tmp_path) as service:
        stop = threading.Event()

        def upload() -> None:
            value = json.loads(GAME)
            for number in range(1000):
                value["id"] = f"game-{number}"
                try:
                    answer = httpx.post(f"{service.url}api/games", json=value, timeout=120)
                except httpx.HTTPError:
                    return
                if answer.status_code == 201:
                    acknowledged.append(answer.json()["id"])
                if stop.is_set():
                    return

        thread = threading.Thread(target=upload)
        thread.start()
        until(lambda: len(acknowledged) >= 3)
        service.kill()
        stop.set()
        thread.join()
    with Process(tmp_path) as service:
        games = {one["id"] for one in httpx.get(f"{service.url}api/games", timeout=120).json()}
        assert games >= set(acknowledged)
        for game in acknowledged:
            assert httpx.get(f"{service.url}api/games/{game}", timeout=120).json()["turns"]


def test_killed_during_a_search_the_store_is_whole(tmp_path: Path) -> None:
    with Process(tmp_path) as service:
        game = httpx.post(f"{service.url}api/games", content=GAME, timeout=120).json()
        answered: list[int] = []
        broken: list[str] = []

        def search(number: int) -> None:
            """Ask for one search after another, each of a game of its own, so that none is answered from memory."""
            try:
                for again in range(100_000):
                    position = {**example("1830-erie"), "game": f"{number}-{again}"}
                    answer = httpx.post(f"{service.url}api/what-if", json={"position": position}, timeout=120)
                    answered.append(answer.status_code)
            except httpx.HTTPError as error:
                broken.append(type(error).__name__)

        # more than the workers can take at a time: whenever the kill comes, searches are under way and others wait
        threads = [threading.Thread(target=search, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        until(lambda: len(answered) >= 2)
        service.kill()
        for thread in threads:
            thread.join()
        assert len(broken) == len(threads)
        assert set(answered) == {200}
    with Process(tmp_path) as service:
        assert httpx.get(f"{service.url}api/games/{game['id']}", timeout=120).json() == game


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    import sqlite3

    from board.errors import InputError

    data = sqlite3.connect(tmp_path / "trackage.sqlite")
    data.execute("PRAGMA user_version=99")
    data.close()
    with pytest.raises(InputError, match="another version"):
        Store(tmp_path, most_games=1)
