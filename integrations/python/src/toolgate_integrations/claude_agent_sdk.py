"""Claude Agent SDK: ``query(prompt=…, options=gated(options))``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, Unpack, cast

from claude_agent_sdk import ClaudeAgentOptions, HookContext, HookMatcher
from claude_agent_sdk.types import HookInput, HookJSONOutput, McpHttpServerConfig

from toolgate_client import Toolgate
from toolgate_client.flows import DEFAULT_URL

from .calls import DEFAULT_WAIT, Failed, Guard, GuardOptions, Notice, PermittedCall, Recorded, Succeeded, ToolCall
from .catalog import RegisterOptions, ToolDescription, register_tools

__all__ = ["gated", "register", "toolgate_server"]

PREFIX = "claude-code:"
"""The same names as with the HTTP hook of Claude Code."""
SERVER = "toolgate"
MARGIN = 300.0
"""For how many seconds the gate may be asked, in addition to the wait for an approval, until Claude Code gives up and blocks the call."""


def gated(options: ClaudeAgentOptions | None = None, **guarding: Unpack[GuardOptions]) -> ClaudeAgentOptions:
    """The same options, with all tools under the gate: those of Claude Code, and those of MCP servers except that of the gate (:func:`toolgate_server`). Hooks that are set
    already stay. A permitted call runs without a question, unless a rule or another hook denies it.

    """
    chosen = options or ClaudeAgentOptions()
    calls = _Calls(Guard({"prefix": PREFIX, **guarding}))
    hooks = {event: list(matchers) for event, matchers in (chosen.hooks or {}).items()}
    # Without on_failure Claude Code runs a tool when its hook raises or takes too long.
    ask = HookMatcher(hooks=[calls.before], timeout=(guarding.get("wait", DEFAULT_WAIT) or 0.0) + MARGIN, on_failure="block")
    hooks["PreToolUse"] = [*hooks.get("PreToolUse", []), ask]
    hooks["PostToolUse"] = [*hooks.get("PostToolUse", []), HookMatcher(hooks=[calls.after])]
    hooks["PostToolUseFailure"] = [*hooks.get("PostToolUseFailure", []), HookMatcher(hooks=[calls.failed])]
    hooks["Stop"] = [*hooks.get("Stop", []), HookMatcher(hooks=[calls.stopped])]
    return replace(chosen, hooks=hooks)


class _Calls:
    """The permits of calls that have begun, by session and the model's id of the call."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._permitted: dict[tuple[str, str], PermittedCall] = {}

    async def before(self, input: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        event = cast(dict[str, Any], input)
        tool = event["tool_name"]
        if not self._guard.covers(tool) or tool.startswith(f"mcp__{SERVER}__"):
            return {}
        begun = await self._guard.begin(ToolCall(tool, event["tool_input"], event["tool_use_id"]))
        match begun:
            case PermittedCall():
                self._permitted[_key(event)] = begun
                return _decision("allow", "Toolgate permits this call")
            case Recorded():
                return _decision("deny", "This call has run before, and must not run again.")
            case Notice(message):
                return _decision("deny", message)

    async def after(self, input: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        event = cast(dict[str, Any], input)
        permitted = self._permitted.pop(_key(event), None)
        if permitted is None:
            return {}
        if permitted.parameters != event["tool_input"]:
            changed = "The arguments were changed after the call was permitted"
            await permitted.report(Failed(changed, {"arguments": event["tool_input"]}))
            return _stop(f"{changed}.")
        notice = await permitted.report(Succeeded(event.get("tool_response")))
        return _stop(notice.message) if notice else {}

    async def failed(self, input: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        event = cast(dict[str, Any], input)
        permitted = self._permitted.pop(_key(event), None)
        if permitted is not None:
            await permitted.report(Failed(str(event.get("error"))))
        return {}

    async def stopped(self, input: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        """Reports permits of calls that were never reported, because a rule or another hook denied them."""
        session = cast(dict[str, Any], input)["session_id"]
        for key in [each for each in self._permitted if each[0] == session]:
            await self._permitted.pop(key).report(Failed("The tool did not run, or the run ended before it did"))
        return {}


def _key(event: dict[str, Any]) -> tuple[str, str]:
    return event["session_id"], event["tool_use_id"]


def _decision(decision: Literal["allow", "deny"], reason: str) -> HookJSONOutput:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": decision,
            "permissionDecisionReason": reason,
        }
    }


def _stop(reason: str) -> HookJSONOutput:
    """Ends the run: the output of a tool that has run cannot be kept from the model otherwise."""
    return {"continue_": False, "stopReason": reason}


def toolgate_server(*, url: str | None = None, key: str | None = None, agent: str | None = None) -> McpHttpServerConfig:
    """The gate as an MCP server, with the tools that the agent may use: ``ClaudeAgentOptions(mcp_servers={"toolgate": toolgate_server()})``."""
    address = (url or os.environ.get("TOOLGATE_URL") or DEFAULT_URL).rstrip("/")
    secret = key or os.environ.get("TOOLGATE_KEY")
    name = agent or os.environ.get("TOOLGATE_AGENT")
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    if name:
        headers["X-Agent-ID"] = name
    return {"type": "http", "url": f"{address}/mcp", "headers": headers}


def register(tools: Iterable[str | ToolDescription], gate: Toolgate, **options: Unpack[RegisterOptions]) -> list[str]:
    """Registers tools at the gate, with the key of an operator or admin: names, or descriptions with a schema for the arguments."""
    described = [ToolDescription(tool) if isinstance(tool, str) else tool for tool in tools]
    return register_tools(described, gate, {"prefix": PREFIX, **options})
