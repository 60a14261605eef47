"""What holds in every framework: what the model is told, what ran, and what is on record agree."""

from __future__ import annotations

import asyncio

import pytest
from approver import Approver
from conftest import MakeAgent
from effects import Deployments
from harness import Harness
from harness_claude_agent_sdk import ClaudeAgentSDK
from harness_langchain import BlockingLangChain
from scripted import Call, Script, Turn
from unreliable import FAILURES, UnreliableGate

from toolgate_client import Completed, Toolgate
from toolgate_integrations import GateOptions

pytestmark = pytest.mark.anyio


def deploy(harness: Harness, host: str) -> Call:
    return Call(harness.model_name("deploy"), {"host": host})


async def test_a_permitted_tool_runs_once_and_is_on_record(
    harness: Harness, agent: MakeAgent, deployments: Deployments
) -> None:
    caller, call = agent(harness.tool), deploy(harness, "staging")
    told = await harness.run(Script(call), deployments, caller.gate)
    assert deployments.hosts == ["staging"]
    assert told.results == ["deployed to staging"]
    (record,) = caller.records()
    assert (record.tool_name, record.status, record.executed_by) == (harness.tool, "COMPLETED", "client")
    assert (record["tool_call_id"], record.parameters) == (call.id, {"host": "staging"})
    on_record = caller.admin.collect(record.request_id, agent=caller.name)
    assert isinstance(on_record, Completed) and "deployed to staging" in on_record.result.data


async def test_a_denied_tool_does_not_run_and_the_model_is_told_why(
    harness: Harness, agent: MakeAgent, deployments: Deployments
) -> None:
    caller = agent("file_list")
    told = await harness.run(Script(deploy(harness, "production")), deployments, caller.gate)
    assert deployments.hosts == []
    (said,) = told.results
    assert "denied" in said and "not permitted" in said and "file_list" in said
    assert caller.statuses() == ["REFUSED"]


async def test_an_approved_tool_runs_and_a_refused_one_does_not(
    harness: Harness, agent: MakeAgent, deployments: Deployments, gate: Toolgate
) -> None:
    caller, other = agent(harness.tool + "?"), agent(harness.tool + "?")
    with Approver(gate, caller.name, approved=True), Approver(gate, other.name, approved=False, reason="not today"):
        approved, refused = await asyncio.gather(
            harness.run(Script(deploy(harness, "staging")), deployments, caller.gate),
            harness.run(Script(deploy(harness, "production")), deployments, other.gate),
        )
    assert deployments.hosts == ["staging"]
    assert approved.results == ["deployed to staging"]
    assert "denied" in refused.everything
    assert (caller.statuses(), other.statuses()) == (["COMPLETED"], ["REFUSED"])
    assert caller.records()[0]["approved_by"]


async def test_a_call_that_nobody_approves_does_not_run(
    harness: Harness, agent: MakeAgent, deployments: Deployments
) -> None:
    caller = agent(harness.tool + "?")
    told = await harness.run(Script(deploy(harness, "production")), deployments, caller.gate, wait=None)
    assert deployments.hosts == []
    assert "waits for a person's approval" in told.everything


async def test_a_tool_that_fails_is_on_record_as_failed(
    harness: Harness, agent: MakeAgent, deployments: Deployments
) -> None:
    caller = agent(harness.tool)
    told = await harness.run(Script(deploy(harness, "broken")), deployments, caller.gate)
    assert deployments.hosts == ["broken"]
    assert harness.failure_seen in told.everything
    (record,) = caller.records()
    assert record.status == "FAILED"
    assert "no route to host" in (record.result_summary or "")


async def test_nothing_runs_without_a_gate(harness: Harness, agent: MakeAgent, deployments: Deployments) -> None:
    caller = agent(harness.tool)
    gone: GateOptions = {"url": "http://127.0.0.1:9", "key": caller.gate["key"], "agent": caller.name, "max_retries": 0}
    told = await harness.run(Script(deploy(harness, "production")), deployments, gone)
    assert deployments.hosts == []
    assert "was not run" in told.everything and "127.0.0.1" not in told.everything


