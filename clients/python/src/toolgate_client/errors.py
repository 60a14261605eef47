"""The exceptions of the client, all of them subclasses of :class:`ToolgateError`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .outcomes import Completed, Denied, Failed, Pending


class ToolgateError(Exception):
    """An error with what happened, what to do about it, and whether the same request may succeed later."""

    def __init__(
        self,
        code: str,
        message: str,
        remediation: str = "",
        retryable: bool = False,
        correlation_id: str | None = None,
        *,
        status: int | None = None,
        raw: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{message} ({code}). {remediation}" if remediation else f"{message} ({code})")
        self.code = code
        self.message = message
        self.remediation = remediation
        self.retryable = retryable
        self.correlation_id = correlation_id
        self.status = status
        """The HTTP status; None if there was no answer."""
        self.raw: Mapping[str, Any] = raw or {}
        """The answer as it came, with the fields that this version does not know."""
        self.request_id: str | None = None
        """The id of the call, if the error concerns one; its outcome can be collected by this id."""

    @property
    def details(self) -> Mapping[str, Any]:
        """More facts for programs, such as ``request_id``."""
        error = self.raw.get("error")
        details = error.get("details") if isinstance(error, Mapping) else None
        return details if isinstance(details, Mapping) else {}


class DeniedError(ToolgateError):
    """The gate refused the call; nothing ran."""

    def __init__(self, denied: Denied) -> None:
        super().__init__(
            denied.violation_type.upper(),
            denied.reason,
            denied.suggestion,
            False,
            denied.correlation_id,
            status=denied.status,
            raw=denied.raw,
        )
        self.denied = denied
        self.request_id = denied.request_id
        self.reason = denied.reason
        self.violation_type = denied.violation_type
        self.allowed_tools = denied.allowed_tools
        self.suggestion = denied.suggestion


class ApprovalDenied(DeniedError):
    """A person refused the call; nothing ran."""


class ApprovalTimeout(DeniedError):
    """Nobody answered the approval request in time; nothing ran."""


class ApprovalPending(ToolgateError):
    """The call has not ended within the time to wait; collect it later by its ``request_id``."""

    def __init__(self, pending: Pending) -> None:
        waits = "still running" if pending.status == "running" else "waiting for an approval"
        super().__init__(
            "APPROVAL_PENDING",
            f"Call {pending.request_id} is {waits}",
            "Collect its outcome later with collect() and its request id.",
            True,
            pending.correlation_id,
            raw=pending.raw,
        )
        self.pending = pending
        self.request_id = pending.request_id
        self.approval_id = pending.approval_id
        self.expires_at: datetime | None = pending.expires_at


class ToolFailed(ToolgateError):
    """The call was allowed and failed: its arguments are invalid, or the tool failed."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(
            failed.code, failed.message, failed.remediation, failed.retryable, failed.correlation_id, raw=failed.raw
        )
        self.failed = failed
        self.request_id = failed.request_id
        self.result = failed.result
        """The partial output."""


class AlreadyReported(ToolgateError):
    """The call has been permitted, run and reported before; it must not run again. ``outcome`` is what is on record."""

    def __init__(self, outcome: Completed) -> None:
        super().__init__(
            "ALREADY_REPORTED",
            f"Call {outcome.request_id} has run, and its outcome is on record",
            "Use the recorded outcome, or send a new call under a request id of its own.",
            False,
            outcome.correlation_id,
            raw=outcome.raw,
        )
        self.outcome = outcome


class AuthenticationError(ToolgateError):
    """The key is missing, wrong, expired or revoked."""


class RateLimited(ToolgateError):
    """Too many calls; ``retry_after`` is the number of seconds to wait."""

    retry_after: float | None = None


class ConnectionFailed(ToolgateError):
    """The gate could not be reached, or the connection broke. Whether a call ran is unknown: collect it by its id."""

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__("CONNECTION_FAILED", message, "Check the address (TOOLGATE_URL) and that the gate runs.", True)
        self.sent = sent
        """Whether the request may have reached the gate."""
