"""Event streams. As context managers, they are connected for the whole block."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Generic, TypeVar

import httpx

from . import transport
from .events import EventParser
from .wire import Request, error

if TYPE_CHECKING:
    from .aio import AsyncToolgate
    from .sync import Toolgate

E = TypeVar("E")


class EventStream(Generic[E]):
    """Events as they happen. In a ``with`` block, the stream contains all events since the beginning of the block."""

    def __init__(self, gate: Toolgate, request: Request, parser: EventParser[E]) -> None:
        self._gate, self._request, self._parser = gate, request, parser
        self._answer: httpx.Response | None = None

    def __enter__(self) -> EventStream[E]:
        self._connected()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the stream."""
        if self._answer is not None:
            self._answer.close()
            self._answer = None

    def _connected(self) -> httpx.Response:
        if self._answer is None:
            http = self._gate._http
            try:
                answer = http.send(http.build_request(**self._gate._arguments(self._request)), stream=True)
                if answer.status_code != 200:
                    raise error(transport.response(answer, answer.read()))
            except httpx.TransportError as problem:
                raise transport.connection_failed(self._gate._settings, problem) from problem
            self._answer = answer
        return self._answer

    def __iter__(self) -> Iterator[E]:
        try:
            for text in self._connected().iter_text():
                yield from self._parser.feed(text)
        except httpx.TransportError as problem:
            raise transport.connection_failed(self._gate._settings, problem) from problem
        finally:
            self.close()


class AsyncEventStream(Generic[E]):
    """The same, for ``async with`` and ``async for``."""

    def __init__(self, gate: AsyncToolgate, request: Request, parser: EventParser[E]) -> None:
        self._gate, self._request, self._parser = gate, request, parser
        self._answer: httpx.Response | None = None

    async def __aenter__(self) -> AsyncEventStream[E]:
        await self._connected()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the stream."""
        if self._answer is not None:
            await self._answer.aclose()
            self._answer = None

    async def _connected(self) -> httpx.Response:
        if self._answer is None:
            http = self._gate._http
            try:
                answer = await http.send(http.build_request(**self._gate._arguments(self._request)), stream=True)
                if answer.status_code != 200:
                    raise error(transport.response(answer, await answer.aread()))
            except httpx.TransportError as problem:
                raise transport.connection_failed(self._gate._settings, problem) from problem
            self._answer = answer
        return self._answer

    async def __aiter__(self) -> AsyncIterator[E]:
        try:
            async for text in (await self._connected()).aiter_text():
                for event in self._parser.feed(text):
                    yield event
        except httpx.TransportError as problem:
            raise transport.connection_failed(self._gate._settings, problem) from problem
        finally:
            await self.close()
