"""Google ADK: ``Runner(…, plugins=[ToolgatePlugin()])``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from google.adk.agents.invocation_context import InvocationContext
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from toolgate_client import Toolgate

from .calls import DEFAULT_WAIT, Failed, Guard, GuardOptions, Notice, PermittedCall, Recorded, Succeeded, ToolCall, failure
from .catalog import OfferedTool, RegisterOptions, ToolDescription, offered_tools, register_tools
from .connections import AwaitedConnection, BlockingConnection, Connection, GateOptions, finish

__all__ = ["GateTool", "ToolgatePlugin", "register", "toolgate_tools"]


class ToolgatePlugin(BasePlugin):
    """Puts the tools of all agents of a runner under the gate. List it last: a plugin after it, or a callback of an agent, could change the arguments of a call that is
    permitted already. Such a call is recorded as failed, and its result withheld.

    """

    def __init__(self, name: str = "toolgate", **options: Unpack[GuardOptions]) -> None:
        super().__init__(name=name)
        self._guard = Guard(options)
        self._permitted: dict[tuple[str, str], PermittedCall] = {}

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        if isinstance(tool, GateTool) or not self._guard.covers(tool.name):
            return None
        begun = await self._guard.begin(ToolCall(tool.name, tool_args, tool_context.function_call_id))
        match begun:
            case PermittedCall():
                self._permitted[_key(tool_context)] = begun
                return None
            case Recorded(output):
                return {"result": output}
            case Notice(message):
                return {"error": message}

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: dict[str, Any]
    ) -> dict[str, Any] | None:
        # It is called for refused calls, too, which have no permit.
        permitted = self._permitted.pop(_key(tool_context), None)
        if permitted is None:
            return None
        if permitted.parameters != tool_args:
            changed = "The arguments were changed after the call was permitted"
            await permitted.report(Failed(changed, {"arguments": tool_args}))
            return {"error": f"{changed}, so the result is withheld."}
        error = result.get("error") if isinstance(result, dict) and len(result) == 1 else None
        notice = await permitted.report(Failed(str(error)) if error else Succeeded(result))
        return {"error": notice.message} if notice else None

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: BaseException
    ) -> dict[str, Any] | None:
        permitted = self._permitted.pop(_key(tool_context), None)
        if permitted is not None:
            await permitted.report(failure(error))
        return None

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        await self._abandoned(invocation_context)

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: BaseException) -> None:
        await self._abandoned(invocation_context)

    async def _abandoned(self, invocation_context: InvocationContext) -> None:
        """Reports permits of calls that did not return, because another callback failed."""
        for key in [each for each in self._permitted if each[0] == invocation_context.invocation_id]:
            await self._permitted.pop(key).report(Failed("The run ended before the tool did"))


def _key(context: ToolContext) -> tuple[str, str]:
    return context.invocation_id, context.function_call_id or ""


class GateTool(BaseTool):
    """A tool of the gate."""

    def __init__(self, connection: Connection, offered: OfferedTool, wait: float | None) -> None:
        super().__init__(name=offered.name, description=offered.description)
        self._connection, self._offered, self._wait = connection, offered, wait

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._offered.input_schema
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> dict[str, Any]:
        answer = await self._offered.call(self._connection, args, self._wait)
        return {"error": answer.message} if isinstance(answer, Notice) else {"result": answer}


def toolgate_tools(
    names: Iterable[str] | None = None, *, wait: float | None = DEFAULT_WAIT, **gate: Unpack[GateOptions]
) -> list[BaseTool]:
    """The gate's tools that the agent may use, for ``Agent(tools=…)``. The model is told why a call is refused or fails.

    :param names: only these
    :param wait: for how many seconds to wait for an approval
    """
    connection = AwaitedConnection(gate)
    return [GateTool(connection, each, wait) for each in finish(offered_tools(BlockingConnection(gate), names))]


def register(tools: Iterable[BaseTool], gate: Toolgate, **options: Unpack[RegisterOptions]) -> list[str]:
    """Registers tools at the gate, with the key of an operator or admin."""
    return register_tools(map(_described, tools), gate, options)


def _described(tool: BaseTool) -> ToolDescription:
    declared = tool._get_declaration()
    schema: Any = {"type": "object"}
    if declared is not None and declared.parameters_json_schema is not None:
        schema = declared.parameters_json_schema
    elif declared is not None and declared.parameters is not None:
        schema = declared.parameters.json_schema.model_dump(mode="json", exclude_none=True, by_alias=True)
    return ToolDescription(tool.name, tool.description, schema)
