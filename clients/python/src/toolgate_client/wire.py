"""Requests and responses as values, and the parsing of responses: shared by both clients, without input or output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .errors import AuthenticationError, RateLimited, ToolgateError
from .outcomes import Authorized, Completed, Denied, Failed, Outcome, Pending, ToolResult, Validation

VERSION = "0.1.0"
USER_AGENT = f"toolgate-python/{VERSION}"


@dataclass(frozen=True, slots=True)
class Request:
    """A request; ``repeatable`` if it is idempotent."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    content: bytes | Path | None = None
    repeatable: bool = False


@dataclass(frozen=True, slots=True)
class Response:
    """An answer; the names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """The body; None if it is not JSON."""
        try:
            return json.loads(self.content)
        except ValueError:
            return None

    @property
    def retry_after(self) -> float | None:
        """How many seconds to wait, if the server says so."""
        try:
            return max(0.0, float(self.headers["retry-after"]))
        except (KeyError, ValueError):
            return None

    @property
    def retryable(self) -> bool:
        """Whether the body says that the same request may succeed later; the status does not count."""
        body = self.json()
        error = body.get("error") if isinstance(body, dict) else None
        return isinstance(error, dict) and error.get("retryable") is True


def path(template: str, **names: str) -> str:
    """A path with each name encoded as one segment."""
    segments = {}
    for name, value in names.items():
        if not value or value in (".", ".."):
            raise ValueError(f"{name} cannot be {value!r}")
        segments[name] = quote(value, safe="")
    return template.format(**segments)


def given(**fields: Any) -> dict[str, Any]:
    """The fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


def get(where: str, **query: Any) -> Request:
    return Request("GET", where, given(**query), repeatable=True)


def call(
    where: str,
    tool: str,
    parameters: Mapping[str, Any],
    *,
    request_id: str,
    agent: str,
    operation: str,
    project: str | None,
    session: str | None,
    **more: Any,
) -> Request:
    """A request to execute a tool, or for a permit. A held call is answered at once, to be collected."""
    body = {
        "request_id": request_id,
        "agent_id": agent,
        "tool_name": tool,
        "operation": operation,
        "parameters": dict(parameters),
        **given(project_id=project, session_id=session, **more),
    }
    return Request("POST", where, headers={"Prefer": "respond-async"}, body=body, repeatable=True)


def collect(request_id: str, agent: str | None) -> Request:
    return get(path("/api/v1/calls/{request_id}", request_id=request_id), agent_id=agent)


def report(request_id: str, agent: str | None, body: Mapping[str, Any]) -> Request:
    where = path("/api/v1/calls/{request_id}/outcome", request_id=request_id)
    return Request("POST", where, given(agent_id=agent), body=body, repeatable=True)


def outcome(answer: Response) -> Outcome | Authorized:
    """The outcome of a call; any other response raises an error."""
    body = answer.json()
    if not isinstance(body, dict) or "error" in body:
        raise error(answer)
    correlation = answer.headers.get("x-correlation-id")
    match body:
        case {"status": "denied"}:
            return Denied(
                str(body.get("request_id", "")),
                str(body.get("reason", "")),
                str(body.get("violation_type", "")),
                tuple(body.get("allowed_tools") or ()),
                str(body.get("suggestion", "")),
                answer.status,
                correlation,
                body,
            )
        case {"status": "allowed", "outcome": "authorized", "request_id": str(identifier)}:
            until = datetime.fromisoformat(body["permit_expires_at"])
            return Authorized(identifier, until, body.get("parameters"), correlation, body)
        case {"status": "allowed", "outcome": "failed", "request_id": str(identifier), "result": dict(result)}:
            return _failed(identifier, result, correlation, body)
        case {"status": "allowed", "request_id": str(identifier), "result": dict(result)} if (
            answer.status == 200 and body.get("outcome", "completed") == "completed"
        ):
            return Completed(identifier, _result(identifier, result, body), correlation, body)
        case {"status": str(status), "request_id": str(identifier)} if answer.status == 202:
            expires = body.get("expires_at")
            return Pending(
                identifier,
                status,
                body.get("approval_id"),
                datetime.fromisoformat(expires) if expires else None,
                correlation,
                body,
                answer.retry_after,
            )
    raise error(answer)


def _result(identifier: str, result: Mapping[str, Any], body: Mapping[str, Any]) -> ToolResult:
    return ToolResult(
        result.get("success") is True,
        str(result.get("data", "")),
        result.get("structured"),
        result.get("metadata") or {},
        tuple(result.get("artifacts") or ()),
        identifier,
        body,
    )


def _failed(identifier: str, result: Mapping[str, Any], correlation: str | None, body: Mapping[str, Any]) -> Failed:
    problem = result.get("error") or {}
    return Failed(
        identifier,
        str(problem.get("code", "TOOL_EXECUTION_FAILED")),
        str(problem.get("message") or result.get("data") or "The tool failed"),
        str(problem.get("remediation", "")),
        problem.get("retryable") is True,
        _result(identifier, result, body),
        correlation,
        body,
    )


def validation(answer: Response) -> Validation:
    body = checked(answer)
    return Validation(
        body.get("status") == "allowed",
        body.get("requires_approval") is True,
        str(body.get("reason", "")),
        str(body.get("violation_type", "")),
        tuple(body.get("allowed_tools") or ()),
        str(body.get("suggestion", "")),
        body,
    )


def checked(answer: Response) -> Any:
    """The JSON of a successful answer; anything else is an error."""
    if not 200 <= answer.status < 300:
        raise error(answer)
    body = answer.json()
    if body is None and answer.content:
        raise error(answer)
    return body


def error(answer: Response) -> ToolgateError:
    """The error in a response."""
    body = answer.json()
    problem = body.get("error") if isinstance(body, dict) else None
    correlation = answer.headers.get("x-correlation-id")
    if not isinstance(problem, dict):
        return ToolgateError(
            "UNEXPECTED_ANSWER",
            f"The answer with status {answer.status} is not from a gate",
            "Check that the address (TOOLGATE_URL) is that of a gate, and check any proxy in between.",
            False,
            correlation,
            status=answer.status,
            raw=body if isinstance(body, dict) else None,
        )
    code = str(problem.get("code", "INTERNAL_ERROR"))
    kind = {"UNAUTHORIZED": AuthenticationError, "RATE_LIMITED": RateLimited}.get(code, ToolgateError)
    found = kind(
        code,
        str(problem.get("message", "The request failed")),
        str(problem.get("remediation", "")),
        problem.get("retryable") is True,
        problem.get("correlation_id") or correlation,
        status=answer.status,
        raw=body,
    )
    if isinstance(found, RateLimited):
        found.retry_after = answer.retry_after
    return found


def next_page(answer: Response, request: Request) -> Request | None:
    """The request for the next page; links to other servers are ignored."""
    for link in answer.headers.get("link", "").split(","):
        target, _, attributes = link.partition(";")
        target = target.strip()
        if 'rel="next"' in attributes and target.startswith("</") and not target.startswith("<//"):
            return replace(request, path=target[1:-1], query={})
    return None
