"""Claude Agent SDK: the tools of Claude Code itself, and hooks that fail or interfere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from claude_agent_sdk import HookMatcher
from conftest import MakeAgent
from harness_claude_agent_sdk import claude, run
from scripted import Call, Script

from toolgate_client import Toolgate
from toolgate_integrations.claude_agent_sdk import gated, register
from toolgate_integrations.connections import AwaitedConnection

NAME = "claude-code:Bash"
pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def registered(toolgate_server: Toolgate) -> None:
    assert register(["Bash"], toolgate_server) == [NAME]


async def test_commands_run_only_with_a_permit(agent: MakeAgent, gate: Toolgate, tmp_path: Path) -> None:
    caller, effects = agent(), tmp_path / "effects"
    gate.permissions.grant(caller.name, NAME, condition="!params.command.contains('forbidden')")
    commands = [f"echo forbidden >> {effects}", f"echo allowed >> {effects}", f"echo failed >> {effects}; exit 3"]
    script = Script(*(Call("Bash", {"command": each}) for each in commands))
    with claude(script, allowed_tools=["Bash"]) as (model, options):
        told = await run(model, gated(options, **caller.gate))
    assert effects.read_text().split() == ["allowed", "failed"]
    assert "denied" in told.results[0] and "Exit code 3" in told.results[2]
    assert caller.statuses() == ["REFUSED", "COMPLETED", "FAILED"]


async def test_a_command_does_not_run_if_the_hook_fails(
    agent: MakeAgent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*arguments: Any) -> Any:
        raise RuntimeError("a bug")

    caller, effects = agent(NAME), tmp_path / "effects"
    monkeypatch.setattr(AwaitedConnection, "authorize", broken)
    script = Script(Call("Bash", {"command": f"echo ran >> {effects}"}))
    with claude(script, allowed_tools=["Bash"]) as (model, options):
        told = await run(model, gated(options, **caller.gate))
    assert len(told.results) == 1
    assert not effects.exists()


async def test_a_command_that_another_hook_changes_ends_the_run(agent: MakeAgent, tmp_path: Path) -> None:
    effects = tmp_path / "effects"

    async def change(input: Any, tool_use_id: Any, context: Any) -> Any:
        changed = {"hookEventName": "PreToolUse", "updatedInput": {"command": f"echo changed >> {effects}"}}
        return {"hookSpecificOutput": {**changed, "permissionDecision": "allow"}}

    caller = agent(NAME)
    script = Script(Call("Bash", {"command": f"echo agreed >> {effects}"}), Call("Bash", {"command": "ls"}))
    with claude(script, hooks={"PreToolUse": [HookMatcher(hooks=[change])]}) as (model, options):
        told = await run(model, gated(options, **caller.gate))
    assert told.results == []
    (record,) = caller.records()
    assert record.status == "FAILED" and "changed" in (record.result_summary or "")


async def test_a_permit_is_reported_if_a_rule_denies_the_call(agent: MakeAgent, tmp_path: Path) -> None:
    caller, effects = agent(NAME), tmp_path / "effects"
    script = Script(Call("Bash", {"command": f"echo ran >> {effects}"}))
    with claude(script, settings='{"permissions": {"deny": ["Bash(echo:*)"]}}') as (model, options):
        await run(model, gated(options, **caller.gate))
    assert not effects.exists()
    assert caller.statuses() == ["FAILED"]
