"""OpenAI Agents SDK."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from agents import Agent, FunctionTool, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
from agents.items import ToolCallOutputItem, TResponseOutputItem
from effects import Deployments
from harness import Harness
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from scripted import END, Script, Told

from toolgate_client import Toolgate
from toolgate_integrations import GateOptions
from toolgate_integrations.openai_agents import gated, register, toolgate_tools


class ScriptedModel(Model):
    def __init__(self, script: Script) -> None:
        self._script = script

    async def get_response(self, *arguments: Any, **more: Any) -> ModelResponse:
        output: list[TResponseOutputItem] = [
            ResponseFunctionToolCall(
                type="function_call", name=each.tool, arguments=json.dumps(each.arguments), call_id=each.id
            )
            for each in self._script.next()
        ]
        if not output:
            text = ResponseOutputText(type="output_text", text=END, annotations=[])
            output = [ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def stream_response(self, *arguments: Any, **more: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def tool(deployments: Deployments, **options: Any) -> FunctionTool:
    return function_tool(
        deployments.deploy_slowly, name_override="deploy", description_override="Deploys to a host.", **options
    )


async def run(agent: Agent[Any]) -> Told:
    try:
        ended = await Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True))
    except Exception as raised:
        return Told([], raised)
    return Told([str(each.output) for each in ended.new_items if isinstance(each, ToolCallOutputItem)])


class OpenAIAgents(Harness):
    tool = "openai_deploy"
    failure_seen = "An error occurred while running the tool"

    def register(self, gate: Toolgate) -> list[str]:
        return register([tool(Deployments())], gate, prefix="openai_", capability="Deploy.Run")

    async def run(self, script: Script, deployments: Deployments, gate: GateOptions, **options: Any) -> Told:
        tools = gated([tool(deployments)], prefix="openai_", **gate, **options)
        return await run(Agent(name="agent", model=ScriptedModel(script), tools=tools))

    async def run_with_gate_tools(self, script: Script, gate: GateOptions) -> Told:
        tools = gated(toolgate_tools(**gate), **gate)
        return await run(Agent(name="agent", model=ScriptedModel(script), tools=tools))
