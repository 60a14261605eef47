"""OpenAI Agents SDK: ``Agent(tools=gated(tools))``."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from typing import Any, Unpack

from agents import FunctionTool, Tool
from agents.tool import set_function_tool_failure_error_function, with_function_tool_failure_error_handler
from agents.tool_context import ToolContext

from toolgate_client import Toolgate

from .calls import DEFAULT_WAIT, Guard, GuardOptions, Notice, Recorded, ToolCall
from .catalog import OfferedTool, RegisterOptions, ToolDescription, offered_tools, register_tools
from .connections import AwaitedConnection, BlockingConnection, Connection, GateOptions, finish

__all__ = ["gated", "register", "toolgate_tools"]


def gated(tools: Iterable[Tool], **options: Unpack[GuardOptions]) -> list[Tool]:
    """The same tools, under the gate. Approvals of the framework (``needs_approval``) are asked for as before, and replace no decision of the gate.

    :raises TypeError: a tool is not a function tool, so its runs cannot be intercepted here
    """
    guard = Guard(options)
    return [_gated(guard, tool) if guard.covers(tool.name) else tool for tool in tools]


def _gated(guard: Guard, tool: Tool) -> Tool:
    if not isinstance(tool, FunctionTool):
        raise TypeError(f"{tool.name} is not a function tool, so it cannot be put under the gate; name it in skip to use it without")
    if isinstance(tool, _GateTool):
        return tool
    inner = copy.copy(tool)
    # The framework turns an exception of the tool into text. That has to happen outside, or failures would be reported as successes.
    set_function_tool_failure_error_function(inner, None)

    async def permitted(context: ToolContext[Any], arguments: str) -> Any:
        try:
            parameters = json.loads(arguments or "{}")
        except ValueError:
            parameters = None
        if not isinstance(parameters, dict):
            return f"'{tool.name}' was not run: its arguments are not a JSON object."
        call = ToolCall(tool.name, parameters, context.tool_call_id)
        ended = await guard.run(call, lambda: inner.on_invoke_tool(context, arguments))
        match ended:
            case Notice(message):
                return message
            case Recorded(output):
                return output
            case _:
                return ended

    outer = copy.copy(tool)
    outer.on_invoke_tool = with_function_tool_failure_error_handler(permitted, lambda tool, error, arguments: None)
    # A copy of its own, since the handler is bound to the tool whose rules for failures it follows.
    return copy.copy(outer)


class _GateTool(FunctionTool):
    """A tool of the gate."""


def toolgate_tools(
    names: Iterable[str] | None = None, *, wait: float | None = DEFAULT_WAIT, **gate: Unpack[GateOptions]
) -> list[Tool]:
    """The gate's tools that the agent may use, for ``Agent(tools=…)``. The model is told why a call is refused or fails.

    :param names: only these
    :param wait: for how many seconds to wait for an approval
    """
    connection = AwaitedConnection(gate)
    return [_offered(connection, each, wait) for each in finish(offered_tools(BlockingConnection(gate), names))]


def _offered(connection: Connection, offered: OfferedTool, wait: float | None) -> FunctionTool:
    async def call(context: ToolContext[Any], arguments: str) -> str:
        answer = await offered.call(connection, json.loads(arguments or "{}"), wait)
        return answer.message if isinstance(answer, Notice) else answer

    return _GateTool(offered.name, offered.description, offered.input_schema, call, strict_json_schema=False)


def register(tools: Iterable[Tool], gate: Toolgate, **options: Unpack[RegisterOptions]) -> list[str]:
    """Registers the function tools among these at the gate, with the key of an operator or admin."""
    described = [
        ToolDescription(tool.name, tool.description, tool.params_json_schema)
        for tool in tools
        if isinstance(tool, FunctionTool)
    ]
    return register_tools(described, gate, options)
