"""Google ADK: other plugins and callbacks, which run after the gate was asked."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import MakeAgent
from effects import Deployments
from google.adk.agents import LlmAgent
from google.adk.apps.app import App
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.runners import InMemoryRunner
from google.adk.tools.function_tool import FunctionTool
from google.genai import types
from harness_google_adk import GoogleADK, model, run, tool
from scripted import Call, Script

from toolgate_client import Toolgate
from toolgate_integrations.google_adk import ToolgatePlugin

NAME = GoogleADK.tool
pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def registered(toolgate_server: Toolgate) -> None:
    GoogleADK().register(toolgate_server)


def script(host: str) -> Script:
    return Script(Call("deploy", {"host": host}))


async def test_arguments_changed_after_the_permit_withhold_the_result(
    agent: MakeAgent, deployments: Deployments
) -> None:
    def redirect(tool: Any, args: dict[str, Any], tool_context: Any) -> None:
        args["host"] = "production"

    caller = agent(NAME)
    plugin = ToolgatePlugin(prefix="adk_", **caller.gate)
    told = await run(script("staging"), [tool(deployments)], [plugin], before_tool_callback=redirect)
    assert "withheld" in told.everything and "deployed" not in told.everything
    (record,) = caller.records()
    assert record.status == "FAILED" and "changed" in (record.result_summary or "")


async def test_a_permit_is_reported_if_a_later_plugin_fails(agent: MakeAgent, deployments: Deployments) -> None:
    class Fails(BasePlugin):
        async def before_tool_callback(self, *, tool: Any, tool_args: Any, tool_context: Any) -> dict[str, Any] | None:
            raise OSError("no database")

    caller = agent(NAME)
    plugins: list[BasePlugin] = [ToolgatePlugin(prefix="adk_", **caller.gate), Fails("fails")]
    told = await run(script("staging"), [tool(deployments)], plugins)
    assert "no database" in told.everything
    assert deployments.hosts == []
    assert caller.statuses() == ["FAILED"]


async def test_an_error_that_the_tool_returns_is_a_failure(agent: MakeAgent) -> None:
    def deploy(host: str) -> dict[str, str]:
        """Deploys to a host."""
        return {"error": "no such host"}

    caller = agent(NAME)
    told = await run(script("nowhere"), [FunctionTool(deploy)], [ToolgatePlugin(prefix="adk_", **caller.gate)])
    assert told.results == ["no such host"]
    assert caller.statuses() == ["FAILED"]


async def test_a_confirmation_of_the_framework_replaces_no_decision(
    agent: MakeAgent, deployments: Deployments, gate: Toolgate
) -> None:
    caller = agent(NAME)

    async def deploy(host: str) -> str:
        """Deploys to a host."""
        return deployments.deploy(host)

    root = LlmAgent(name="agent", model=model(script("staging")), tools=[FunctionTool(deploy, require_confirmation=True)])
    app = App(name="app", root_agent=root, plugins=[ToolgatePlugin(prefix="adk_", **caller.gate)])
    runner = InMemoryRunner(app=app)
    asked = await runner.run_debug("go", quiet=True)
    (question,) = [each for event in asked for each in event.get_function_calls() if each.name != "deploy"]
    gate.permissions.clear(caller.name, NAME)
    confirmed = types.FunctionResponse(id=question.id, name=question.name, response={"confirmed": True})
    answer = types.Content(role="user", parts=[types.Part(function_response=confirmed)])
    again = runner.run_async(user_id="debug_user_id", session_id="debug_session_id", new_message=answer)
    events = [each async for each in again]
    answers = [each.response for event in events for each in event.get_function_responses()]
    assert "denied" in str(answers)
    assert deployments.hosts == []
    assert caller.statuses() == ["FAILED", "REFUSED"]