async def test_nothing_runs_with_a_broken_or_slow_gate(
    harness: Harness, agent: MakeAgent, deployments: Deployments, unreliable: UnreliableGate
) -> None:
    caller = agent(harness.tool)
    turns = [
        Turn((deploy(harness, behaviour),), lambda each=behaviour: unreliable.behave(each))  # type: ignore[misc]
        for behaviour in FAILURES
    ]
    through: GateOptions = {**caller.through(unreliable), "agent": caller.name}
    told = await harness.run(Script(*turns), deployments, through)
    assert deployments.hosts == []
    assert len(told.results) == len(FAILURES)
    assert all("was not run" in each for each in told.results)


async def test_a_result_that_cannot_be_recorded_is_withheld(
    harness: Harness, agent: MakeAgent, deployments: Deployments, unreliable: UnreliableGate
) -> None:
    caller = agent(harness.tool)
    deployments.running = lambda: unreliable.behave("cut")
    told = await harness.run(Script(deploy(harness, "staging")), deployments, caller.through(unreliable), expires_in=1)
    assert deployments.hosts == ["staging"]
    assert "deployed to staging" not in told.everything
    if isinstance(harness, ClaudeAgentSDK):
        assert told.results == []  # the run has ended
    else:
        assert "could not be recorded" in told.everything
    await until(caller.statuses, ["INTERRUPTED"])


async def test_parallel_calls_have_a_permit_each(harness: Harness, agent: MakeAgent, deployments: Deployments) -> None:
    caller = agent(harness.tool)
    calls = [deploy(harness, host) for host in ("one", "two", "two")]
    told = await harness.run(Script(Turn(tuple(calls))), deployments, caller.gate)
    assert sorted(deployments.hosts) == ["one", "two", "two"]
    assert told.results == ["deployed to one", "deployed to two", "deployed to two"]
    assert sorted(each["tool_call_id"] for each in caller.records()) == sorted(each.id for each in calls)


async def test_a_cancelled_run_is_not_on_record_as_completed(
    harness: Harness, agent: MakeAgent, deployments: Deployments
) -> None:
    if isinstance(harness, BlockingLangChain):
        return  # it cannot be cancelled
    caller, begun = agent(harness.tool), asyncio.Event()
    deployments.running = begun.set
    # Claude Code is ended with the run, and does not say so: the permit expires.
    expires = 1 if isinstance(harness, ClaudeAgentSDK) else None
    run = asyncio.create_task(
        harness.run(Script(deploy(harness, "never")), deployments, caller.gate, expires_in=expires)
    )
    await begun.wait()
    run.cancel()
    await asyncio.wait([run])
    await until(caller.statuses, ["INTERRUPTED" if expires else "FAILED"])


async def test_the_gates_own_tools_are_offered(harness: Harness, agent: MakeAgent) -> None:
    caller = agent("file_write", "file_read")
    write = Call(harness.model_name("file_write"), {"path": "note.txt", "content": "hello"})
    read = Call(harness.model_name("file_read"), {"path": "note.txt"})
    missing = Call(harness.model_name("file_read"), {"path": "missing.txt"})
    told = await harness.run_with_gate_tools(Script(write, read, missing), caller.gate)
    assert len(told.results) == 3
    assert "hello" in told.results[1] and "missing.txt" in told.results[2]
    records = caller.records()
    assert [each.status for each in records] == ["COMPLETED", "COMPLETED", "FAILED"]
    assert {each.executed_by for each in records} == {"gate"}


async def until(get: object, wanted: object) -> None:
    assert callable(get)
    deadline = asyncio.get_running_loop().time() + 60
    while (found := get()) != wanted:
        assert asyncio.get_running_loop().time() < deadline, f"{found}, not {wanted}"
        await asyncio.sleep(0.1)
