"""Tools that the caller runs, against a real gate."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from approver import Approver

from toolgate_client import (
    AlreadyReported,
    AsyncToolgate,
    Completed,
    DeniedError,
    Failed,
    Toolgate,
    ToolgateError,
)

MakeAgent = Callable[..., str]
pytestmark = pytest.mark.integration
SCHEMA = {"type": "object", "properties": {"host": {"type": "string"}}, "required": ["host"]}


@pytest.fixture
def deploy(gate: Toolgate) -> str:
    name = f"deploy_{uuid.uuid4().hex[:12]}"
    gate.external_tools.register(name, description="Deploys.", input_schema=SCHEMA, capability="Deploy.Run")
    return name


def record(gate: Toolgate, name: str) -> Any:
    (found,) = gate.audit.list(agent_id=name, kind="call")
    return found


def test_the_end_of_the_block_reports_success(gate: Toolgate, agent: MakeAgent, deploy: str) -> None:
    name = agent(deploy)
    with gate.authorize(deploy, {"host": "staging"}, agent=name, tool_call_id="toolu_1") as permit:
        assert permit.parameters == {"host": "staging"}
        permit.output = {"services": 3}
    assert isinstance(permit.outcome, Completed)
    found = record(gate, name)
    assert (found.status, found.executed_by, found["tool_call_id"]) == ("COMPLETED", "client", "toolu_1")
    assert found.client.startswith("toolgate-python/")


def test_an_exception_in_the_block_reports_failure_and_goes_on(gate: Toolgate, agent: MakeAgent, deploy: str) -> None:
    name = agent(deploy)
    with pytest.raises(OSError, match="no route to host"):
        with gate.authorize(deploy, {"host": "staging"}, agent=name):
            raise OSError("no route to host")
    assert record(gate, name).status == "FAILED"


def test_a_block_that_is_interrupted_reports_nothing(gate: Toolgate, agent: MakeAgent, deploy: str) -> None:
    name = agent(deploy)
    with pytest.raises(KeyboardInterrupt):
        with gate.authorize(deploy, {"host": "staging"}, agent=name, expires_in=1) as permit:
            raise KeyboardInterrupt
    assert permit.outcome is None
    reached = gate.collect(permit.request_id, agent=name)
    while not isinstance(reached, Failed):
        reached = gate.collect(permit.request_id, agent=name)
    assert record(gate, name).status == "INTERRUPTED"
    with pytest.raises(ToolgateError) as raised:
        permit.succeeded("late")
    assert raised.value.status == 409


def test_a_denied_tool_does_not_run(gate: Toolgate, agent: MakeAgent, deploy: str, tmp_path: Path) -> None:
    name, mark = agent(), tmp_path / "ran"
    with pytest.raises(DeniedError):
        with gate.authorize(deploy, {"host": "production"}, agent=name):
            mark.touch()
    assert not mark.exists()


def test_arguments_that_do_not_fit_the_schema_give_no_permit(gate: Toolgate, agent: MakeAgent, deploy: str) -> None:
    with pytest.raises(ToolgateError, match="host"):
        gate.authorize(deploy, {}, agent=agent(deploy))


def test_a_held_permit_begins_when_it_is_approved(gate: Toolgate, agent: MakeAgent, deploy: str) -> None:
    name = agent(deploy + "?")
    with Approver(gate, name, approved=True):
        with gate.authorize(deploy, {"host": "production"}, agent=name) as permit:
            assert permit.parameters == {"host": "production"}


def test_the_same_id_gives_the_same_permit_until_it_is_reported(gate: Toolgate, agent: MakeAgent, deploy: str) -> None:
    name, identifier = agent(deploy), str(uuid.uuid4())
    first = gate.authorize(deploy, {"host": "staging"}, agent=name, request_id=identifier)
    again = gate.authorize(deploy, {"host": "staging"}, agent=name, request_id=identifier)
    assert again.expires_at == first.expires_at
    again.succeeded("once")
    with pytest.raises(AlreadyReported) as raised:
        gate.authorize(deploy, {"host": "staging"}, agent=name, request_id=identifier)
    assert raised.value.outcome.result.data == "once"
    assert len(list(gate.audit.list(agent_id=name, kind="call"))) == 1


@pytest.mark.anyio
async def test_the_async_client_reports_too(gate: Toolgate, agent: MakeAgent, deploy: str) -> None:
    name = agent(deploy)
    async with AsyncToolgate(url=gate._settings.url, key=gate._settings.key, agent=name) as own:
        async with await own.authorize(deploy, {"host": "staging"}) as permit:
            permit.output = "done"
        assert isinstance(permit.outcome, Completed)
        with pytest.raises(ValueError, match="broken"):
            async with await own.authorize(deploy, {"host": "staging"}) as permit:
                raise ValueError("broken")
    assert [each.status for each in gate.audit.list(agent_id=name, kind="call")] == ["FAILED", "COMPLETED"]
