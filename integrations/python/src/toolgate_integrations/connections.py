"""How the gate is reached: awaited, or blocking behind the same awaitable methods, so that everything above is written once."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Coroutine, Mapping
from typing import Any, Protocol, TypedDict, TypeVar

import anyio

from toolgate_client import AsyncPermit, AsyncToolgate, Outcome, Permit, Tool, Toolgate

T = TypeVar("T")
REPORT_TIMEOUT = 30.0
"""For how many seconds an outcome is reported, even if the run is being cancelled."""


class GateOptions(TypedDict, total=False):
    """Where the gate is, and as whom to call it: the arguments of ``toolgate_client.Toolgate``. What is left out is taken from
    ``TOOLGATE_URL``, ``TOOLGATE_KEY`` and ``TOOLGATE_AGENT``."""

    url: str
    key: str
    agent: str
    session: str
    project: str
    timeout: float
    max_retries: int


class AuthorizeOptions(TypedDict):
    """The arguments of ``authorize``."""

    tool_call_id: str | None
    request_id: str
    expires_in: int | None
    wait: float | None


class ReportableCall(Protocol):
    """A permit, with what is needed to use it."""

    @property
    def request_id(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    async def succeeded(self, output: Any) -> Outcome: ...

    async def failed(self, error: str, output: Any) -> Outcome: ...


class Connection(Protocol):
    """The part of the gate's API that a framework needs."""

    async def authorize(
        self, tool: str, parameters: Mapping[str, Any], options: AuthorizeOptions
    ) -> ReportableCall: ...

    async def execute(self, tool: str, parameters: Mapping[str, Any], wait: float | None) -> str: ...

    async def tools(self) -> list[Tool]: ...


class _AwaitedPermit:
    """Reports even while its task is being cancelled."""

    def __init__(self, permit: AsyncPermit) -> None:
        self._permit = permit
        self.request_id = permit.request_id
        self.parameters = permit.parameters

    async def succeeded(self, output: Any) -> Outcome:
        with anyio.fail_after(REPORT_TIMEOUT, shield=True):
            return await self._permit.succeeded(output)

    async def failed(self, error: str, output: Any) -> Outcome:
        with anyio.fail_after(REPORT_TIMEOUT, shield=True):
            return await self._permit.failed(error, output)


class AwaitedConnection:
    """A client for each event loop, since connections belong to the loop that opened them."""

    def __init__(self, options: GateOptions) -> None:
        self._options = options
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncToolgate] = weakref.WeakKeyDictionary()

    def _client(self) -> AsyncToolgate:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = self._clients[loop] = AsyncToolgate(**self._options)
        return client

    async def authorize(self, tool: str, parameters: Mapping[str, Any], options: AuthorizeOptions) -> ReportableCall:
        return _AwaitedPermit(await self._client().authorize(tool, parameters, **options))

    async def execute(self, tool: str, parameters: Mapping[str, Any], wait: float | None) -> str:
        return (await self._client().execute(tool, parameters, wait=wait)).data

    async def tools(self) -> list[Tool]:
        return await self._client().tools()


class _BlockingPermit:
    def __init__(self, permit: Permit) -> None:
        self._permit = permit
        self.request_id = permit.request_id
        self.parameters = permit.parameters

    async def succeeded(self, output: Any) -> Outcome:
        return self._permit.succeeded(output)

    async def failed(self, error: str, output: Any) -> Outcome:
        return self._permit.failed(error, output)


class BlockingConnection:
    """The blocking client. Its methods never wait for an event loop, so :func:`finish` runs what is built on them."""

    def __init__(self, options: GateOptions) -> None:
        self._client = Toolgate(**options)

    async def authorize(self, tool: str, parameters: Mapping[str, Any], options: AuthorizeOptions) -> ReportableCall:
        return _BlockingPermit(self._client.authorize(tool, parameters, **options))

    async def execute(self, tool: str, parameters: Mapping[str, Any], wait: float | None) -> str:
        return self._client.execute(tool, parameters, wait=wait).data

    async def tools(self) -> list[Tool]:
        return self._client.tools()


def finish(blocking: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that only makes blocking calls, without an event loop."""
    try:
        blocking.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    blocking.close()
    raise RuntimeError("A blocking call awaited something that needs an event loop")
