"""Permits for tools that the caller runs itself."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .errors import ToolgateError
from .outcomes import Authorized, Outcome
from .wire import given

if TYPE_CHECKING:
    from .aio import AsyncToolgate
    from .sync import Toolgate


class BasePermit:
    """The common part of both kinds of permit."""

    def __init__(self, authorized: Authorized, agent: str) -> None:
        assert authorized.parameters is not None
        self.request_id: str = authorized.request_id
        self.agent = agent
        self.parameters: Mapping[str, Any] = authorized.parameters
        """Run the tool with exactly these."""
        self.expires_at: datetime = authorized.permit_expires_at
        """Until when the outcome must be reported; afterwards the call is on record as ``INTERRUPTED``."""
        self.raw = authorized.raw
        self.output: Any = None
        """What the tool returned, to be reported at the end of the ``with`` block: text or any other JSON value."""
        self.outcome: Outcome | None = None
        """The recorded outcome, once it is reported."""
        self._began = time.monotonic()

    def _report(self, status: str, output: Any, error: str | None) -> dict[str, Any]:
        spent = int((time.monotonic() - self._began) * 1000)
        return given(status=status, output=_reportable(output), error=error, execution_time_ms=spent)

    def _failure(self, kind: type[BaseException] | None, problem: BaseException | None) -> str | None:
        """The error that ended the block; None if it succeeded."""
        return None if problem is None or kind is None else f"{kind.__name__}: {problem}"


def _unreported(problem: BaseException, why: ToolgateError) -> None:
    problem.add_note(f"The failure could not be reported to the gate: {why}")


def _reportable(output: Any) -> Any:
    try:
        json.dumps(output, allow_nan=False)
        return output
    except (TypeError, ValueError):
        return str(output)


class Permit(BasePermit):
    """A permit to run a tool once. As a context manager it reports at the end: ``succeeded`` with ``output``, or ``failed``
    with the exception. A block that ``KeyboardInterrupt`` or ``SystemExit`` ends is not reported, since it is unknown what
    the tool has done; the gate records it as interrupted when the permit expires."""

    def __init__(self, gate: Toolgate, authorized: Authorized, agent: str) -> None:
        super().__init__(authorized, agent)
        self._gate = gate

    def succeeded(self, output: Any = None) -> Outcome:
        """Reports that the tool succeeded."""
        return self._reported(self._report("succeeded", output, None))

    def failed(self, error: str, output: Any = None) -> Outcome:
        """Reports that the tool failed."""
        return self._reported(self._report("failed", output, error))

    def _reported(self, body: dict[str, Any]) -> Outcome:
        self.outcome = self._gate._run(self._gate._flows.report(self.request_id, self.agent, body))
        return self.outcome

    def __enter__(self) -> Permit:
        self._began = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.outcome is not None:
            return
        if problem is None:
            self.succeeded(self.output)
        elif isinstance(problem, Exception):
            try:
                self.failed(self._failure(kind, problem) or "", self.output)
            except ToolgateError as why:
                _unreported(problem, why)


class AsyncPermit(BasePermit):
    """The same, for ``async with``. A block that is cancelled is not reported."""

    def __init__(self, gate: AsyncToolgate, authorized: Authorized, agent: str) -> None:
        super().__init__(authorized, agent)
        self._gate = gate

    async def succeeded(self, output: Any = None) -> Outcome:
        """Reports that the tool succeeded."""
        return await self._reported(self._report("succeeded", output, None))

    async def failed(self, error: str, output: Any = None) -> Outcome:
        """Reports that the tool failed."""
        return await self._reported(self._report("failed", output, error))

    async def _reported(self, body: dict[str, Any]) -> Outcome:
        self.outcome = await self._gate._run(self._gate._flows.report(self.request_id, self.agent, body))
        return self.outcome

    async def __aenter__(self) -> AsyncPermit:
        self._began = time.monotonic()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.outcome is not None:
            return
        if problem is None:
            await self.succeeded(self.output)
        elif isinstance(problem, Exception):
            try:
                await self.failed(self._failure(kind, problem) or "", self.output)
            except ToolgateError as why:
                _unreported(problem, why)
