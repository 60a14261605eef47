"""Pydantic AI: other capabilities, and approvals of the framework."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import MakeAgent
from effects import Deployments
from harness_pydantic_ai import PydanticAI, model, told, tool
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.capabilities import AbstractCapability
from scripted import Call, Script

from toolgate_client import Toolgate
from toolgate_integrations.pydantic_ai import ToolgateCapability

NAME = PydanticAI.tool
pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def registered(toolgate_server: Toolgate) -> None:
    PydanticAI().register(toolgate_server)


def script(host: str) -> Script:
    return Script(Call("deploy", {"host": host}))


async def test_arguments_that_a_hook_changes_are_those_that_are_decided_about(
    agent: MakeAgent, deployments: Deployments, gate: Toolgate
) -> None:
    class Redirect(AbstractCapability[Any]):
        async def before_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> dict[str, Any]:
            return {"host": "production"}

    caller = agent()
    gate.permissions.grant(caller.name, NAME, condition='params.host == "staging"')
    gated = ToolgateCapability(prefix="pydantic_", **caller.gate)
    ended = await Agent(model(script("staging")), tools=[tool(deployments)], capabilities=[gated, Redirect()]).run("go")
    assert deployments.hosts == []
    assert "denied" in told(ended.all_messages())[0]
    assert caller.statuses() == ["REFUSED"]


async def test_a_failure_that_a_hook_recovers_is_on_record(agent: MakeAgent, deployments: Deployments) -> None:
    class Recover(AbstractCapability[Any]):
        async def on_tool_execute_error(
            self, ctx: Any, *, call: Any, tool_def: Any, args: Any, error: Exception
        ) -> Any:
            return "never mind"

    caller = agent(NAME)
    gated = ToolgateCapability(prefix="pydantic_", **caller.gate)
    ended = await Agent(model(script("broken")), tools=[tool(deployments)], capabilities=[gated, Recover()]).run("go")
    assert told(ended.all_messages()) == ["never mind"]
    assert caller.statuses() == ["FAILED"]


async def test_every_repetition_by_a_capability_has_a_permit(agent: MakeAgent, deployments: Deployments) -> None:
    class Twice(AbstractCapability[Any]):
        async def wrap_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any, handler: Any) -> Any:
            return [await handler(args), await handler(args)]

    caller = agent(NAME)
    gated = ToolgateCapability(prefix="pydantic_", **caller.gate)
    await Agent(model(script("staging")), tools=[tool(deployments)], capabilities=[gated, Twice()]).run("go")
    assert deployments.hosts == ["staging", "staging"]
    assert caller.statuses() == ["COMPLETED", "COMPLETED"]


async def test_an_approval_of_the_framework_replaces_no_decision(agent: MakeAgent, deployments: Deployments) -> None:
    caller, call = agent(), Call("deploy", {"host": "production"})
    gated = ToolgateCapability(prefix="pydantic_", **caller.gate)
    asking = Agent(
        model(Script(call)),
        tools=[tool(deployments, requires_approval=True)],
        capabilities=[gated],
        output_type=[str, DeferredToolRequests],
    )
    paused = await asking.run("go")
    assert isinstance(paused.output, DeferredToolRequests)
    approved = DeferredToolResults(approvals={call.id: True})
    ended = await asking.run(message_history=paused.all_messages(), deferred_tool_results=approved)
    assert deployments.hosts == []
    assert "denied" in str(told(ended.all_messages()))
    assert caller.statuses() == ["REFUSED"]
