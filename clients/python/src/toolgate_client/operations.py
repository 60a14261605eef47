"""Operations of resources, written once: the same method blocks on ``Toolgate`` and is awaited on ``AsyncToolgate``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from . import wire
from .events import EventParser
from .flows import Flow, Flows
from .records import Record
from .streams import AsyncEventStream, EventStream
from .wire import Request

if TYPE_CHECKING:
    from .aio import AsyncToolgate
    from .sync import Toolgate

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", bound=Record)


class Resource:
    """A part of the server's API."""

    _flows: Flows


class SyncResource(Resource):
    def __init__(self, gate: Toolgate) -> None:
        self._gate = gate
        self._flows = gate._flows


class AsyncResource(Resource):
    def __init__(self, gate: AsyncToolgate) -> None:
        self._gate = gate
        self._flows = gate._flows


class operation(Generic[P, T]):
    """Decorates a method that is written as a flow."""

    def __init__(self, flow: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        self._flow = flow
        functools.update_wrapper(self, flow)  # type: ignore[arg-type]

    @overload
    def __get__(self, instance: SyncResource, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, instance: AsyncResource, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, instance: None, owner: type) -> operation[P, T]: ...

    def __get__(self, instance: SyncResource | AsyncResource | None, owner: type) -> Any:
        if instance is None:
            return self

        def bound(*args: P.args, **keywords: P.kwargs) -> Any:
            return instance._gate._run(self._flow(instance, *args, **keywords))

        return _documented(bound, self._flow)


class Pages(Generic[R]):
    """A list that is read page by page while it is iterated over."""

    def __init__(self, gate: Toolgate, request: Request, record: type[R]) -> None:
        self._gate, self._request, self._record = gate, request, record

    def __iter__(self) -> Iterator[R]:
        request: Request | None = self._request
        while request is not None:
            answer = self._gate._run(self._gate._flows.send(request))
            yield from map(self._record, wire.checked(answer))
            request = wire.next_page(answer, request)


class AsyncPages(Generic[R]):
    """The same, for ``async for``."""

    def __init__(self, gate: AsyncToolgate, request: Request, record: type[R]) -> None:
        self._gate, self._request, self._record = gate, request, record

    async def __aiter__(self) -> AsyncIterator[R]:
        request: Request | None = self._request
        while request is not None:
            answer = await self._gate._run(self._gate._flows.send(request))
            for each in map(self._record, wire.checked(answer)):
                yield each
            request = wire.next_page(answer, request)


class listing(Generic[P, R]):
    """Decorates a method that returns the request of a list; the result iterates over all pages."""

    def __init__(self, record: type[R], request: Callable[Concatenate[Any, P], Request]) -> None:
        self._record, self._request = record, request
        functools.update_wrapper(self, request)  # type: ignore[arg-type]

    @staticmethod
    def of(record: type[R]) -> Callable[[Callable[Concatenate[Any, P], Request]], listing[P, R]]:
        return lambda request: listing(record, request)

    @overload
    def __get__(self, instance: SyncResource, owner: type) -> Callable[P, Pages[R]]: ...
    @overload
    def __get__(self, instance: AsyncResource, owner: type) -> Callable[P, AsyncPages[R]]: ...
    @overload
    def __get__(self, instance: None, owner: type) -> listing[P, R]: ...

    def __get__(self, instance: SyncResource | AsyncResource | None, owner: type) -> Any:
        if instance is None:
            return self

        def bound(*args: P.args, **keywords: P.kwargs) -> Any:
            request = self._request(instance, *args, **keywords)
            if isinstance(instance, SyncResource):
                return Pages(instance._gate, request, self._record)
            return AsyncPages(instance._gate, request, self._record)

        return _documented(bound, self._request)


class stream(Generic[P, R]):
    """Decorates a method that returns the request of a stream; the result iterates over events as they happen."""

    def __init__(self, record: Callable[[str, Any], R | None], request: Callable[Concatenate[Any, P], Request]) -> None:
        self._record, self._request = record, request
        functools.update_wrapper(self, request)  # type: ignore[arg-type]

    @staticmethod
    def of(record: Callable[[str, Any], R | None]) -> Callable[[Callable[Concatenate[Any, P], Request]], stream[P, R]]:
        return lambda request: stream(record, request)

    @overload
    def __get__(self, instance: SyncResource, owner: type) -> Callable[P, EventStream[R]]: ...
    @overload
    def __get__(self, instance: AsyncResource, owner: type) -> Callable[P, AsyncEventStream[R]]: ...
    @overload
    def __get__(self, instance: None, owner: type) -> stream[P, R]: ...

    def __get__(self, instance: SyncResource | AsyncResource | None, owner: type) -> Any:
        if instance is None:
            return self

        def bound(*args: P.args, **keywords: P.kwargs) -> Any:
            request = self._request(instance, *args, **keywords)
            parser = EventParser(self._record)
            if isinstance(instance, SyncResource):
                return EventStream(instance._gate, request, parser)
            return AsyncEventStream(instance._gate, request, parser)

        return _documented(bound, self._request)


def _documented(bound: Callable[..., Any], source: Callable[..., Any]) -> Callable[..., Any]:
    functools.update_wrapper(bound, source)
    signature = inspect.signature(source)
    bound.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])  # type: ignore[attr-defined]
    return bound
