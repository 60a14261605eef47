"""A call of a framework's own tool, under the gate: decided there, run here, recorded there.

:class:`Guard` asks for the permit. What it returns says what to do: run the tool and report (:class:`PermittedCall`), use what is on record (:class:`Recorded`), or
tell the model why the tool did not run (:class:`Notice`). Any error before the permit becomes a notice, so that nothing runs without a permit.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import uuid
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from toolgate_client import AlreadyReported, ApprovalPending, DeniedError, ToolFailed, ToolgateError

from .connections import AuthorizeOptions, AwaitedConnection, Connection, GateOptions, ReportableCall

T = TypeVar("T")
DEFAULT_WAIT = 600.0
MAX_ATTEMPTS = 100
_REQUEST_IDS = uuid.UUID("5f0c3ce5-5d3e-4a3c-8d3b-5d6b6c1f6a52")
_ABOUT_THE_CALL = {"INVALID_REQUEST", "RATE_LIMITED", "REQUEST_ID_TAKEN", "TOOL_NOT_FOUND"}
"""Errors that concern the call, not the gate."""
_log = logging.getLogger("toolgate_integrations")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model wants to make.

    :param parameters: JSON values
    :param call_id: the id that the model gave the call, for the record
    :param key: the same if a framework repeats the call because it resumes an interrupted run; None if it never does
    """

    tool: str
    parameters: Mapping[str, Any]
    call_id: str | None = None
    key: str | None = None

    def request_id(self, attempt: int) -> str:
        """Each attempt at a call has a request id, and with it a permit and a record, of its own."""
        if self.key is None:
            return str(uuid.uuid4())
        return str(uuid.uuid5(_REQUEST_IDS, json.dumps([self.tool, self.key, attempt])))


@dataclass(frozen=True, slots=True)
class Notice:
    """What the model is told in place of a result. ``pending`` are the facts about the approval that the call waits for."""

    message: str
    pending: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """The call has run before; this is its output on record. It must not run again."""

    output: str


@dataclass(frozen=True, slots=True)
class Succeeded:
    """What is reported about a tool that succeeded: text or any other JSON value."""

    output: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """What is reported about a tool that failed."""

    error: str
    output: Any = None


class GuardOptions(GateOptions, total=False):
    """The options of every drop-in: where the gate is, as whom to call it, and these."""

    prefix: str
    """Put before a tool's name to make its name at the gate."""
    skip: Collection[str]
    """Names of tools that are not put under the gate."""
    wait: float | None
    """For how many seconds to wait for an approval, 600 by default; None: not at all."""
    expires_in: int | None
    """The lifetime of permits in seconds; longer than the slowest tool takes. Default: the gate's."""


class Guard:
    """Asks the gate for permits.

    :param connect: how to reach the gate
    """

    def __init__(
        self, options: GuardOptions, connect: Callable[[GateOptions], Connection] = AwaitedConnection
    ) -> None:
        unknown = options.keys() - GuardOptions.__annotations__.keys()
        if unknown:
            raise TypeError(f"There is no option {', '.join(sorted(unknown))}")
        skip = options.get("skip", ())
        if isinstance(skip, str):
            raise TypeError("skip is a list of names, not one name")
        where = {name: value for name, value in options.items() if name in GateOptions.__annotations__}
        self._connection = connect(cast(GateOptions, where))
        self._prefix, self._skip = options.get("prefix", ""), frozenset(skip)
        self._wait, self._expires_in = options.get("wait", DEFAULT_WAIT), options.get("expires_in")
        self._running: set[str] = set()
        self._lock = threading.Lock()

    def covers(self, tool: str) -> bool:
        """Whether a tool is under the gate."""
        return tool not in self._skip

    async def begin(self, call: ToolCall) -> PermittedCall | Recorded | Notice:
        """Asks for a permit. A call with a key that failed before is a new attempt, with a permit of its own."""
        try:
            parameters = json.loads(json.dumps(dict(call.parameters), allow_nan=False))
        except (TypeError, ValueError):
            return Notice(f"'{call.tool}' was not run: its arguments are not JSON values.")
        for attempt in range(MAX_ATTEMPTS):
            request_id = call.request_id(attempt)
            if not self._reserve(request_id):
                continue
            permitted: PermittedCall | None = None
            try:
                permitted = await self._permitted(call, parameters, request_id)
                if permitted.parameters != parameters:
                    await permitted.report(Failed("Not run: the permit is for other arguments"))
                    return Notice(f"'{call.tool}' was not run: it is permitted with other arguments only.")
                return permitted
            except AlreadyReported as ran:
                return Recorded(ran.outcome.result.data)
            except ToolFailed as failed:
                if call.key is None or failed.code != "TOOL_EXECUTION_FAILED":
                    return refused(call.tool, failed)
            except ToolgateError as problem:
                return refused(call.tool, problem)
            finally:
                if permitted is None:
                    self.release(request_id)
        return Notice(f"'{call.tool}' was not run: {MAX_ATTEMPTS} attempts at this call have failed.")

    async def _permitted(self, call: ToolCall, parameters: Mapping[str, Any], request_id: str) -> PermittedCall:
        options = AuthorizeOptions(
            tool_call_id=call.call_id, request_id=request_id, expires_in=self._expires_in, wait=self._wait
        )
        permit = await self._connection.authorize(self._prefix + call.tool, parameters, options)
        return PermittedCall(self, call.tool, permit)

    async def run(
        self, call: ToolCall, execute: Callable[[], Awaitable[T]], judged: Callable[[T], Succeeded | Failed] = Succeeded
    ) -> T | Recorded | Notice:
        """Runs a tool if the gate permits it, and reports the outcome."""
        begun = await self.begin(call)
        if not isinstance(begun, PermittedCall):
            return begun
        ended: T | Notice = await begun.run(execute, judged)
        return ended

    def _reserve(self, request_id: str) -> bool:
        """False if a run of this process is using the permit now."""
        with self._lock:
            if request_id in self._running:
                return False
            self._running.add(request_id)
            return True

    def release(self, request_id: str) -> None:
        with self._lock:
            self._running.discard(request_id)


