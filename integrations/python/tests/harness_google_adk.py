"""Google ADK."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from effects import Deployments
from google.adk.agents import LlmAgent
from google.adk.apps.app import App
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.runners import InMemoryRunner
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.function_tool import FunctionTool
from google.genai import types
from harness import Harness
from pydantic import PrivateAttr
from scripted import END, Script, Told

from toolgate_client import Toolgate
from toolgate_integrations import GateOptions
from toolgate_integrations.google_adk import ToolgatePlugin, register, toolgate_tools


class ScriptedLlm(BaseLlm):
    _script: Script = PrivateAttr()

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        calls = [
            types.Part(function_call=types.FunctionCall(id=each.id, name=each.tool, args=dict(each.arguments)))
            for each in self._script.next()
        ]
        yield LlmResponse(content=types.Content(role="model", parts=calls or [types.Part(text=END)]))


def model(script: Script) -> ScriptedLlm:
    scripted = ScriptedLlm(model="scripted")
    scripted._script = script
    return scripted


def tool(deployments: Deployments) -> BaseTool:
    async def deploy(host: str) -> str:
        """Deploys to a host."""
        return await deployments.deploy_slowly(host)

    return FunctionTool(deploy)


async def run(script: Script, tools: Sequence[BaseTool], plugins: list[BasePlugin], **options: Any) -> Told:
    agent = LlmAgent(name="agent", model=model(script), tools=[*tools], **options)
    runner = InMemoryRunner(app=App(name="app", root_agent=agent, plugins=plugins))
    session = await runner.session_service.create_session(app_name="app", user_id="user")
    told = Told([])
    start = types.Content(role="user", parts=[types.Part(text="go")])
    try:
        async for event in runner.run_async(user_id="user", session_id=session.id, new_message=start):
            for answer in event.get_function_responses():
                values = (answer.response or {}).values()
                told.results.append(" ".join(map(str, values)))
    except Exception as raised:
        told.raised = raised
    return told


class GoogleADK(Harness):
    tool = "adk_deploy"

    def register(self, gate: Toolgate) -> list[str]:
        return register([tool(Deployments())], gate, prefix="adk_", capability="Deploy.Run")

    async def run(self, script: Script, deployments: Deployments, gate: GateOptions, **options: Any) -> Told:
        return await run(script, [tool(deployments)], [ToolgatePlugin(prefix="adk_", **gate, **options)])

    async def run_with_gate_tools(self, script: Script, gate: GateOptions) -> Told:
        return await run(script, toolgate_tools(**gate), [ToolgatePlugin(**gate)])
