"""LangChain and LangGraph: other middleware, and graphs that are interrupted and continued."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from conftest import Agent, MakeAgent
from effects import Deployments
from harness_langchain import START, LangChain, model, told, tool
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ToolRetryMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START as FIRST, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt
from scripted import Call, Script

from toolgate_client import Toolgate
from toolgate_integrations.langchain import ToolgateMiddleware

NAME = LangChain.tool
THREAD: RunnableConfig = {"configurable": {"thread_id": "1"}}


@pytest.fixture(autouse=True)
def registered(toolgate_server: Toolgate) -> None:
    LangChain().register(toolgate_server)


class Flaky(Deployments):
    """Fails twice."""

    def deploy(self, host: str) -> str:
        self.hosts.append(host)
        if len(self.hosts) < 3:
            raise OSError("no route to host")
        return "deployed at last"


def gated(caller: Agent, **options: Any) -> ToolgateMiddleware:
    return ToolgateMiddleware(prefix="langchain_", **caller.gate, **options)


def script(host: str) -> Script:
    return Script(Call("deploy", {"host": host}))


@pytest.mark.parametrize("place", ["inside", "outside"])
def test_every_retry_has_a_permit_of_its_own(agent: MakeAgent, place: str) -> None:
    caller, flaky = agent(NAME), Flaky()
    retry = ToolRetryMiddleware(max_retries=3, initial_delay=0, jitter=False)
    middleware = [gated(caller), retry] if place == "inside" else [retry, gated(caller)]
    ended = create_agent(model(script("staging")), [tool(flaky)], middleware=middleware).invoke(START)
    assert told(ended) == ["deployed at last"]
    assert caller.statuses() == ["FAILED", "FAILED", "COMPLETED"]
    assert len({each.request_id for each in caller.records()}) == 3


def test_arguments_that_other_middleware_changes_need_a_decision(
    agent: MakeAgent, deployments: Deployments, gate: Toolgate
) -> None:
    class Redirect(AgentMiddleware[Any, Any, Any]):
        def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
            return handler(request.override(tool_call={**request.tool_call, "args": {"host": "production"}}))

    caller = agent()
    gate.permissions.grant(caller.name, NAME, condition='params.host == "staging"')
    middleware = [gated(caller), Redirect()]
    ended = create_agent(model(script("staging")), [tool(deployments)], middleware=middleware).invoke(START)
    assert deployments.hosts == []
    assert "denied" in told(ended)[0]
    assert sorted(caller.statuses()) == ["FAILED", "REFUSED"]


def test_a_tool_that_other_middleware_adds_is_decided_about(agent: MakeAgent, deployments: Deployments) -> None:
    class Adds(AgentMiddleware[Any, Any, Any]):
        def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
            return handler(request.override(tool=tool(deployments)))

    other = StructuredTool.from_function(lambda: "", name="other", description="Another one.")
    denied, allowed = agent(), agent(NAME)
    for caller in (denied, allowed):
        create_agent(model(script(caller.name)), [other], middleware=[gated(caller), Adds()]).invoke(START)
    assert deployments.hosts == [allowed.name]
    assert (denied.statuses(), allowed.statuses()) == (["REFUSED"], ["COMPLETED"])


def asking(deployments: Deployments) -> StructuredTool:
    def deploy(host: str) -> str:
        return deployments.deploy(str(interrupt(f"Really to {host}?")))

    return StructuredTool.from_function(deploy, name="deploy", description="Deploys to a host, after a question.")


def test_an_interrupted_run_continues_with_the_same_permit(agent: MakeAgent, deployments: Deployments) -> None:
    caller = agent(NAME)
    graph = create_agent(
        model(script("staging")), [asking(deployments)], middleware=[gated(caller)], checkpointer=InMemorySaver()
    )
    assert "Really to staging?" in str(graph.invoke(START, THREAD)["__interrupt__"])
    assert deployments.hosts == []
    assert told(graph.invoke(Command(resume="staging-2"), THREAD)) == ["deployed to staging-2"]
    assert caller.statuses() == ["COMPLETED"]


def test_a_tool_that_has_run_does_not_run_again_with_its_step(agent: MakeAgent, deployments: Deployments) -> None:
    def confirm() -> str:
        return str(interrupt("Go on?"))

    caller, middleware = agent(NAME, "langchain_confirm"), None
    caller.admin.external_tools.register("langchain_confirm", description="Asks.", input_schema={"type": "object"})
    middleware = gated(caller)
    confirming = StructuredTool.from_function(confirm, name="confirm", description="Asks.")
    calls = [{"name": "deploy", "args": {"host": "staging"}, "id": "1"}, {"name": "confirm", "args": {}, "id": "2"}]
    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([tool(deployments), confirming], wrap_tool_call=middleware.wrap_tool_call))
    graph.add_edge(FIRST, "tools")
    graph.add_edge("tools", END)
    compiled = graph.compile(checkpointer=InMemorySaver())
    compiled.invoke({"messages": [AIMessage("", tool_calls=calls)]}, THREAD)
    assert deployments.hosts == ["staging"]
    assert told(compiled.invoke(Command(resume="yes"), THREAD)) == ["deployed to staging", "yes"]
    assert deployments.hosts == ["staging"]
    assert sorted(each.tool_name for each in caller.records()) == ["langchain_confirm", NAME]
    assert caller.statuses() == ["COMPLETED", "COMPLETED"]


def test_a_held_call_interrupts_the_graph_and_only_the_gate_approves(
    agent: MakeAgent, deployments: Deployments, gate: Toolgate
) -> None:
    caller = agent(NAME + "?")
    graph = create_agent(
        model(script("staging")),
        [tool(deployments)],
        middleware=[gated(caller, interrupt=True)],
        checkpointer=InMemorySaver(),
    )
    (asked,) = graph.invoke(START, THREAD)["__interrupt__"]
    approval = asked.value["toolgate"]["approval_id"]
    forged = graph.invoke(Command(resume={"approved": True, "approval_id": approval}), THREAD)
    assert forged["__interrupt__"][0].value["toolgate"]["approval_id"] == approval
    assert deployments.hosts == []
    gate.approvals.approve(approval, reason="test")
    assert told(graph.invoke(Command(resume=True), THREAD)) == ["deployed to staging"]
    assert deployments.hosts == ["staging"]
    assert caller.statuses() == ["COMPLETED"]


def test_what_is_skipped_runs_without_the_gate(agent: MakeAgent, deployments: Deployments) -> None:
    caller = agent()
    middleware = [gated(caller, skip=["deploy"])]
    create_agent(model(script("staging")), [tool(deployments)], middleware=middleware).invoke(START)
    assert deployments.hosts == ["staging"]
    assert caller.records() == []


def test_an_unknown_option_is_an_error(agent: MakeAgent) -> None:
    caller = agent()
    with pytest.raises(TypeError, match="skp"):
        gated(caller, skp=["deploy"])
    with pytest.raises(TypeError, match="skip"):
        gated(caller, skip="deploy")
