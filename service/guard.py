"""What every call passes first: names, token, size of the body; and the headers that every answer carries."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final

from board.errors import Fault
from service.faults import Refused, error_bytes
from service.settings import Settings

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

#: Nothing from elsewhere is loaded, and nobody else may show the page or read its answers.
HEADERS: Final[tuple[tuple[bytes, bytes], ...]] = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)


class Guard:
    """ASGI middleware; answers by itself what does not pass."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message.get("headers", ()), *HEADERS]
                if scope["path"].startswith("/api"):
                    message["headers"].append((b"cache-control", b"no-store"))
                else:
                    message["headers"].append((b"cache-control", b"no-cache"))
            await send(message)

        try:
            self._check(scope)
            await self._app(scope, _limited(receive, self._most(scope), scope), with_headers)
        except Refused as refused:
            if started:
                raise
            await _refuse(refused, with_headers)

    def _check(self, scope: MutableMapping[str, Any]) -> None:
        headers = {name.lower(): value for name, value in scope["headers"]}
        host = headers.get(b"host", b"").decode("latin-1").lower()
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if self._settings.hosts and name not in self._settings.hosts:
            message = "the service is not called by this name; use the address that it printed at its start"
            raise Refused(421, Fault("wrong-host", message, "Host"))
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        if origin and origin.partition("://")[2] != host:
            raise Refused(403, Fault("wrong-origin", "other pages may not call the service", "Origin"))
        if self._settings.token and scope["path"].startswith("/api"):
            told = headers.get(b"authorization", b"")
            if not hmac.compare_digest(told, b"Bearer " + self._settings.token.encode()):
                message = "a token is needed: Authorization: Bearer TOKEN"
                raise Refused(401, Fault("no-token", message, "Authorization"), {"WWW-Authenticate": "Bearer"})
        told_length = headers.get(b"content-length", b"0")
        if told_length.isdigit() and int(told_length) > self._most(scope):
            raise _too_large(self._most(scope))

    def _most(self, scope: MutableMapping[str, Any]) -> int:
        path = scope["path"].rstrip("/")
        return self._settings.game_bytes if path in ("/api/games", "/api/round") else self._settings.position_bytes


def _too_large(most: int) -> Refused:
    message = f"the body is larger than {most:,} bytes"
    return Refused(413, Fault("too-large", message, "body"), {"Connection": "close"})


def _limited(receive: Receive, most: int, scope: MutableMapping[str, Any]) -> Receive:
    """The same stream of messages; raises :class:`Refused` as soon as more has come than may."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise _too_large(most)
        return message

    return limited


async def _refuse(refused: Refused, send: Send) -> None:
    headers: Iterable[tuple[bytes, bytes]] = (
        (b"content-type", b"application/json"),
        *((name.lower().encode(), value.encode()) for name, value in refused.headers.items()),
    )
    await send({"type": "http.response.start", "status": refused.status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": error_bytes(refused.status, refused.faults)})
