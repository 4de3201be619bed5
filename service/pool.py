"""A bounded number of worker processes, and the calls that wait for one of them.

A call whose reader has gone away, or that takes too long, is ended by killing its worker; another one is started in its
place when it is needed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from board.errors import Fault
from service.faults import Refused
from service.frames import Frame, head_of, packed
from service.settings import Settings

_LONGEST_HEAD: Final = 1 << 16
_GONE: Final = Fault("internal", "the search ended unexpectedly; please report it, with the input")


class _Worker:
    """A process that answers one question at a time."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> asyncio.subprocess.Process:
        """The running process, started where there is none."""
        if self._process is None or self._process.returncode is not None:
            self._process = await _started()
        return self._process

    async def ask(self, frame: Frame) -> AsyncGenerator[Frame, None]:
        """The messages of an answer; the last one is of the kind ``done``."""
        process = await self.start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(packed(frame))
            await process.stdin.drain()
            while True:
                head, length = head_of(await process.stdout.readuntil(b"\n"))
                yield Frame(head, await process.stdout.readexactly(length))
                if head["kind"] == "done":
                    return
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            await self.kill()
            raise Refused(500, _GONE) from error

    async def kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _started() -> asyncio.subprocess.Process:
    root = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "service.worker",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        limit=_LONGEST_HEAD,
    )


class Pool:
    """The workers. Raises :class:`Refused`: 429 for too many calls of one client, 503 for too many in all."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._idle: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        self._workers = [_Worker() for _ in range(settings.workers)]
        for worker in self._workers:
            self._idle.put_nowait(worker)
        self._waiting = 0
        self._of_client: Counter[str] = Counter()

    async def warm(self) -> None:
        """Start the workers, so that the first call need not wait for them."""
        for worker in self._workers:
            await worker.start()

    async def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            await worker.kill()

    async def ask(
        self, client: str, head: Mapping[str, object], body: bytes, *, seconds: float
    ) -> AsyncGenerator[Frame, None]:
        """The messages of an answer. Whoever stops reading early ends the search."""
        async with self._place(client) as worker:
            whole = False
            answer = worker.ask(Frame(head, body))
            try:
                async with asyncio.timeout(seconds):
                    async for frame in answer:
                        whole = frame.head["kind"] == "done"
                        yield frame
            except TimeoutError:
                message = f"no answer within {seconds:g} seconds; ask with a shorter time_limit"
                raise Refused(503, Fault("too-slow", message), {"Retry-After": "5"}) from None
            finally:
                if not whole:
                    await asyncio.shield(worker.kill())

    @asynccontextmanager
    async def _place(self, client: str) -> AsyncIterator[_Worker]:
        settings = self._settings
        if self._of_client[client] >= settings.per_client:
            message = f"more than {settings.per_client} calls at the same time from one address"
            raise Refused(429, Fault("too-many-calls", message), {"Retry-After": "1"})
        if self._waiting >= settings.waiting:
            message = f"{settings.waiting} calls are waiting already; try again in a moment"
            raise Refused(503, Fault("busy", message), {"Retry-After": "2"})
        self._of_client[client] += 1
        try:
            self._waiting += 1
            try:
                worker = await asyncio.wait_for(self._idle.get(), settings.waiting_seconds)
            except TimeoutError:
                message = "no place within the time to wait; try again in a moment"
                raise Refused(503, Fault("busy", message), {"Retry-After": "5"}) from None
            finally:
                self._waiting -= 1
            try:
                yield worker
            finally:
                self._idle.put_nowait(worker)
        finally:
            self._of_client[client] -= 1
            if not self._of_client[client]:
                del self._of_client[client]
