"""Calls against a real gate: every way in which one can end."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from approver import Approver, until_pending

from toolgate_client import (
    ApprovalDenied,
    ApprovalPending,
    ApprovalTimeout,
    AsyncToolgate,
    AuthenticationError,
    Completed,
    ConnectionFailed,
    Denied,
    DeniedError,
    Failed,
    GatedAgent,
    Pending,
    RateLimited,
    ToolFailed,
    Toolgate,
    ToolgateError,
)

MakeAgent = Callable[..., str]
pytestmark = pytest.mark.integration


def key_of(gate: Toolgate, name: str) -> str:
    return gate.keys.create("agent", agent_id=name, name="test").key


def as_agent(gate: Toolgate, name: str, max_retries: int = 2) -> Toolgate:
    return Toolgate(url=gate._settings.url, key=key_of(gate, name), max_retries=max_retries)


def test_an_allowed_call_gives_the_result_and_is_on_record(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list")
    result = gate.execute("file_list", {"path": "."}, agent=name)
    assert result.success and result.raw["logged"] is True
    (record,) = gate.audit.list(agent_id=name, kind="call")
    assert (record.request_id, record.status, record.executed_by) == (result.request_id, "COMPLETED", "gate")


def test_an_agents_key_needs_no_name_of_the_agent(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list")
    with as_agent(gate, name) as own:
        assert own.execute("file_list", {"path": "."}).success
        assert [tool.name for tool in own.tools()] == ["file_list"]


def test_an_admins_key_without_an_agent_is_told_to_name_one(gate: Toolgate) -> None:
    with pytest.raises(ToolgateError, match="names no agent") as raised:
        gate.execute("file_list", {"path": "."})
    assert raised.value.code == "AGENT_NEEDED"


def test_a_denied_call_says_what_is_allowed_and_what_to_do(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list", "file_read")
    with pytest.raises(DeniedError) as raised:
        gate.execute("bash", {"command": "touch denied"}, agent=name)
    denied = raised.value
    assert denied.violation_type == "permission_denied" and denied.code == "PERMISSION_DENIED"
    assert denied.allowed_tools == ("file_list", "file_read")
    assert "ask an operator to grant 'bash'" in denied.suggestion
    assert denied.correlation_id
    assert isinstance(gate.submit("bash", {"command": "ls"}, agent=name), Denied)
    assert not gate.validate("bash", agent=name)
    assert [tool.name for tool in gate.tools(name)] == ["file_list", "file_read"]


def test_a_critical_call_that_is_denied_is_escalated(gate: Toolgate, agent: MakeAgent) -> None:
    name, colleague = agent("file_read"), agent("file_list")
    asked: list[DeniedError] = []

    def orchestrator(denied: DeniedError) -> object:
        asked.append(denied)
        return gate.execute("file_list", {"path": "."}, agent=colleague)

    worker = GatedAgent(name, gate=gate, orchestrator=orchestrator)
    assert worker.available_tools() == ["file_read"]
    assert worker.use("file_list", critical=True, path=".").success
    assert [denied.violation_type for denied in asked] == ["permission_denied"]
    assert [each.agent_id for each in gate.audit.list(tool_name="file_list", agent_id=colleague)] == [colleague]


def test_a_held_call_is_waited_for_until_it_is_approved(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list?")
    with Approver(gate, name, approved=True, reason="only lists files"):
        assert gate.execute("file_list", {"path": "."}, agent=name).success
    (record,) = gate.audit.list(agent_id=name, kind="call")
    assert record["approval_reason"] == "only lists files"


def test_a_held_call_that_is_refused_is_denied_and_runs_nothing(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_write?", "file_list")
    target = f"{uuid.uuid4()}.txt"
    with Approver(gate, name, approved=False, reason="not today"), pytest.raises(ApprovalDenied) as raised:
        gate.execute("file_write", {"path": target, "content": "no"}, agent=name)
    assert "not today" in raised.value.reason
    assert target not in gate.execute("file_list", {"path": "."}, agent=name).data


def test_a_held_call_that_nobody_answers_times_out(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list?")
    with pytest.raises(ApprovalTimeout) as raised:
        gate.execute("file_list", {"path": "."}, agent=name, wait=120)
    assert raised.value.status == 408 and raised.value.violation_type == "approval_timeout"


def test_a_caller_that_does_not_wait_collects_the_outcome_later(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list?")
    identifier = str(uuid.uuid4())
    with pytest.raises(ApprovalPending) as raised:
        gate.execute("file_list", {"path": "."}, agent=name, request_id=identifier, wait=None)
    assert raised.value.request_id == identifier and raised.value.retryable
    pending = gate.submit("file_list", {"path": "."}, agent=name, request_id=identifier)
    assert isinstance(pending, Pending) and pending.approval_id == raised.value.approval_id
    assert isinstance(gate.collect(identifier, agent=name), Pending)
    gate.approvals.approve(until_pending(gate, name))
    assert isinstance(gate.collect(identifier, agent=name, wait=60), Completed)


def test_a_repeated_id_gives_the_first_outcome_and_never_another_call(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_write", "file_list")
    identifier = str(uuid.uuid4())
    first = gate.execute("file_write", {"path": "repeated.txt", "content": "1"}, agent=name, request_id=identifier)
    again = gate.execute("file_write", {"path": "repeated.txt", "content": "1"}, agent=name, request_id=identifier)
    assert again.data == first.data
    with pytest.raises(ToolgateError) as raised:
        gate.execute("file_write", {"path": "repeated.txt", "content": "2"}, agent=name, request_id=identifier)
    assert (raised.value.code, raised.value.status, raised.value.retryable) == ("REQUEST_ID_TAKEN", 409, False)
    assert len(list(gate.audit.list(agent_id=name, kind="call"))) == 1


@pytest.mark.anyio
async def test_a_rate_limited_call_succeeds_when_it_is_sent_again(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list")
    options: dict[str, Any] = {"url": gate._settings.url, "key": gate._settings.key, "agent": name}
    async with AsyncToolgate(**options, max_retries=0) as hasty, AsyncToolgate(**options, max_retries=6) as patient:
        calls = [hasty.execute("file_list", {"path": "."}) for _ in range(40)]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        limited = next(each for each in answers if isinstance(each, RateLimited))
        assert limited.retryable and limited.retry_after and limited.request_id
        assert (await patient.execute("file_list", {"path": "."}, request_id=limited.request_id)).success


def test_a_tool_that_fails_says_why_and_what_to_do(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_read")
    with pytest.raises(ToolFailed) as raised:
        gate.execute("file_read", {"path": "missing.txt"}, agent=name)
    assert raised.value.code == "FILE_NOT_FOUND" and raised.value.remediation
    assert isinstance(gate.submit("file_read", {"path": "missing.txt"}, agent=name), Failed)


def test_a_wrong_key_is_an_authentication_error_that_does_not_show_it(gate: Toolgate) -> None:
    with Toolgate(url=gate._settings.url, key="tg_secret_and_wrong", agent="nobody") as stranger:
        with pytest.raises(AuthenticationError) as raised:
            stranger.execute("file_list", {"path": "."})
        assert "tg_secret_and_wrong" not in f"{raised.value!r} {raised.value} {stranger!r} {vars(raised.value)}"


def test_a_gate_that_is_gone_is_a_failed_connection(clean_environment: pytest.MonkeyPatch) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        with Toolgate(url=f"http://127.0.0.1:{taken.getsockname()[1]}", key="tg_x", agent="a", max_retries=1) as gone:
            with pytest.raises(ConnectionFailed, match="cannot be reached") as raised:
                gone.execute("file_list", {"path": "."})
    assert raised.value.retryable and not raised.value.sent


def test_an_answer_that_is_lost_is_collected_and_the_tool_ran_once(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("bash", "file_read")
    file = f"{uuid.uuid4()}.txt"
    with Toolgate(url=gate._settings.url, key=key_of(gate, name), agent=name, timeout=1.0, max_retries=0) as impatient:
        result = impatient.execute("bash", {"command": f"sleep 3; echo ran >> {file}"}, wait=120)
        assert result.success
    assert gate.execute("file_read", {"path": file}, agent=name).data.count("ran") == 1


@pytest.mark.anyio
async def test_the_async_client_does_the_same(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list?")
    async with AsyncToolgate(url=gate._settings.url, key=gate._settings.key, agent=name) as own:
        with Approver(gate, name, approved=True):
            assert (await own.execute("file_list", {"path": "."})).success
        with pytest.raises(DeniedError):
            await own.execute("bash", {"command": "ls"})
        assert [tool.name for tool in await own.tools()] == ["file_list"]
        assert (await own.validate("file_list")).requires_approval
        pending = await own.submit("file_list", {"path": "."})
        assert isinstance(pending, Pending)
        assert isinstance(await own.collect(pending.request_id), Pending)
        assert not await own.validate("bash")


def test_threads_share_a_client(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list")
    results: list[bool] = []
    threads = [
        threading.Thread(target=lambda: results.append(gate.execute("file_list", {"path": "."}, agent=name).success))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 6
