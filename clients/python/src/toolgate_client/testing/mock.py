"""A gate in memory, for unit tests of agents: it decides by a table and returns configured results."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..errors import DeniedError
from ..flows import result
from ..outcomes import Completed, Denied, Failed, Outcome, Pending, ToolResult, Validation
from ..records import Tool

Answers: TypeAlias = Literal["auto", "deny", "timeout", "pending"]
Granted: TypeAlias = Mapping[str, "list[str] | tuple[str, ...] | set[str] | Mapping[str, str]"]


def mock_tool_result() -> dict[str, Any]:
    """The default result of a tool."""
    return {"success": True, "data": "mock result"}


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call that was made."""

    agent: str
    tool: str
    parameters: Mapping[str, Any]
    outcome: Outcome = field(repr=False)

    @property
    def allowed(self) -> bool:
        return isinstance(self.outcome, Completed | Failed)


class MockToolgate:
    """A gate in memory, to be used in place of ``Toolgate``.

    :param permissions: the tools of each agent, ``{"agent": ["tool"]}``, or ``{"agent": {"tool": "approval"}}`` for one that needs
        an approval
    :param results: what each tool returns: text or any other value, a function of the parameters, or an exception for a
        tool that fails
    :param approvals: what people answer: ``auto`` approves, ``deny`` refuses, ``timeout`` is no answer in time, and ``pending`` none
        yet
    """

    def __init__(
        self,
        permissions: Granted,
        *,
        results: Mapping[str, Any] | None = None,
        approvals: Answers = "auto",
    ) -> None:
        if approvals not in ("auto", "deny", "timeout", "pending"):
            raise ValueError(f"approvals is 'auto', 'deny', 'timeout' or 'pending', not {approvals!r}")
        self.permissions = permissions
        self.results = dict(results or {})
        self.approvals = approvals
        self.calls: list[RecordedCall] = []
        """Every call, in order."""
        self.escalations: list[DeniedError] = []
        """The refusals that an agent escalated."""

    def execute_tool(self, agent_id: str, tool_name: str, **params: Any) -> dict[str, Any]:
        """A call, answered as over HTTP."""
        return _body(self._decide(agent_id, tool_name, params))

    def execute(
        self,
        tool: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        operation: str = "call",
        agent: str | None = None,
        request_id: str | None = None,
        wait: float | None = 0,
    ) -> ToolResult:
        """Like ``Toolgate.execute``."""
        return result(self._decide(self._agent(agent), tool, parameters or {}))

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
        """Like ``Toolgate.submit``."""
        return self._decide(self._agent(agent), tool, parameters or {})

    def validate(
        self, tool: str, parameters: Mapping[str, Any] | None = None, /, *, agent: str | None = None
    ) -> Validation:
        """Like ``Toolgate.validate``; nothing is recorded."""
        actor = self._agent(agent)
        if tool in self._tools(actor):
            return Validation(True, self._needs_approval(actor, tool))
        denied = self._denied(actor, tool, "permission_denied", "Permission denied")
        return Validation(False, False, denied.reason, denied.violation_type, denied.allowed_tools, denied.suggestion)

    def tools(self, agent: str | None = None) -> list[Tool]:
        """Like ``Toolgate.tools``."""
        names = self._tools(self._agent(agent))
        return [Tool({"name": name, "description": "", "input_schema": {"type": "object"}}) for name in names]

    def orchestrator(self, denied: DeniedError) -> Any:
        """The default orchestrator of agents: records the refusal and raises it again."""
        self.escalations.append(denied)
        raise denied

    def assert_escalated(self, tool: str | None = None) -> None:
        """Fails unless an agent escalated a refusal, of this tool if one is named."""
        escalated = [str(each.denied.raw.get("tool_name")) for each in self.escalations]
        if tool is None and not escalated:
            raise AssertionError("Nothing was escalated")
        if tool is not None and tool not in escalated:
            raise AssertionError(f"{tool} was not escalated; escalated: {', '.join(escalated) or 'nothing'}")

    def _agent(self, agent: str | None) -> str:
        if agent is not None:
            return agent
        if len(self.permissions) == 1:
            return next(iter(self.permissions))
        raise ValueError("Name the agent: the mock knows none or several")

    def _tools(self, agent: str) -> tuple[str, ...]:
        return tuple(self.permissions.get(agent, ()))

    def _needs_approval(self, agent: str, tool: str) -> bool:
        granted = self.permissions.get(agent, ())
        return isinstance(granted, Mapping) and granted[tool] == "approval"

    def _decide(self, agent: str, tool: str, parameters: Mapping[str, Any]) -> Outcome:
        outcome = self._outcome(agent, tool, parameters)
        self.calls.append(RecordedCall(agent, tool, dict(parameters), outcome))
        return outcome

    def _outcome(self, agent: str, tool: str, parameters: Mapping[str, Any]) -> Outcome:
        if tool not in self._tools(agent):
            return self._denied(agent, tool, "permission_denied", "Permission denied")
        if self._needs_approval(agent, tool):
            match self.approvals:
                case "deny":
                    return self._denied(agent, tool, "approval_denied", "A person refused the call")
                case "timeout":
                    return self._denied(agent, tool, "approval_timeout", "Nobody answered in time")
                case "pending":
                    return Pending(str(uuid.uuid4()), "pending", str(uuid.uuid4()))
        return self._ran(tool, parameters)

    def _ran(self, tool: str, parameters: Mapping[str, Any]) -> Outcome:
        identifier = str(uuid.uuid4())
        value = self.results.get(tool, mock_tool_result()["data"])
        if isinstance(value, BaseException):
            failed = ToolResult(False, str(value), request_id=identifier)
            return Failed(identifier, "TOOL_EXECUTION_FAILED", str(value), "", False, failed)
        if callable(value):
            make: Callable[..., Any] = value
            value = make(**parameters)
        text = value if isinstance(value, str) else str(value)
        structured = None if isinstance(value, str) else value
        return Completed(identifier, ToolResult(True, text, structured, request_id=identifier))

    def _denied(self, agent: str, tool: str, violation: str, reason: str) -> Denied:
        suggestion = "Use one of the allowed tools, or ask for a grant."
        raw = {"tool_name": tool, "agent_id": agent}
        return Denied(str(uuid.uuid4()), reason, violation, self._tools(agent), suggestion, raw=raw)


class MockTAS(MockToolgate):
    """The same under the name of the Tool Access Service."""


def _body(outcome: Outcome) -> dict[str, Any]:
    match outcome:
        case Completed():
            done = {"success": outcome.result.success, "data": outcome.result.data}
            return {"status": "allowed", "request_id": outcome.request_id, "result": done, "logged": True}
        case Failed():
            done = {"success": False, "data": outcome.message, "error": {"code": outcome.code}}
            answer = {"status": "allowed", "outcome": "failed", "request_id": outcome.request_id, "result": done}
            return {**answer, "logged": True}
        case Denied():
            return {
                "status": "denied",
                "request_id": outcome.request_id,
                "reason": outcome.reason,
                "violation_type": outcome.violation_type,
                "allowed_tools": list(outcome.allowed_tools),
                "suggestion": outcome.suggestion,
                "logged": True,
            }
        case Pending():
            return {"status": "pending", "request_id": outcome.request_id, "approval_id": outcome.approval_id}


