"""The HTTP service: calls in, answers of the workers out. It computes nothing by itself."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path as FilePath
from typing import Annotated, Any, Final, Literal

from anyio.to_thread import run_sync
from fastapi import FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import StreamingResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from board.errors import Fault
from service import schema
from service.answering import Answering, ClientGone
from service.faults import Refused, error_bytes
from service.guard import Guard
from service.pool import Pool
from service.settings import Settings
from service.store import Store, StoredGame

_STATIC: Final = FilePath(__file__).parent / "static"
_LINES: Final = "application/x-ndjson"
#: A round asks for the best runs of many companies.
_ROUND_SECONDS: Final = 600.0

GameId = Annotated[str, Path(max_length=100, description="The id that the store gave to the game.")]
Action = Annotated[int, Path(ge=0, le=10**9, description="The id of an action of the game.")]
Stream = Annotated[
    bool, Query(description="Answer in lines of JSON: the best so far while the search goes on, then the answer.")
]


class _Kept:
    """Answers that need not be worked out again, the last ones asked for, within a number of bytes."""

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._answers: OrderedDict[str, tuple[str, bytes]] = OrderedDict()

    def get(self, key: str) -> tuple[str, bytes] | None:
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def put(self, key: str, media: str, body: bytes) -> None:
        if key in self._answers or len(body) > self._most // 8:
            return
        self._answers[key] = media, body
        self._size += len(body)
        while self._size > self._most:
            _, (_, gone) = self._answers.popitem(last=False)
            self._size -= len(gone)


def create_app(settings: Settings) -> FastAPI:
    """The service with its page. The store is opened at once, workers start with it."""
    store = Store(settings.folder, most_games=settings.games)
    pool = Pool(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await pool.warm()
        yield
        await pool.close()
        store.close()

    app = FastAPI(
        title="Trackage",
        version=_version(),
        description="Proven best train runs for 18xx railway board games. Every answer is checked.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_middleware(Guard, settings=settings)
    _answer_errors(app)
    _questions(app, settings, pool)
    _games(app, settings, pool, store)
    app.mount("/", StaticFiles(directory=_STATIC, html=True), name="page")
    return app


def _version() -> str:
    try:
        return version("trackage")
    except PackageNotFoundError:
        return "0"


def _answer_errors(app: FastAPI) -> None:
    def answer(status: int, faults: tuple[Fault, ...], headers: Mapping[str, str] | None = None) -> Response:
        return Response(error_bytes(status, faults), status, dict(headers or {}), "application/json")

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        return answer(error.status, error.faults, error.headers)

    @app.exception_handler(ClientGone)
    async def gone(_: Request, __: ClientGone) -> Response:
        return answer(499, (Fault("client-gone", "the client has gone away"),))

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> Response:
        fault = Fault(f"http-{error.status_code}", str(error.detail))
        return answer(error.status_code, (fault,), error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        faults = tuple(
            Fault("wrong-value", str(one["msg"]), ".".join(str(part) for part in one["loc"])) for one in error.errors()
        )
        return answer(422, faults)

    @app.exception_handler(Exception)
    async def unexpected(_: Request, error: Exception) -> Response:
        message = f"a fault of this program, {type(error).__name__}; please report it, with the input"
        return answer(500, (Fault("internal", message),))


def _client(request: Request) -> str:
    return request.client.host if request.client is not None else ""


# --- positions -----------------------------------------------------------------------------------------------------


def _questions(app: FastAPI, settings: Settings, pool: Pool) -> None:
    kept = _Kept(settings.cache_bytes)
    search = {"seconds": settings.search_seconds, "most_seconds": settings.most_search_seconds}
    longest = settings.most_search_seconds + settings.grace_seconds

    async def ask(request: Request, question: str, *, stream: bool = False, **head: object) -> Response:
        body = await request.body()
        words = {"question": question, **head}
        key = hashlib.sha256(json.dumps(words).encode() + b"\n" + body).hexdigest()
        if (found := kept.get(key)) is not None:
            media, content = found
            if stream:
                return Response(b'{"answer":' + content + b"}\n", 200, media_type=_LINES)
            return Response(content, 200, media_type=media)
        answering = Answering(pool.ask(_client(request), words, body, seconds=longest))
        if stream:
            first = await answering.next(request)
            if first.head["kind"] == "progress":
                return StreamingResponse(answering.lines(request, first), media_type=_LINES)
            frame = first
        else:
            frame = await answering.last(request)
        status, media = int(str(frame.head["status"])), str(frame.head["media"])
        if status == 200 and frame.head["keep"]:
            kept.put(key, media, frame.body)
        if stream and status == 200:
            return Response(b'{"answer":' + frame.body + b"}\n", 200, media_type=_LINES)
        return Response(frame.body, status, media_type=media)

    position = {"position": schema.POSITION}

    @app.post(
        "/api/best",
        summary="The best runs of a position",
        responses={**schema.errors(), **schema.answer("application/json", _LINES)},
        openapi_extra=schema.body(schema.BEST, {**position, "top": 2}),
    )
    async def best(request: Request, stream: Stream = False) -> Response:
        return await ask(request, "best", stream=stream, **search)

    @app.post(
        "/api/score",
        summary="Are claimed runs legal, and what do they earn?",
        responses=schema.errors(),
        openapi_extra=schema.body(schema.SCORE, {**position, "routes": [schema.ROUTE]}),
    )
    async def score(request: Request) -> Response:
        return await ask(request, "score")

    @app.post(
        "/api/map",
        summary="A position as a picture, with the runs that it claims",
        responses={**schema.errors(), **schema.answer("image/svg+xml", "image/png")},
        openapi_extra=schema.body(schema.MAP, position),
    )
    async def picture(request: Request, format: Literal["svg", "png"] = "svg") -> Response:  # noqa: A002
        return await ask(request, "map", format=format)

    @app.post(
        "/api/tiles",
        summary="The tiles that may lie on a hex of a position",
        responses=schema.errors(),
        openapi_extra=schema.body(schema.TILES, {**position, "hex": "E19"}),
    )
    async def tiles(request: Request) -> Response:
        return await ask(request, "tiles")

    @app.post(
        "/api/what-if",
        summary="The best revenue after each tile, token and train that is open to the operator",
        responses=schema.errors(),
        openapi_extra=schema.body(schema.WHAT_IF, {**position, "only": ["E21"]}),
    )
    async def what_if(request: Request) -> Response:
        return await ask(request, "what-if")

    @app.get("/api/titles", summary="What is supported", responses=schema.errors())
    async def titles(request: Request) -> Response:
        return await ask(request, "titles")


# --- games ---------------------------------------------------------------------------------------------------------


def _games(app: FastAPI, settings: Settings, pool: Pool, store: Store) -> None:
    longest = settings.most_search_seconds + settings.grace_seconds

    async def stored(game_id: str) -> StoredGame:
        game = await run_sync(store.get, game_id)
        if game is None:
            raise Refused(404, Fault("unknown-game", "no game is stored under this id", "id"))
        return game

    def of_game(
        request: Request, question: str, game: StoredGame, *, longest: float = longest, **head: object
    ) -> Answering:
        words = {
            "question": question, "digest": game.digest, "game": game.id, "seconds": settings.search_seconds, **head,
        }  # fmt: skip
        return Answering(pool.ask(_client(request), words, game.export, seconds=longest))

    async def answered(request: Request, answering: Answering) -> Response:
        frame = await answering.last(request)
        return Response(frame.body, int(str(frame.head["status"])), media_type="application/json")

    @app.get("/api/games", summary="The games that are stored", responses=schema.errors())
    async def games() -> list[dict[str, object]]:
        return await run_sync(store.games)

    @app.post(
        "/api/games",
        summary="Store a recorded game, or bring one up to date",
        responses={**schema.errors(507), 201: {"description": "Stored"}, 200: {"description": "Brought up to date"}},
        openapi_extra=schema.body(schema.GAME, {"title": "1830", "players": ["A", "B"], "actions": []}),
    )
    async def put(request: Request) -> Response:
        export = await request.body()
        digest = hashlib.sha256(export).hexdigest()
        words = {"question": "game", "digest": digest}
        frame = await Answering(pool.ask(_client(request), words, export, seconds=longest)).last(request)
        if frame.head["status"] != 200:
            return Response(frame.body, int(str(frame.head["status"])), media_type="application/json")
        summary = json.loads(frame.body)
        new = await run_sync(store.put, summary["id"], export, summary)
        return Response(_shown(summary), 201 if new else 200, media_type="application/json")

    @app.get("/api/games/{game_id}", summary="A stored game and its turns", responses=schema.errors(404))
    async def game(game_id: GameId) -> Response:
        return Response(_shown((await stored(game_id)).summary), media_type="application/json")

    @app.delete("/api/games/{game_id}", summary="Forget a game", status_code=204, responses=schema.errors(404))
    async def delete(game_id: GameId) -> Response:
        if not await run_sync(store.delete, game_id):
            raise Refused(404, Fault("unknown-game", "no game is stored under this id", "id"))
        return Response(status_code=204)

    @app.get(
        "/api/games/{game_id}/positions/{action}",
        summary="The position at an action of a game",
        responses=schema.errors(404),
    )
    async def position(request: Request, game_id: GameId, action: Action) -> Response:
        return await answered(request, of_game(request, "position", await stored(game_id), action=action))

    @app.get(
        "/api/games/{game_id}/turns/{action}",
        summary="A turn: position, best runs, what each dividend would bring, and what was done",
        responses={**schema.errors(404), **schema.answer("application/json", _LINES)},
    )
    async def turn(request: Request, game_id: GameId, action: Action, stream: Stream = False) -> Response:
        known = await run_sync(store.turn, game_id, action)
        if known is not None:
            return _whole(known, stream=stream)
        game = await stored(game_id)
        answering = of_game(request, "turn", game, action=action)
        first = await answering.next(request) if stream else await answering.last(request)
        if first.head["kind"] == "progress":
            return StreamingResponse(answering.lines(request, first), media_type=_LINES)
        if first.head["status"] != 200:
            return Response(first.body, int(str(first.head["status"])), media_type="application/json")
        if first.head["keep"]:
            chain = str(json.loads(first.body)["chain"])
            await run_sync(store.put_turn, game_id, game.digest, action, chain, first.body)
        return _whole(first.body, stream=stream)

    @app.get(
        "/api/games/{game_id}/dividends/{action}",
        summary="What each use of a revenue would bring",
        responses=schema.errors(404),
    )
    async def dividends(
        request: Request, game_id: GameId, action: Action, revenue: Annotated[int, Query(ge=0, le=100_000)]
    ) -> Response:
        asked = of_game(request, "dividends", await stored(game_id), action=action, revenue=revenue)
        return await answered(request, asked)

    @app.get(
        "/api/games/{game_id}/what-if/{action}",
        summary="The best revenue after each change that is open after an action, and what others lose",
        responses=schema.errors(404),
    )
    async def what_if(request: Request, game_id: GameId, action: Action) -> Response:
        return await answered(request, of_game(request, "what-if-of-game", await stored(game_id), action=action))

    @app.get(
        "/api/games/{game_id}/round",
        summary="An operating round of a stored game, company after company",
        responses=schema.errors(404),
    )
    async def stored_round(
        request: Request, game_id: GameId, at: Annotated[int | None, Query(ge=0, le=10**9)] = None
    ) -> Response:
        game = await stored(game_id)
        return await answered(request, of_game(request, "round", game, action=at, longest=_ROUND_SECONDS))

    @app.post(
        "/api/round",
        summary="An operating round of a game that is sent along and not stored",
        responses=schema.errors(),
        openapi_extra=schema.body(schema.GAME, {"title": "1830", "players": ["A", "B"], "actions": []}),
    )
    async def sent_round(request: Request, at: Annotated[int | None, Query(ge=0, le=10**9)] = None) -> Response:
        export = await request.body()
        game = StoredGame("", hashlib.sha256(export).hexdigest(), export, {})
        return await answered(request, of_game(request, "round", game, action=at, longest=_ROUND_SECONDS))


def _whole(body: bytes, *, stream: bool) -> Response:
    if stream:
        return Response(b'{"answer":' + body + b"}\n", media_type=_LINES)
    return Response(body, media_type="application/json")


def _shown(summary: Mapping[str, Any]) -> bytes:
    """A game as it is told to clients: without what only the store needs."""
    turns = [{key: value for key, value in turn.items() if key != "chain"} for turn in summary["turns"]]
    return json.dumps({**summary, "turns": turns}, ensure_ascii=False).encode("utf-8", "replace")
