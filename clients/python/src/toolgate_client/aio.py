"""The client for asyncio and Trio: :mod:`.sync` with everything awaited."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import anyio
import httpx

from . import transport
from .artifacts import AsyncArtifacts
from .flows import DEFAULT_WAIT, Effect, Flow, Flows, Save, Send, Settings, Sleep
from .outcomes import Authorized, Outcome, ToolResult, Validation
from .permits import AsyncPermit
from .records import Tool
from .resources import (
    AsyncAgents,
    AsyncApprovals,
    AsyncAudit,
    AsyncExternalTools,
    AsyncKeys,
    AsyncPermissions,
    AsyncSessions,
)
from .wire import Request, Response

T = TypeVar("T")


class AsyncToolgate:
    """A client of the gate: :class:`toolgate_client.Toolgate` with everything awaited."""

    def __init__(
        self,
        *,
        url: str | None = None,
        key: str | None = None,
        agent: str | None = None,
        session: str | None = None,
        project: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._settings = Settings.of(url, key, agent, session, project, timeout, max_retries)
        self._flows = Flows(self._settings)
        self._owned = http_client is None
        self._http = http_client or httpx.AsyncClient(**transport.client_options(self._settings))

    async def execute(
        self,
        tool: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        operation: str = "call",
        agent: str | None = None,
        request_id: str | None = None,
        wait: float | None = DEFAULT_WAIT,
    ) -> ToolResult:
        """Like :meth:`toolgate_client.Toolgate.execute`."""
        return await self._run(self._flows.execute(tool, parameters, operation, agent, request_id, wait))

    async def submit(
        self,
        tool: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        operation: str = "call",
        agent: str | None = None,
        request_id: str | None = None,
    ) -> Outcome:
        """Like :meth:`toolgate_client.Toolgate.submit`."""
        return await self._run(self._flows.submit(tool, parameters, operation, agent, request_id))

    async def collect(
        self, request_id: str, *, agent: str | None = None, wait: float | None = None
    ) -> Outcome | Authorized:
        """Like :meth:`toolgate_client.Toolgate.collect`."""
        return await self._run(self._flows.collect(request_id, agent, wait))

    async def validate(
        self,
        tool: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        operation: str = "call",
        agent: str | None = None,
    ) -> Validation:
        """Like :meth:`toolgate_client.Toolgate.validate`."""
        return await self._run(self._flows.validate(tool, parameters, operation, agent))

    async def tools(self, agent: str | None = None) -> list[Tool]:
        """Like :meth:`toolgate_client.Toolgate.tools`."""
        return await self._run(self._flows.tools(agent))

    async def authorize(
        self,
        tool: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        operation: str = "call",
        agent: str | None = None,
        tool_call_id: str | None = None,
        request_id: str | None = None,
        expires_in: int | None = None,
        wait: float | None = DEFAULT_WAIT,
    ) -> AsyncPermit:
        """Like :meth:`toolgate_client.Toolgate.authorize`: ``async with await gate.authorize(…) as permit``."""
        actor = await self._run(self._flows.agent(agent))
        flow = self._flows.authorize(tool, parameters, operation, actor, tool_call_id, request_id, expires_in, wait)
        return AsyncPermit(self, await self._run(flow), actor)

    @cached_property
    def agents(self) -> AsyncAgents:
        return AsyncAgents(self)

    @cached_property
    def permissions(self) -> AsyncPermissions:
        return AsyncPermissions(self)

    @cached_property
    def approvals(self) -> AsyncApprovals:
        return AsyncApprovals(self)

    @cached_property
    def audit(self) -> AsyncAudit:
        return AsyncAudit(self)

    @cached_property
    def sessions(self) -> AsyncSessions:
        return AsyncSessions(self)

    @cached_property
    def keys(self) -> AsyncKeys:
        return AsyncKeys(self)

    @cached_property
    def artifacts(self) -> AsyncArtifacts:
        return AsyncArtifacts(self)

    @cached_property
    def external_tools(self) -> AsyncExternalTools:
        return AsyncExternalTools(self)

    async def close(self) -> None:
        """Closes the connections; not those of an ``http_client`` that was given."""
        if self._owned:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncToolgate:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncToolgate({self._settings!r})"

    async def _run(self, flow: Flow[T]) -> T:
        with closing(flow):
            try:
                effect = next(flow)
                while True:
                    try:
                        done = await self._perform(effect)
                    except httpx.TransportError as problem:
                        effect = flow.throw(transport.connection_failed(self._settings, problem))
                    else:
                        effect = flow.send(done)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    async def _perform(self, effect: Effect) -> Response | None:
        match effect:
            case Sleep(seconds):
                await anyio.sleep(seconds)
                return None
            case Send(request):
                answer = await self._http.request(**self._arguments(request))
                return transport.response(answer, answer.content)
            case Save(request, file):
                async with self._http.stream(**self._arguments(request)) as answer:
                    if answer.status_code != 200:
                        return transport.response(answer, await answer.aread())
                    async with await anyio.open_file(file, "wb") as target:
                        async for chunk in answer.aiter_bytes(transport.CHUNK):
                            await target.write(chunk)
                    return transport.response(answer, b"")

    def _arguments(self, request: Request) -> dict[str, Any]:
        options = transport.arguments(self._settings, request)
        if isinstance(request.content, Path):
            options["content"] = _chunks(request.content)
        elif request.content is not None:
            options["content"] = request.content
        return options


async def _chunks(file: Path) -> AsyncIterator[bytes]:
    async with await anyio.open_file(file, "rb") as source:
        while chunk := await source.read(transport.CHUNK):
            yield chunk
