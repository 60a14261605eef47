"""The blocking client."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import transport
from .artifacts import Artifacts
from .flows import DEFAULT_WAIT, Effect, Flow, Flows, Save, Send, Settings, Sleep
from .outcomes import Authorized, Outcome, ToolResult, Validation
from .permits import Permit
from .records import Tool
from .resources import Agents, Approvals, Audit, ExternalTools, Keys, Permissions, Sessions
from .wire import Request, Response

T = TypeVar("T")


class Toolgate:
    """A client of the gate. What is left out is taken from ``TOOLGATE_URL``, ``TOOLGATE_KEY`` and ``TOOLGATE_AGENT``.

    Threads may share it. Use it as a context manager, or close it at the end.
    """

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
        http_client: httpx.Client | None = None,
    ) -> None:
        self._settings = Settings.of(url, key, agent, session, project, timeout, max_retries)
        self._flows = Flows(self._settings)
        self._owned = http_client is None
        self._http = http_client or httpx.Client(**transport.client_options(self._settings))

    def execute(
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
        """Runs a tool and returns its result. Waits at most ``wait`` seconds for a call that needs an approval;
        not at all with None.

        :raises DeniedError: the gate refused it; nothing ran
        :raises ApprovalPending: it has not ended in time; collect it later
        :raises ToolFailed: it was allowed and failed
        """
        return self._run(self._flows.execute(tool, parameters, operation, agent, request_id, wait))

    def submit(
        self,
        tool: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        operation: str = "call",
        agent: str | None = None,
        request_id: str | None = None,
    ) -> Outcome:
        """The same, without waiting for an approval, with the outcome as a value."""
        return self._run(self._flows.submit(tool, parameters, operation, agent, request_id))

    def collect(
        self, request_id: str, *, agent: str | None = None, wait: float | None = None
    ) -> Outcome | Authorized:
        """The outcome of a call that was made before; waits for it for at most ``wait`` seconds."""
        return self._run(self._flows.collect(request_id, agent, wait))

    def validate(
        self,
        tool: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        operation: str = "call",
        agent: str | None = None,
    ) -> Validation:
        """What the gate would decide about a call now; nothing runs. Without parameters, only the permission is checked."""
        return self._run(self._flows.validate(tool, parameters, operation, agent))

    def tools(self, agent: str | None = None) -> list[Tool]:
        """The tools that the agent may use; all that the key can see if no agent is named."""
        return self._run(self._flows.tools(agent))

    def authorize(
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
    ) -> Permit:
        """A permit to run a tool here: run it once with the permit's parameters, in a ``with`` block.

        :param tool_call_id: the id that the model gave the call, for the record
        :param expires_in: the lifetime of the permit in seconds
        :raises DeniedError: the tool must not run
        :raises AlreadyReported: it has run before, under this request id
        """
        actor = self._run(self._flows.agent(agent))
        flow = self._flows.authorize(tool, parameters, operation, actor, tool_call_id, request_id, expires_in, wait)
        return Permit(self, self._run(flow), actor)

    @cached_property
    def agents(self) -> Agents:
        return Agents(self)

    @cached_property
    def permissions(self) -> Permissions:
        return Permissions(self)

    @cached_property
    def approvals(self) -> Approvals:
        return Approvals(self)

    @cached_property
    def audit(self) -> Audit:
        return Audit(self)

    @cached_property
    def sessions(self) -> Sessions:
        return Sessions(self)

    @cached_property
    def keys(self) -> Keys:
        return Keys(self)

    @cached_property
    def artifacts(self) -> Artifacts:
        return Artifacts(self)

    @cached_property
    def external_tools(self) -> ExternalTools:
        return ExternalTools(self)

    def close(self) -> None:
        """Closes the connections; not those of an ``http_client`` that was given."""
        if self._owned:
            self._http.close()

    def __enter__(self) -> Toolgate:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Toolgate({self._settings!r})"

    def _run(self, flow: Flow[T]) -> T:
        with closing(flow):
            try:
                effect = next(flow)
                while True:
                    try:
                        done = self._perform(effect)
                    except httpx.TransportError as problem:
                        effect = flow.throw(transport.connection_failed(self._settings, problem))
                    else:
                        effect = flow.send(done)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    def _perform(self, effect: Effect) -> Response | None:
        match effect:
            case Sleep(seconds):
                time.sleep(seconds)
                return None
            case Send(request):
                answer = self._http.request(**self._arguments(request))
                return transport.response(answer, answer.content)
            case Save(request, file):
                with self._http.stream(**self._arguments(request)) as answer:
                    if answer.status_code != 200:
                        return transport.response(answer, answer.read())
                    with file.open("wb") as target:
                        for chunk in answer.iter_bytes(transport.CHUNK):
                            target.write(chunk)
                    return transport.response(answer, b"")

    def _arguments(self, request: Request) -> dict[str, Any]:
        options = transport.arguments(self._settings, request)
        if isinstance(request.content, Path):
            options["content"] = _chunks(request.content)
        elif request.content is not None:
            options["content"] = request.content
        return options


def _chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as source:
        while chunk := source.read(transport.CHUNK):
            yield chunk
