"""Limits, hostile calls, and the one shape of errors."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from board.errors import InputError
from service.faults import Refused
from service.pool import Pool
from service.run import is_loopback, run
from service.settings import Settings
from tests.service.serving import GAME, client_of, example


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client_of(tmp_path_factory.mktemp("store"), position_bytes=50_000, game_bytes=200_000) as found:
        yield found


def fault_of(answer: httpx.Response, status: int) -> dict[str, str]:
    """The first fault of an answer that has the one shape of errors."""
    assert answer.status_code == status, answer.text[:500]
    value = answer.json()
    assert set(value) == {"error"}
    assert value["error"]["status"] == status
    assert all(set(fault) == {"code", "message", "where"} for fault in value["error"]["faults"])
    found: dict[str, str] = value["error"]["faults"][0]
    return found


@pytest.mark.parametrize("path", ["best", "score", "map", "tiles"])
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "malformed-json"),
        (b"{", "malformed-json"),
        (b"null", "wrong-type"),
        (b"[]", "wrong-type"),
        (b"\xff\xfe{\x00}\x00", "not-utf-8"),
        (b'{"position": "\xff"}', "not-utf-8"),
        (b'{"position": ' + b"[" * 500 + b"]" * 500 + b"}", "too-deep"),
        (b'{"position": {}, "file": "/etc/passwd"}', "unknown-key"),
        (b'{"position": {}, "position": {}}', "duplicate-key"),
        (b'{"position": {"title": "../../etc"}}', "missing-key"),
    ],
)
def test_wrong_bodies(client: TestClient, path: str, body: bytes, code: str) -> None:
    fault_of(client.post(f"/api/{path}", content=body), 422)
    codes = [one["code"] for one in client.post(f"/api/{path}", content=body).json()["error"]["faults"]]
    assert code in codes


@pytest.mark.parametrize(
    "wish",
    [
        {"top": 0}, {"top": 1.5}, {"top": "2"}, {"top": True}, {"time_limit": -1}, {"time_limit": 1e9}, {"pin": "text"},
        {"pin": [1]}, {"pin": ["4: nowhere-nothing"]}, {"avoid": ["x" * 600]}, {"without": ["Z99"]},
        {"method": "magic"},
        {"map": 1}, {"bonus_table": {}}, {"pin": ["4: A-B"] * 51},
    ],
)  # fmt: skip
def test_wrong_wishes(client: TestClient, wish: dict[str, Any]) -> None:
    assert fault_of(client.post("/api/best", json={"position": example("1830-erie"), **wish}), 422)["message"]


def test_too_large(client: TestClient) -> None:
    assert fault_of(client.post("/api/best", content=b" " * 50_001), 413)["code"] == "too-large"
    assert fault_of(client.post("/api/games", content=b" " * 200_001), 413)["code"] == "too-large"

    def pieces() -> Iterator[bytes]:  # without a length told beforehand
        for _ in range(60):
            yield b" " * 1000

    assert fault_of(client.post("/api/best", content=pieces()), 413)["code"] == "too-large"


@pytest.mark.parametrize("name", ["..%2F..%2Fetc%2Fpasswd", "%00", "x" * 101, "' OR 1=1 --", "…", "a%0d%0ab"])
def test_ids_that_look_like_paths(client: TestClient, name: str) -> None:
    for rest in ("", "/positions/1", "/turns/1", "/round"):
        assert client.get(f"/api/games/{name}{rest}").status_code in (404, 422)


@pytest.mark.parametrize(
    "path", ["/../app.py", "/..%2fapp.py", "/%2e%2e/app.py", "/examples/../../app.py", "//etc/passwd"]
)
def test_files_outside_the_page_are_not_served(client: TestClient, path: str) -> None:
    fault_of(client.get(path), 404)


def test_wrong_paths_and_methods(client: TestClient) -> None:
    assert fault_of(client.get("/api/nothing"), 404)
    assert fault_of(client.put("/api/best"), 405)
    assert fault_of(client.get("/api/games/g/positions/one"), 422)
    assert fault_of(client.post("/api/map?format=exe", json={"position": example("1830-erie")}), 422)


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "../../etc/passwd"])
def test_scripts_in_names_stay_text(client: TestClient, text: str) -> None:
    position = {**example("1830-erie"), "game": text}
    answer = client.post("/api/best", json={"position": position, "map": True})
    assert answer.headers["content-type"] == "application/json"
    assert "<script" not in answer.json()["svg"]
    assert "<img" not in answer.json()["svg"]
    picture = client.post("/api/map", json={"position": position})
    assert "<script" not in picture.text
    assert "<img" not in picture.text
    game = json.loads(GAME)
    game["players"][0]["name"] = text
    game["id"] = text
    stored = client.post("/api/games", json=game)
    assert stored.status_code in (200, 201)
    assert stored.json()["players"][0]["name"] == text
    assert set(stored.json()["id"]) <= set("0123456789abcdefghijklmnopqrstuvwxyz.")


@pytest.mark.parametrize(
    "body",
    [
        b"{}", b"[]", b'"x"', b"\xff\xfe{\x00}\x00", b"{" * 3000, b"[" * 100 + b"]" * 100, b'{"title": "1830"}',
        b'{"title": "9999", "players": ["A", "B", "C"], "actions": []}',
        b'{"title": "1830", "players": ["A", "B", "C"], "actions": {}}',
        b'{"title": "1830", "players": ["A", "B", "C"], "actions": [], "settings": {"optional_rules": ["rm -rf"]}}',
        b"\x80\x04\x95pickle", b"PK\x03\x04zip",
    ],
)  # fmt: skip
def test_what_is_no_game_is_refused(client: TestClient, body: bytes) -> None:
    fault_of(client.post("/api/games", content=body), 422)


def test_every_answer_carries_the_headers(client: TestClient) -> None:
    for answer in (client.get("/"), client.get("/api/titles"), client.get("/api/nothing"), client.get("/app.js")):
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"


def test_the_page_names_no_outside_resource(client: TestClient) -> None:
    for name in ("/", "/app.js", "/map.js", "/api.js", "/parts.js", "/style.css"):
        text = client.get(name).text
        assert "https://" not in text
        assert text.replace("http://www.w3.org/", "").count("http://") == 0


def test_other_names_and_pages_are_refused(client: TestClient) -> None:
    assert fault_of(client.get("/api/titles", headers={"Host": "evil.example"}), 421)["code"] == "wrong-host"
    answer = client.post("/api/best", content=b"{}", headers={"Origin": "http://evil.example"})
    assert fault_of(answer, 403)["code"] == "wrong-origin"
    assert client.get("/api/titles", headers={"Origin": "http://testserver"}).status_code == 200


def test_a_token_is_asked_for(tmp_path: Path) -> None:
    with client_of(tmp_path, token="a-long-secret-word") as client:
        assert fault_of(client.get("/api/titles"), 401)["code"] == "no-token"
        assert fault_of(client.get("/api/titles", headers={"Authorization": "Bearer wrong"}), 401)
        assert client.get("/api/titles", headers={"Authorization": "Bearer a-long-secret-word"}).status_code == 200
        assert client.get("/").status_code == 200


def test_an_address_that_others_reach_needs_a_token(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="token"):
        run("0.0.0.0", 0, folder=tmp_path)
    with pytest.raises(InputError, match="at least"):
        run("127.0.0.1", 0, folder=tmp_path, token="short")
    with pytest.raises(InputError, match="cannot listen"):
        run("192.0.2.1", 0, folder=tmp_path, token="a-long-secret-word")
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")] == [
        True, True, True, False, False,
    ]  # fmt: skip


def ask_all(pool: Pool, number: int) -> list[int]:
    """The statuses of so many calls at the same time; 200 for those that are answered."""

    async def one() -> int:
        try:
            async for _ in pool.ask("client", {"question": "titles"}, b"", seconds=30):
                pass
        except Refused as refused:
            return refused.status
        return 200

    async def every() -> list[int]:
        try:
            return list(await asyncio.gather(*(one() for _ in range(number))))
        finally:
            await pool.close()

    return asyncio.run(every())


def test_too_many_calls_of_one_client() -> None:
    statuses = ask_all(Pool(Settings(workers=1, per_client=3)), 6)
    assert sorted(statuses) == [200, 200, 200, 429, 429, 429]


def test_too_many_calls_in_all() -> None:
    statuses = ask_all(Pool(Settings(workers=1, waiting=2)), 6)
    assert statuses.count(503) >= 3
    assert 200 in statuses


def test_a_search_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with client_of(tmp_path, most_search_seconds=0.0, search_seconds=0.0, grace_seconds=0.001) as client:
        assert fault_of(client.post("/api/best", json={"position": example("18gb-lnwr")}), 503)["code"] == "too-slow"


def test_the_search_ends_when_the_reader_goes_away() -> None:
    async def leave() -> float:
        pool = Pool(Settings(workers=1))
        body = json.dumps({"position": example("18gb-lnwr")}).encode()
        head = {"question": "best", "seconds": 5, "most_seconds": 5}
        task = asyncio.create_task(anext(pool.ask("one", head, body, seconds=30)))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        start = time.perf_counter()
        async for _ in pool.ask("two", {"question": "titles"}, b"", seconds=30):
            pass
        await pool.close()
        return time.perf_counter() - start

    assert asyncio.run(leave()) < 20


def test_answers_to_many_at_once_are_not_mixed_up(client: TestClient) -> None:
    wrong: list[str] = []

    def ask(name: str, revenue: int) -> None:
        for _ in range(5):
            answer = client.post("/api/best", json={"position": example(name), "top": 2}).json()
            if answer["revenue"] != revenue:
                wrong.append(name)

    cases = [("1830-erie", 380), ("18gb-lnwr", 500)] * 3
    threads = [threading.Thread(target=ask, args=case) for case in cases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
