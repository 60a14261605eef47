"""Records of the server: read-only, with every field that it sends, including those unknown to this version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Record(Mapping[str, Any]):
    """A record; its fields are attributes (``agent.agent_id``) and items (``agent["agent_id"]``)."""

    __slots__ = ("_fields",)

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = dict(fields)

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __getattr__(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, "_fields")[name]
        except KeyError:
            raise AttributeError(f"The server sent no field {name!r}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        shown = {name: "…" if name == "key" else value for name, value in self._fields.items()}
        return f"{type(self).__name__}({shown})"


class Tool(Record):
    """A tool. ``executed_by`` is ``gate`` for ``execute`` and ``client`` for ``authorize``."""

    __slots__ = ()
    name: str
    aliases: list[str]
    description: str
    capability: str
    category: str
    danger: str
    executed_by: str
    input_schema: dict[str, Any]
    result_schema: dict[str, Any] | None


class ExternalTool(Record):
    """A registered tool that its callers run."""

    __slots__ = ()
    name: str
    description: str
    input_schema: dict[str, Any]
    capability: str
    danger: str


class Agent(Record):
    """An agent."""

    __slots__ = ()
    agent_id: str
    name: str | None
    description: str | None
    trust_level: str
    created_at: str
    updated_at: str


class Permission(Record):
    """What an agent may do with a tool, and on which terms."""

    __slots__ = ()
    tool_name: str
    allowed: bool
    state: str


class PermissionChange(Record):
    """One entry of the history of permissions."""

    __slots__ = ()
    id: int
    tool_name: str
    previous_state: bool | None
    new_state: bool
    changed_by: str
    changed_at: str
    reason: str | None


class Approval(Record):
    """An approval request, with secrets masked."""

    __slots__ = ()
    approval_id: str
    state: str
    request_id: str
    agent_id: str
    tool_name: str
    operation: str
    parameters: dict[str, Any]
    reason: str
    preview: str | None
    asked_at: str
    expires_at: str
    answered_by: str | None
    answer_reason: str | None


class ApprovalEvent(Record):
    """An event of the stream: ``event`` is ``opened`` or ``answered``."""

    __slots__ = ()
    event: str
    approval: Approval


class AuditRecord(Record):
    """The record of one call, allowed or not, or of one change by an administrator."""

    __slots__ = ()
    id: int
    request_id: str
    timestamp: str
    agent_id: str
    tool_name: str
    operation: str
    parameters: dict[str, Any]
    allowed: bool
    denial_reason: str | None
    execution_time_ms: int | None
    result_summary: str | None
    status: str
    error_code: str | None
    client: str | None
    executed_by: str


class Session(Record):
    """A session and its policy bundle."""

    __slots__ = ()
    session_id: str
    status: str
    expires_at: str
    policy_bundle: dict[str, Any]


class Key(Record):
    """The metadata of a key. ``key`` is the key itself, which only :meth:`create` and :meth:`rotate` return."""

    __slots__ = ()
    key_id: str
    prefix: str
    principal: str
    role: str
    agent_id: str | None
    name: str
    state: str
    key: str


class Artifact(Record):
    """The metadata of an artifact."""

    __slots__ = ()
    id: str
    uri: str
    workspace_id: str
    media_type: str
    name: str
    size: int
    sha256: str
