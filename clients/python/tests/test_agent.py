"""Agents, with a gate in memory."""

from __future__ import annotations

from typing import Any

import pytest

from toolgate_client import (
    ApprovalDenied,
    ApprovalPending,
    ApprovalTimeout,
    Completed,
    Denied,
    DeniedError,
    GatedAgent,
    ToolFailed,
)
from toolgate_client.testing import MockToolgate


def test_an_agent_uses_what_it_may() -> None:
    mock = MockToolgate({"dev": ["file_read"]}, results={"file_read": lambda path: f"content of {path}"})
    agent = GatedAgent("dev", gate=mock)
    assert agent.use("file_read", path="a.txt").data == "content of a.txt"
    assert agent.available_tools() == ["file_read"]
    assert [(call.agent, call.tool, call.parameters, call.allowed) for call in mock.calls] == [
        ("dev", "file_read", {"path": "a.txt"}, True)
    ]


def test_a_refusal_is_raised_unless_the_agent_adapts() -> None:
    mock = MockToolgate({"dev": ["file_read"]})
    with pytest.raises(DeniedError):
        GatedAgent("dev", gate=mock).use("bash", command="ls")

    class Adaptable(GatedAgent):
        def on_denied(self, denied: DeniedError) -> Any:
            return f"I can use {', '.join(denied.allowed_tools)}"

    assert Adaptable("dev", gate=mock).use("bash", command="ls") == "I can use file_read"
    with pytest.raises(AssertionError, match="Nothing was escalated"):
        mock.assert_escalated()


def test_an_allowed_alternative_is_used_and_no_other_is_tried() -> None:
    mock = MockToolgate({"dev": ["file_list"]})
    assert GatedAgent("dev", gate=mock).use("bash", alternatives=["http_request", "file_list"], path=".").success
    assert [call.tool for call in mock.calls] == ["bash", "file_list"]


def test_a_critical_refusal_is_escalated() -> None:
    mock = MockToolgate({"dev": ["file_read"]})
    with pytest.raises(DeniedError):
        GatedAgent("dev", gate=mock).use("bash", critical=True, command="ls")
    mock.assert_escalated()
    mock.assert_escalated("bash")
    with pytest.raises(AssertionError, match="file_read was not escalated"):
        mock.assert_escalated("file_read")
    helped = GatedAgent("dev", gate=mock, orchestrator=lambda denied: f"somebody else does it: {denied.reason}")
    assert helped.use("bash", critical=True, command="ls").startswith("somebody else does it")


def test_a_critical_call_that_a_person_refused_is_not_escalated() -> None:
    mock = MockToolgate({"dev": {"deploy": "approval"}}, approvals="deny")
    with pytest.raises(ApprovalDenied):
        GatedAgent("dev", gate=mock, orchestrator=lambda denied: "escalated").use("deploy", critical=True)


@pytest.mark.parametrize(
    ("answer", "error"), [("deny", ApprovalDenied), ("timeout", ApprovalTimeout), ("pending", ApprovalPending)]
)
def test_people_answer_as_the_test_says(answer: Any, error: type[Exception]) -> None:
    mock = MockToolgate({"dev": {"deploy": "approval", "file_read": "allowed"}}, approvals=answer)
    with pytest.raises(error):
        mock.execute("deploy", {"host": "staging"}, agent="dev")
    assert mock.execute("file_read", {"path": "a"}, agent="dev").success
    assert mock.validate("deploy", agent="dev").requires_approval


def test_approvals_are_given_by_default() -> None:
    mock = MockToolgate({"dev": {"deploy": "approval"}})
    assert isinstance(mock.submit("deploy", {}), Completed)
    assert isinstance(mock.submit("bash", {}), Denied)
    with pytest.raises(ValueError, match="approvals is"):
        MockToolgate({}, approvals="yes")  # type: ignore[arg-type]


def test_a_tool_fails_if_it_is_told_to() -> None:
    mock = MockToolgate({"dev": ["bash"]}, results={"bash": OSError("disk full")})
    with pytest.raises(ToolFailed, match="disk full"):
        mock.execute("bash", {"command": "ls"})
    assert mock.execute_tool("dev", "bash", command="ls")["outcome"] == "failed"
