"""OpenAI Agents SDK: failures, approvals of the framework, and tools that it runs elsewhere."""

from __future__ import annotations

import pytest
from agents import Agent, RunConfig, Runner, WebSearchTool
from conftest import MakeAgent
from effects import Deployments
from harness_openai_agents import OpenAIAgents, ScriptedModel, run, tool
from scripted import Call, Script

from toolgate_client import Toolgate
from toolgate_integrations.openai_agents import gated

NAME = OpenAIAgents.tool
pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def registered(toolgate_server: Toolgate) -> None:
    OpenAIAgents().register(toolgate_server)


def script(host: str) -> Script:
    return Script(Call("deploy", {"host": host}))


async def test_the_tools_own_failure_function_answers_the_model(agent: MakeAgent, deployments: Deployments) -> None:
    caller = agent(NAME)
    failing = tool(deployments, failure_error_function=lambda context, error: f"sorry: {error}")
    tools = gated([failing], prefix="openai_", **caller.gate)
    told = await run(Agent(name="agent", model=ScriptedModel(script("broken")), tools=tools))
    assert told.results == ["sorry: no route to host"]
    assert caller.statuses() == ["FAILED"]


async def test_without_a_failure_function_the_error_ends_the_run(agent: MakeAgent, deployments: Deployments) -> None:
    caller = agent(NAME)
    tools = gated([tool(deployments, failure_error_function=None)], prefix="openai_", **caller.gate)
    told = await run(Agent(name="agent", model=ScriptedModel(script("broken")), tools=tools))
    assert "no route to host" in told.everything
    assert caller.statuses() == ["FAILED"]


async def test_a_tool_that_times_out_is_on_record_as_failed(agent: MakeAgent, deployments: Deployments) -> None:
    caller = agent(NAME)
    tools = gated([tool(deployments, timeout=3)], prefix="openai_", **caller.gate)
    told = await run(Agent(name="agent", model=ScriptedModel(script("never")), tools=tools))
    assert "timed out" in told.everything
    assert deployments.hosts == ["never"] and caller.statuses() == ["FAILED"]


async def test_an_approval_of_the_framework_replaces_no_decision(agent: MakeAgent, deployments: Deployments) -> None:
    caller = agent()
    tools = gated([tool(deployments, needs_approval=True)], prefix="openai_", **caller.gate)
    asking = Agent(name="agent", model=ScriptedModel(script("production")), tools=tools)
    config = RunConfig(tracing_disabled=True)
    paused = await Runner.run(asking, "go", run_config=config)
    state = paused.to_state()
    for each in paused.interruptions:
        state.approve(each)
    assert paused.interruptions
    ended = await Runner.run(asking, state, run_config=config)
    assert deployments.hosts == []
    assert "denied" in str(ended.to_input_list())
    assert caller.statuses() == ["REFUSED"]


def test_a_tool_that_runs_elsewhere_is_refused(agent: MakeAgent) -> None:
    caller = agent()
    with pytest.raises(TypeError, match="web_search"):
        gated([WebSearchTool()], **caller.gate)
    assert len(gated([WebSearchTool()], skip=["web_search"], **caller.gate)) == 1
