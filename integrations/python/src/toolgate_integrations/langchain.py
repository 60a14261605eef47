"""LangChain and LangGraph: ``create_agent(model, tools, middleware=[ToolgateMiddleware()])``."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeAlias, Unpack

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command, interrupt
from pydantic import PrivateAttr

from toolgate_client import Toolgate

from .calls import DEFAULT_WAIT, Failed, Guard, GuardOptions, Notice, PermittedCall, Recorded, Succeeded, ToolCall
from .catalog import OfferedTool, RegisterOptions, ToolDescription, offered_tools, register_tools
from .connections import AwaitedConnection, BlockingConnection, Connection, GateOptions, finish

__all__ = ["GateTool", "ToolgateMiddleware", "register", "toolgate_tools"]

Result: TypeAlias = ToolMessage | Command[Any]
Handler: TypeAlias = Callable[[ToolCallRequest], Awaitable[Result]]


class ToolgateMiddleware(AgentMiddleware[Any, Any, Any]):
    """Puts the tools of an agent under the gate.

    Every run of a tool has a permit of its own, wherever this is in the list of middleware and however often another one repeats the call. A step that LangGraph
    runs again, because it continues an interrupted run, continues with the same permit, and what has run before does not run again.

    :param interrupt: interrupt the graph when a call needs an approval, instead of waiting. Continue it, with any value, after the approval was given at the gate;
        the value approves nothing. Needs a checkpointer
    """

    def __init__(self, *, interrupt: bool = False, **options: Unpack[GuardOptions]) -> None:
        super().__init__()
        self.tools = []
        self._interrupts = interrupt
        if interrupt:
            options["wait"] = None
        self._blocking = Guard(options, BlockingConnection)
        self._awaited = Guard(options)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Result]) -> Result:
        async def blocking(inner: ToolCallRequest) -> Result:
            return handler(inner)

        return finish(self._wrapped(self._blocking, request, blocking))

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Result:
        return await self._wrapped(self._awaited, request, handler)

    async def _wrapped(self, guard: Guard, request: ToolCallRequest, handler: Handler) -> Result:
        if isinstance(request.tool, GateTool) or not guard.covers(request.tool_call["name"]):
            return await handler(request)
        call = _call(request)
        begun = await guard.begin(call)
        while self._interrupts and isinstance(begun, Notice) and begun.pending is not None:
            interrupt({"toolgate": dict(begun.pending)})
            begun = await guard.begin(call)
        if not isinstance(begun, PermittedCall):
            return _message(request.tool_call["name"], request.tool_call["id"], begun)
        if request.tool is None:
            # Another middleware may have a tool for it.
            ended = await begun.run(lambda: handler(request), _judged, (GraphBubbleUp,))
            return _message(call.tool, call.call_id, ended) if isinstance(ended, Notice) else ended
        runs = _Runs(guard, request.tool, call, begun)
        try:
            result = await handler(request.override(tool=runs.tool()))
        except GraphBubbleUp:
            runs.paused()
            raise
        except BaseException as problem:
            await runs.left(Failed(f"The tool was not run: {type(problem).__name__}"))
            raise
        notice = await runs.left(_judged(result))
        return _message(call.tool, call.call_id, notice) if notice else result


class _Runs:
    """The runs of a tool in one call of the middleware: the first has the permit that was asked for at the beginning, and any other one its own. So a retry inside, or
    arguments that another middleware has changed, need a decision of their own."""

    def __init__(self, guard: Guard, tool: BaseTool, call: ToolCall, first: PermittedCall) -> None:
        self._guard, self._tool, self._call, self._first = guard, tool, call, first
        self._begun = False

    def tool(self) -> BaseTool:
        """A copy of the tool that runs only with a permit."""
        inner = self._tool

        def invoke(input: Any, config: RunnableConfig | None = None, **more: Any) -> Any:
            async def run() -> Any:
                return inner.invoke(input, config, **more)

            return finish(self._permitted(input, run))

        def ainvoke(input: Any, config: RunnableConfig | None = None, **more: Any) -> Coroutine[Any, Any, Any]:
            return self._permitted(input, lambda: inner.ainvoke(input, config, **more))

        gated = inner.model_copy()
        # Attributes of this instance, not of its class: everything else about the tool stays unchanged.
        gated.__dict__.update(invoke=invoke, ainvoke=ainvoke)
        return gated

    async def _permitted(self, input: Any, run: Callable[[], Awaitable[Any]]) -> Any:
        visible = self._tool.args
        arguments = {name: value for name, value in input["args"].items() if name in visible}
        permitted = {name: value for name, value in self._first.parameters.items() if name in visible}
        begun: PermittedCall | Recorded | Notice
        if not self._begun and arguments == permitted:
            self._begun = True
            begun = self._first
        else:
            begun = await self._guard.begin(ToolCall(self._call.tool, arguments, self._call.call_id))
        if isinstance(begun, PermittedCall):
            ended = await begun.run(run, _judged, (GraphBubbleUp,))
            return _message(self._call.tool, self._call.call_id, ended) if isinstance(ended, Notice) else ended
        return _message(self._call.tool, self._call.call_id, begun)

    def paused(self) -> None:
        if not self._first.ended:
            self._first.pause()

    async def left(self, outcome: Succeeded | Failed) -> Notice | None:
        """Ends the first permit if no run has: another middleware has answered the call, or run something else."""
        return None if self._first.ended else await self._first.report(outcome)


def _call(request: ToolCallRequest) -> ToolCall:
    tool_call = request.tool_call
    info = request.runtime.execution_info if request.runtime is not None else None
    identifier = tool_call["id"]
    # The task id is the same only when LangGraph resumes an interrupted run.
    key = json.dumps([info.thread_id, info.task_id, identifier]) if info is not None and identifier else None
    return ToolCall(tool_call["name"], tool_call["args"], identifier, key)


def _message(tool: str, call_id: str | None, said: Notice | Recorded) -> ToolMessage:
    if isinstance(said, Recorded):
        return ToolMessage(said.output, name=tool, tool_call_id=call_id or "")
    return ToolMessage(said.message, name=tool, tool_call_id=call_id or "", status="error")


def _judged(result: Any) -> Succeeded | Failed:
    if isinstance(result, ToolMessage) and result.status == "error":
        return Failed(str(result.content))
    return Succeeded(_output(result))


def _output(result: Any) -> Any:
    match result:
        case ToolMessage():
            return result.content
        case Command():
            return str(result.update)
        case list():
            return [_output(each) for each in result]
        case _:
            return result


class GateTool(BaseTool):
    """A tool of the gate."""

    _offered: OfferedTool = PrivateAttr()
    _blocking: Connection = PrivateAttr()
    _awaited: Connection = PrivateAttr()
    _wait: float | None = PrivateAttr()

    def _run(self, **arguments: Any) -> str:
        return _text(finish(self._offered.call(self._blocking, arguments, self._wait)))

    async def _arun(self, **arguments: Any) -> str:
        return _text(await self._offered.call(self._awaited, arguments, self._wait))


def _text(answer: str | Notice) -> str:
    if isinstance(answer, Notice):
        raise ToolException(answer.message)
    return answer


def toolgate_tools(
    names: Iterable[str] | None = None, *, wait: float | None = DEFAULT_WAIT, **gate: Unpack[GateOptions]
) -> list[BaseTool]:
    """The gate's tools that the agent may use, for ``create_agent(tools=…)``. A call that is refused or fails is an error that the model sees.

    :param names: only these
    :param wait: for how many seconds to wait for an approval
    """
    blocking, awaited = BlockingConnection(gate), AwaitedConnection(gate)
    tools: list[BaseTool] = []
    for offered in finish(offered_tools(blocking, names)):
        tool = GateTool(
            name=offered.name,
            description=offered.description,
            args_schema=offered.input_schema,
            handle_tool_error=True,
        )
        tool._offered, tool._blocking, tool._awaited, tool._wait = offered, blocking, awaited, wait
        tools.append(tool)
    return tools


def register(tools: Iterable[BaseTool], gate: Toolgate, **options: Unpack[RegisterOptions]) -> list[str]:
    """Registers tools at the gate, with the key of an operator or admin."""
    return register_tools(map(_described, tools), gate, options)


def _described(tool: BaseTool) -> ToolDescription:
    shown = convert_to_openai_tool(tool)["function"]
    return ToolDescription(tool.name, tool.description, shown.get("parameters") or {"type": "object"})