class PermittedCall:
    """A permit for one run of a tool, to be reported once."""

    def __init__(self, guard: Guard, tool: str, permit: ReportableCall) -> None:
        self._guard, self._tool, self._permit = guard, tool, permit
        self.parameters: Mapping[str, Any] = permit.parameters
        self.ended = False

    async def run(
        self,
        execute: Callable[[], Awaitable[T]],
        judged: Callable[[T], Succeeded | Failed],
        pauses: tuple[type[Exception], ...] = (),
    ) -> T | Notice:
        """Runs the tool and reports.

        :param judged: what a result means: tools may return an error instead of raising it
        :param pauses: exceptions by which the framework interrupts a run that it continues later, under the same permit
        """
        try:
            result = await execute()
        except pauses:
            self.pause()
            raise
        except (Exception, asyncio.CancelledError) as problem:
            await self.report(failure(problem))
            raise
        except BaseException:
            # The program is being ended: nothing is reported, and the gate records INTERRUPTED when the permit expires.
            self.pause()
            raise
        return await self.report(judged(result)) or result

    async def report(self, outcome: Succeeded | Failed) -> Notice | None:
        """Reports the outcome, and returns what to tell the model if it could not be recorded."""
        self.ended = True
        try:
            match outcome:
                case Succeeded(output):
                    await self._permit.succeeded(output)
                case Failed(error, output):
                    await self._permit.failed(error, output)
        except (ToolgateError, TimeoutError) as problem:
            _log.warning("Call %s: the outcome of %s could not be reported: %s", self._permit.request_id, self._tool, problem)
            return Notice(
                f"'{self._tool}' ran, but its outcome could not be recorded, so it is withheld. Do not call it again for the same purpose."
            )
        finally:
            self._guard.release(self._permit.request_id)
        return None

    def pause(self) -> None:
        """Leaves the permit open."""
        self.ended = True
        self._guard.release(self._permit.request_id)


def failure(problem: BaseException) -> Failed:
    """What is reported about a tool that raised."""
    if isinstance(problem, asyncio.CancelledError):
        return Failed("Cancelled while the tool was running; what it has done is unknown")
    return Failed(f"{type(problem).__name__}: {problem}")


def refused(tool: str, problem: ToolgateError) -> Notice:
    """What the model is told. It gets reasons and suggestions, but no addresses or other details of a failure of the gate."""
    match problem:
        case DeniedError():
            allowed = ", ".join(problem.allowed_tools)
            tools = f" Allowed tools: {allowed}." if allowed else ""
            return Notice(f"Toolgate denied this call; '{tool}' was not run. {problem.reason}. {problem.suggestion}{tools}")
        case ApprovalPending():
            facts = {"request_id": problem.request_id, "approval_id": problem.approval_id, "tool": tool}
            return Notice(
                f"'{tool}' was not run: the call waits for a person's approval ({problem.approval_id}).", pending=facts
            )
        case ToolgateError(code=code) if isinstance(problem, ToolFailed) or code in _ABOUT_THE_CALL:
            return Notice(f"'{tool}' was not run. {problem.message} ({code}). {problem.remediation}".rstrip())
        case _:
            _log.warning("Call %s: no decision about %s: %s", problem.request_id, tool, problem)
            return Notice(f"The permission check is unavailable ({problem.code}); '{tool}' was not run.")
