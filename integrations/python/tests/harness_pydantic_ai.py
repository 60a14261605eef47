"""Pydantic AI."""

from __future__ import annotations

from typing import Any

from effects import Deployments
from harness import Harness
from pydantic_ai import Agent, Tool
from pydantic_ai.messages import ModelMessage, ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from scripted import END, Script, Told

from toolgate_client import Toolgate
from toolgate_integrations import GateOptions
from toolgate_integrations.pydantic_ai import ToolgateCapability, ToolgateToolset, register


def model(script: Script) -> FunctionModel:
    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        calls = [ToolCallPart(each.tool, dict(each.arguments), each.id) for each in script.next()]
        return ModelResponse(parts=calls if calls else [TextPart(END)])

    return FunctionModel(answer)


def tool(deployments: Deployments, **options: Any) -> Tool[None]:
    return Tool(deployments.deploy_slowly, name="deploy", description="Deploys to a host.", takes_ctx=False, **options)


def told(messages: list[ModelMessage]) -> list[str]:
    parts = [part for message in messages for part in message.parts]
    return [str(part.content) for part in parts if isinstance(part, ToolReturnPart | RetryPromptPart)]


async def run(agent: Agent[None, str]) -> Told:
    try:
        return Told(told((await agent.run("go")).all_messages()))
    except Exception as raised:
        return Told([], raised)


class PydanticAI(Harness):
    tool = "pydantic_deploy"

    def register(self, gate: Toolgate) -> list[str]:
        return register([tool(Deployments())], gate, prefix="pydantic_", capability="Deploy.Run")

    async def run(self, script: Script, deployments: Deployments, gate: GateOptions, **options: Any) -> Told:
        capability = ToolgateCapability(prefix="pydantic_", **gate, **options)
        return await run(Agent(model(script), tools=[tool(deployments)], capabilities=[capability]))

    async def run_with_gate_tools(self, script: Script, gate: GateOptions) -> Told:
        toolset, capability = ToolgateToolset(**gate), ToolgateCapability(**gate)
        return await run(Agent(model(script), toolsets=[toolset], capabilities=[capability]))
