"""An answer under way: it is produced on its own, read as it comes, and given up when the reader goes away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

from starlette.requests import Request

from service.faults import Refused, error_bytes
from service.frames import Frame

#: Seconds between looks at whether the client is still there.
_LOOK: Final = 0.25


class ClientGone(Exception):
    """Nobody reads the answer any more."""


class Answering:
    """Reads the messages of an answer in a task of its own."""

    def __init__(self, frames: AsyncGenerator[Frame, None]) -> None:
        self._queue: asyncio.Queue[Frame | BaseException] = asyncio.Queue()
        self._task = asyncio.create_task(self._read(frames))

    async def _read(self, frames: AsyncGenerator[Frame, None]) -> None:
        try:
            async with aclosing(frames):
                async for frame in frames:
                    self._queue.put_nowait(frame)
        except Exception as error:
            self._queue.put_nowait(error)

    async def next(self, request: Request) -> Frame:
        """The next message. Raises :class:`Refused`, or :class:`ClientGone` after the search has been ended."""
        while True:
            try:
                found = await asyncio.wait_for(self._queue.get(), _LOOK)
            except TimeoutError:
                if await request.is_disconnected():
                    self.end()
                    raise ClientGone from None
                continue
            if isinstance(found, BaseException):
                raise found
            return found

    async def last(self, request: Request) -> Frame:
        """The final message; those on the way are passed over."""
        try:
            while (frame := await self.next(request)).head["kind"] != "done":
                pass
            return frame
        finally:
            self.end()

    async def lines(self, request: Request, first: Frame) -> AsyncIterator[bytes]:
        """The answer as lines of JSON: ``{"progress": …}`` any number of times, then ``{"answer": …}`` or an error."""
        frame = first
        try:
            while frame.head["kind"] != "done":
                yield b'{"progress":' + frame.body + b"}\n"
                frame = await self.next(request)
            yield b'{"answer":' + frame.body + b"}\n" if frame.head["status"] == 200 else frame.body + b"\n"
        except Refused as refused:
            yield error_bytes(refused.status, refused.faults) + b"\n"
        except ClientGone:
            return
        finally:
            self.end()

    def end(self) -> None:
        """Give the answer up, if it is not whole yet."""
        self._task.cancel()
