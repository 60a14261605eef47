"""The logic of both clients, without input and output.

A flow is a generator: it yields effects (:class:`Send`, :class:`Save`, :class:`Sleep`), receives the responses, and returns its result. ``Toolgate``
performs the effects with blocking calls and ``AsyncToolgate`` by awaiting, so that retries, polling and the parsing of responses are written in one place.
"""

from __future__ import annotations

import os
import random
import time
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from . import wire
from .errors import (
    AlreadyReported,
    ApprovalDenied,
    ApprovalPending,
    ApprovalTimeout,
    ConnectionFailed,
    DeniedError,
    ToolFailed,
    ToolgateError,
)
from .outcomes import Authorized, Completed, Denied, Failed, Outcome, Pending, ToolResult, Validation
from .records import Tool
from .wire import Request, Response

DEFAULT_URL = "http://127.0.0.1:8001"
DEFAULT_WAIT = 600.0
MIN_BACKOFF = 0.5
MAX_BACKOFF = 8.0
MAX_RETRY_AFTER = 60.0
"""A longer Retry-After is reported to the caller instead of waited for."""
POLL_INTERVAL = 1.0


@dataclass(frozen=True, slots=True)
class Send:
    request: Request


@dataclass(frozen=True, slots=True)
class Save:
    """Like Send, with the body of a successful answer written to a file."""

    request: Request
    file: Path


@dataclass(frozen=True, slots=True)
class Sleep:
    seconds: float


Effect: TypeAlias = Send | Save | Sleep
T = TypeVar("T")
Flow: TypeAlias = Generator[Effect, Any, T]


@dataclass(frozen=True, slots=True)
class Settings:
    """The address of the gate, and the identity to call it with."""

    url: str
    key: str | None
    agent: str | None
    session: str | None
    project: str | None
    timeout: float
    max_retries: int

    @staticmethod
    def of(
        url: str | None,
        key: str | None,
        agent: str | None,
        session: str | None,
        project: str | None,
        timeout: float,
        max_retries: int,
    ) -> Settings:
        """What is left out is taken from the environment."""
        address = (url or os.environ.get("TOOLGATE_URL") or DEFAULT_URL).rstrip("/")
        if not address.startswith(("http://", "https://")):
            raise ValueError(f"The address of the gate is not a URL with http or https: {address!r}")
        if max_retries < 0 or timeout <= 0:
            raise ValueError("max_retries must be 0 or more, and timeout more than 0")
        return Settings(
            address,
            key or os.environ.get("TOOLGATE_KEY") or None,
            agent or os.environ.get("TOOLGATE_AGENT") or None,
            session,
            project,
            timeout,
            max_retries,
        )

    def headers(self) -> dict[str, str]:
        authorization = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return {"User-Agent": wire.USER_AGENT, "Accept": "application/json", **authorization}

    def __repr__(self) -> str:
        return f"url={self.url!r}, agent={self.agent!r}"


