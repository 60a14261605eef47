"""Client of Toolgate, the gate between AI agents and the tools they use."""

from .agent import GatedAgent, Orchestrator
from .aio import AsyncToolgate
from .errors import (
    AlreadyReported,
    ApprovalDenied,
    ApprovalPending,
    ApprovalTimeout,
    AuthenticationError,
    ConnectionFailed,
    DeniedError,
    RateLimited,
    ToolFailed,
    ToolgateError,
)
from .outcomes import Authorized, Completed, Denied, Failed, Outcome, Pending, ToolResult, Validation
from .permits import AsyncPermit, Permit
from .records import Record, Tool
from .sync import Toolgate
from .wire import VERSION as __version__

__all__ = [
    "AlreadyReported",
    "ApprovalDenied",
    "ApprovalPending",
    "ApprovalTimeout",
    "AsyncPermit",
    "AsyncToolgate",
    "AuthenticationError",
    "Authorized",
    "Completed",
    "ConnectionFailed",
    "Denied",
    "DeniedError",
    "Failed",
    "GatedAgent",
    "Orchestrator",
    "Outcome",
    "Pending",
    "Permit",
    "RateLimited",
    "Record",
    "Tool",
    "ToolFailed",
    "ToolResult",
    "Toolgate",
    "ToolgateError",
    "Validation",
    "__version__",
]
