"""Pydantic AI: ``Agent(model, capabilities=[ToolgateCapability()])``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Unpack

from pydantic_ai import AbstractToolset, RunContext, Tool, ToolDefinition, ToolReturn
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset
from pydantic_core import SchemaValidator, core_schema, to_jsonable_python

from toolgate_client import Toolgate

from .calls import DEFAULT_WAIT, Guard, GuardOptions, Notice, Recorded, Succeeded, ToolCall
from .catalog import OfferedTool, RegisterOptions, ToolDescription, offered_tools, register_tools
from .connections import AwaitedConnection, GateOptions

_MARK = "toolgate"
"""The metadata key of the gate's tools. Its value is an object of our own class, so a server that sends metadata cannot forge it."""

__all__ = ["ToolgateCapability", "ToolgateToolset", "register"]


class ToolgateCapability(AbstractCapability[Any]):
    """Puts the tools of an agent under the gate.

    Calls are decided at the innermost position, inside the hooks of all other capabilities: the gate sees the arguments that the tool gets and the error that it
    raises, and every repetition needs a permit of its own.

    """

    def __init__(self, **options: Unpack[GuardOptions]) -> None:
        self._guard = Guard(options)

    def get_ordering(self) -> CapabilityOrdering:
        return CapabilityOrdering(position="innermost")

    def get_wrapper_toolset(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        return _GatedToolset(toolset, self._guard)


@dataclass
class _GatedToolset(WrapperToolset[Any]):
    guard: Guard

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        if not self.guard.covers(name) or isinstance((tool.tool_def.metadata or {}).get(_MARK), OfferedTool):
            return await super().call_tool(name, tool_args, ctx, tool)
        parameters = to_jsonable_python(tool_args, serialize_unknown=True)
        call = ToolCall(name, parameters, ctx.tool_call_id)
        ended = await self.guard.run(call, lambda: self.wrapped.call_tool(name, tool_args, ctx, tool), _judged)
        match ended:
            case Notice(message):
                raise ToolFailed(message)
            case Recorded(output):
                return output
            case _:
                return ended


def _judged(result: Any) -> Succeeded:
    value = result.return_value if isinstance(result, ToolReturn) else result
    return Succeeded(to_jsonable_python(value, serialize_unknown=True))


@dataclass(kw_only=True)
class _GateTool(ToolsetTool[Any]):
    offered: OfferedTool


class ToolgateToolset(AbstractToolset[Any]):
    """The gate's tools that the agent may use, for ``Agent(toolsets=[ToolgateToolset()])``; listed again for every run. A call that is refused or fails is a failure that
    the model sees.

    :param names: only these
    :param wait: for how many seconds to wait for an approval
    """

    def __init__(
        self, names: Iterable[str] | None = None, *, wait: float | None = DEFAULT_WAIT, **gate: Unpack[GateOptions]
    ) -> None:
        self._names = None if names is None else list(names)
        self._wait = wait
        self._connection = AwaitedConnection(gate)

    @property
    def id(self) -> str | None:
        return "toolgate"

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        return {
            offered.name: _GateTool(
                toolset=self,
                tool_def=ToolDefinition(
                    name=offered.name,
                    description=offered.description,
                    parameters_json_schema=offered.input_schema,
                    metadata={_MARK: offered},
                ),
                max_retries=0,
                args_validator=SchemaValidator(core_schema.dict_schema(core_schema.str_schema())),
                offered=offered,
            )
            for offered in await offered_tools(self._connection, self._names)
        }

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        assert isinstance(tool, _GateTool)
        answer = await tool.offered.call(self._connection, tool_args, self._wait)
        if isinstance(answer, Notice):
            raise ToolFailed(answer.message)
        return answer


def register(tools: Iterable[Tool[Any]], gate: Toolgate, **options: Unpack[RegisterOptions]) -> list[str]:
    """Registers tools at the gate, with the key of an operator or admin."""
    described = [
        ToolDescription(tool.name, tool.description or "", tool.function_schema.json_schema) for tool in tools
    ]
    return register_tools(described, gate, options)