class Flows:
    """The flows of a client."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._agent = settings.agent

    def send(self, request: Request, file: Path | None = None) -> Flow[Response]:
        """Sends a request; retries while the response says that it is retryable, or if there is no response."""
        attempt, sent = 0, False
        while True:
            try:
                answer: Response = yield Send(request) if file is None else Save(request, file)
            except ConnectionFailed as failed:
                sent = failed.sent = sent or failed.sent
                if attempt >= self.settings.max_retries or (failed.sent and not request.repeatable):
                    raise
                pause = backoff(attempt)
            else:
                after = answer.retry_after or 0.0
                if not answer.retryable or attempt >= self.settings.max_retries or after > MAX_RETRY_AFTER:
                    return answer
                pause = max(after + random.uniform(0.0, 0.25), backoff(attempt))
            yield Sleep(pause)
            attempt += 1

    def json(self, request: Request) -> Flow[Any]:
        return wire.checked((yield from self.send(request)))

    def agent(self, named: str | None) -> Flow[str]:
        """The agent to call as: the one named, that of the client, or else that of the key."""
        chosen = named or self._agent
        if chosen is None:
            chosen = (yield from self.json(wire.get("/api/v1/whoami"))).get("agent_id")
            if not chosen:
                raise ToolgateError(
                    "AGENT_NEEDED",
                    "The call names no agent, and the key is not that of one",
                    "Name it with agent=, with TOOLGATE_AGENT, or use the key of an agent.",
                )
            self._agent = chosen
        return chosen

    def submit(
        self,
        tool: str,
        parameters: Mapping[str, Any] | None,
        operation: str = "call",
        agent: str | None = None,
        request_id: str | None = None,
    ) -> Flow[Outcome]:
        actor = yield from self.agent(agent)
        identifier = request_id or str(uuid.uuid4())
        request = self._call("/api/v1/tools/execute", tool, parameters, identifier, actor, operation)
        reached = yield from self._outcome(request, identifier)
        if isinstance(reached, Authorized):
            raise _unusable(reached, "The id is that of a tool that its caller runs")
        return reached

    def execute(
        self,
        tool: str,
        parameters: Mapping[str, Any] | None,
        operation: str,
        agent: str | None,
        request_id: str | None,
        wait: float | None,
    ) -> Flow[ToolResult]:
        identifier = request_id or str(uuid.uuid4())
        actor = yield from self.agent(agent)
        deadline = time.monotonic() + (wait or 0.0)
        reached: Outcome | Authorized | None = None
        while reached is None:
            try:
                reached = yield from self.submit(tool, parameters, operation, actor, identifier)
            except ConnectionFailed as lost:
                if not lost.sent or time.monotonic() >= deadline:
                    raise
                reached = yield from self._recovered(identifier, actor, deadline)
        reached = yield from self._ended(reached, actor, deadline)
        if isinstance(reached, Authorized):
            raise _unusable(reached, "The id is that of a tool that its caller runs")
        return result(reached)

    def collect(self, request_id: str, agent: str | None, wait: float | None) -> Flow[Outcome | Authorized]:
        named = agent or self._agent
        deadline = time.monotonic() + (wait or 0.0)
        reached = yield from self._outcome(wire.collect(request_id, named), request_id)
        return (yield from self._ended(reached, named, deadline))

    def authorize(
        self,
        tool: str,
        parameters: Mapping[str, Any] | None,
        operation: str,
        agent: str,
        tool_call_id: str | None,
        request_id: str | None,
        expires_in: int | None,
        wait: float | None,
    ) -> Flow[Authorized]:
        identifier = request_id or str(uuid.uuid4())
        deadline = time.monotonic() + (wait or 0.0)
        more = {"tool_call_id": tool_call_id, "source": wire.USER_AGENT, "expires_in": expires_in}
        request = self._call("/api/v1/tools/authorize", tool, parameters, identifier, agent, operation, **more)
        reached = yield from self._outcome(request, identifier)
        reached = yield from self._ended(reached, agent, deadline)
        if isinstance(reached, Authorized) and reached.parameters is None:
            reached = yield from self._outcome(request, identifier)
        if not isinstance(reached, Authorized):
            result(reached)
            assert isinstance(reached, Completed)
            raise AlreadyReported(reached)
        if reached.parameters is None:
            raise _unusable(reached, "The permit does not say with which parameters to run the tool")
        return reached

    def report(self, request_id: str, agent: str, body: Mapping[str, Any]) -> Flow[Outcome]:
        reached = yield from self._outcome(wire.report(request_id, agent, body), request_id)
        if isinstance(reached, Authorized):
            raise _unusable(reached, "The report was not accepted")
        return reached

    def validate(
        self, tool: str, parameters: Mapping[str, Any] | None, operation: str, agent: str | None
    ) -> Flow[Validation]:
        actor = yield from self.agent(agent)
        body = wire.given(
            agent_id=actor,
            tool_name=tool,
            operation=operation,
            parameters=None if parameters is None else dict(parameters),
            project_id=self.settings.project,
            session_id=self.settings.session,
        )
        request = Request("POST", "/api/v1/tools/validate", body=body, repeatable=True)
        return wire.validation((yield from self.send(request)))

    def tools(self, agent: str | None) -> Flow[list[Tool]]:
        """An admin's key lists all tools, so they are filtered by the agent's permissions."""
        listed = [Tool(each) for each in (yield from self.json(wire.get("/api/v1/tools")))]
        chosen = agent or self._agent
        if chosen is None:
            return listed
        where = wire.path("/api/v1/tools/permissions/{agent_id}", agent_id=chosen)
        allowed = set((yield from self.json(wire.get(where))))
        return [tool for tool in listed if tool.name in allowed]

    def _call(
        self,
        where: str,
        tool: str,
        parameters: Mapping[str, Any] | None,
        identifier: str,
        agent: str,
        operation: str,
        **more: Any,
    ) -> Request:
        return wire.call(
            where,
            tool,
            parameters or {},
            request_id=identifier,
            agent=agent,
            operation=operation,
            project=self.settings.project,
            session=self.settings.session,
            **more,
        )

    def _outcome(self, request: Request, identifier: str) -> Flow[Outcome | Authorized]:
        try:
            return wire.outcome((yield from self.send(request)))
        except ToolgateError as error:
            error.request_id = identifier
            if error.code == "REQUEST_RUNNING":
                return Pending(identifier, "running", raw=error.raw)
            raise

    def _recovered(self, identifier: str, agent: str, deadline: float) -> Flow[Outcome | Authorized | None]:
        """The outcome of a call whose response was lost; None if the gate never received it."""
        try:
            return (yield from self._ended(Pending(identifier, "running"), agent, deadline))
        except ToolgateError as unknown:
            if unknown.status == 404:
                return None
            raise

    def _ended(
        self, reached: Outcome | Authorized, agent: str | None, deadline: float
    ) -> Flow[Outcome | Authorized]:
        """Polls until the call has ended or the time to wait is over; survives a restart of the gate."""
        while isinstance(reached, Pending):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            interval = max(POLL_INTERVAL, min(reached.retry_after or 0.0, MAX_RETRY_AFTER))
            yield Sleep(min(left, interval + random.uniform(0.0, 0.25)))
            try:
                reached = yield from self._outcome(wire.collect(reached.request_id, agent), reached.request_id)
            except ToolgateError as error:
                if not error.retryable or time.monotonic() >= deadline:
                    raise
        return reached


def backoff(attempt: int) -> float:
    """A random pause, longer on average with every attempt."""
    return random.uniform(MIN_BACKOFF, min(MAX_BACKOFF, MIN_BACKOFF * 2.0 ** (attempt + 1)))


def result(reached: Outcome) -> ToolResult:
    """The result of a call; raises the error of any other outcome."""
    match reached:
        case Completed():
            return reached.result
        case Failed():
            raise ToolFailed(reached)
        case Denied():
            kinds = {"approval_denied": ApprovalDenied, "approval_timeout": ApprovalTimeout}
            raise kinds.get(reached.violation_type, DeniedError)(reached)
        case Pending():
            raise ApprovalPending(reached)


def _unusable(reached: Authorized, why: str) -> ToolgateError:
    return ToolgateError("UNEXPECTED_ANSWER", why, "Send the call under a request id of its own.", raw=reached.raw)
