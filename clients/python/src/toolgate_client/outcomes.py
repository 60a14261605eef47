"""The outcomes of calls, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool returned. ``success`` is False if the tool ran to its end and reports that it did not succeed."""

    success: bool
    data: str
    structured: Any = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    artifacts: tuple[Mapping[str, Any], ...] = ()
    request_id: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The whole answer, with the fields that this version does not know."""


@dataclass(frozen=True, slots=True)
class Completed:
    """The tool ran to its end."""

    request_id: str
    result: ToolResult
    correlation_id: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Failed:
    """The call was allowed and failed; ``result`` has the partial output."""

    request_id: str
    code: str
    message: str
    remediation: str
    retryable: bool
    result: ToolResult
    correlation_id: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Denied:
    """The gate refused the call; nothing ran."""

    request_id: str
    reason: str
    violation_type: str
    allowed_tools: tuple[str, ...]
    suggestion: str
    status: int = 403
    correlation_id: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Pending:
    """The call has not ended: ``status`` is ``pending`` while it waits for an approval, and ``running`` afterwards."""

    request_id: str
    status: str = "pending"
    approval_id: str | None = None
    expires_at: datetime | None = None
    correlation_id: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)
    retry_after: float | None = None
    """How many seconds to wait before asking again, if the server says so."""


@dataclass(frozen=True, slots=True)
class Authorized:
    """The caller may run the tool itself, once, with exactly these parameters."""

    request_id: str
    permit_expires_at: datetime
    parameters: Mapping[str, Any] | None
    correlation_id: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


Outcome: TypeAlias = Completed | Failed | Denied | Pending


@dataclass(frozen=True, slots=True)
class Validation:
    """What the gate would decide about a call. It is true if the call would run, at most after an approval."""

    allowed: bool
    requires_approval: bool = False
    reason: str = ""
    violation_type: str = ""
    allowed_tools: tuple[str, ...] = ()
    suggestion: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return self.allowed
