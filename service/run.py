"""Starts the service: ``trackage serve``."""

from __future__ import annotations

import ipaddress
import socket
import sys
from pathlib import Path
from typing import Final

from board.errors import Fault, InputError
from service.settings import Settings, default_folder

#: Shorter tokens can be guessed.
LEAST_TOKEN: Final = 16


def run(host: str, port: int, *, folder: Path | None = None, token: str = "", workers: int = 2) -> None:
    """Serve until interrupted. Raises :class:`InputError` for an address that cannot be used, for one that others can
    reach while no token is set, and for a folder that cannot be written."""
    import uvicorn

    from service.app import create_app

    local = is_loopback(host)
    if not local and not token:
        message = f"others can reach {host}: set a token with --token, or stay on 127.0.0.1"
        raise InputError(Fault("no-token", message, "--host"))
    if token and (len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable()):
        message = f"a token has at least {LEAST_TOKEN} printable ASCII characters"
        raise InputError(Fault("weak-token", message, "--token"))
    hosts = Settings().hosts | {host.lower()} if local else frozenset()
    settings = Settings(folder=folder or default_folder(), token=token, hosts=hosts, workers=workers)
    listener = _listener(host, port)
    app = create_app(settings)
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{listener.getsockname()[1]}/"
    print(f"Trackage serves {url}  (games are kept in {settings.folder}; Ctrl-C ends)", file=sys.stderr, flush=True)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=3,
        limit_concurrency=1_000, h11_max_incomplete_event_size=1 << 16,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[listener])


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _listener(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # told as TCP, so that asyncio sends small answers at once and does not wait to fill a packet
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(512)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"cannot listen on {host} port {port}: {reason}; choose another with --port"
        raise InputError(Fault("cannot-listen", message, "--port")) from error
    return listener
