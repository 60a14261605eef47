"""Google ADK: other plugins and callbacks, which run after the gate was asked."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import MakeAgent
from effects import Deployments
from google.adk.plugins.base_plugin import BasePlugin
from harness_google_adk import GoogleADK, run, tool
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


async def test_arguments_changed_after_the_permit_are_on_record_and_the_result_withheld(
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
    from google.adk.tools.function_tool import FunctionTool

    def deploy(host: str) -> dict[str, str]:
        """Deploys to a host."""
        return {"error": "no such host"}

    caller = agent(NAME)
    told = await run(script("nowhere"), [FunctionTool(deploy)], [ToolgatePlugin(prefix="adk_", **caller.gate)])
    assert told.results == ["no such host"]
    assert caller.statuses() == ["FAILED"]
