"""LangChain, blocking and awaited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from effects import Deployments
from harness import Harness
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from scripted import END, Script, Told

from toolgate_client import Toolgate
from toolgate_integrations import GateOptions
from toolgate_integrations.langchain import ToolgateMiddleware, register, toolgate_tools

START: Any = {"messages": [("user", "go")]}


class ScriptedChatModel(GenericFakeChatModel):
    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Any:
        return self


def model(script: Script) -> ScriptedChatModel:
    def messages() -> Iterator[AIMessage | str]:
        while calls := script.next():
            yield AIMessage(
                "",
                tool_calls=[
                    {"name": each.tool, "args": dict(each.arguments), "id": each.id, "type": "tool_call"}
                    for each in calls
                ],
            )
        yield END

    return ScriptedChatModel(messages=messages())


def tool(deployments: Deployments) -> BaseTool:
    return StructuredTool.from_function(
        deployments.deploy, coroutine=deployments.deploy_slowly, name="deploy", description="Deploys to a host."
    )


def told(state: Any) -> list[str]:
    return [str(each.content) for each in state["messages"] if isinstance(each, ToolMessage)]


class LangChain(Harness):
    """Awaited."""

    tool = "langchain_deploy"

    def register(self, gate: Toolgate) -> list[str]:
        return register([tool(Deployments())], gate, prefix="langchain_", capability="Deploy.Run")

    async def run(self, script: Script, deployments: Deployments, gate: GateOptions, **options: Any) -> Told:
        middleware = ToolgateMiddleware(prefix="langchain_", **gate, **options)
        agent = create_agent(model(script), [tool(deployments)], middleware=[middleware])
        return await self._told(agent)

    async def run_with_gate_tools(self, script: Script, gate: GateOptions) -> Told:
        agent = create_agent(model(script), toolgate_tools(**gate), middleware=[ToolgateMiddleware(**gate)])
        return await self._told(agent)

    async def _told(self, agent: Any) -> Told:
        try:
            return Told(told(await agent.ainvoke(START)))
        except Exception as raised:
            return Told([], raised)


class BlockingLangChain(LangChain):
    """Blocking."""

    async def _told(self, agent: Any) -> Told:
        try:
            return Told(told(agent.invoke(START)))
        except Exception as raised:
            return Told([], raised)
