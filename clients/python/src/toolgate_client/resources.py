"""The administrative resources: agents, permissions, approvals, the audit log, sessions, keys and external tools.

Every method is written once. On ``Toolgate`` it blocks and on ``AsyncToolgate`` it is awaited; lists and streams are iterated over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from .errors import ToolgateError
from .flows import Flow
from .operations import AsyncResource, Resource, SyncResource, listing, operation, stream
from .records import (
    Agent,
    Approval,
    ApprovalEvent,
    AuditRecord,
    ExternalTool,
    Key,
    Permission,
    PermissionChange,
    Session,
)
from .wire import Request, get, given, path


def delete_request(where: str, reason: str | None = None) -> Request:
    return Request("DELETE", where, given(reason=reason), repeatable=True)


class AgentOperations(Resource):
    @listing.of(Agent)
    def list(self, *, q: str | None = None, limit: int | None = None) -> Request:
        """All agents; ``q`` is a part of their id or name."""
        return get("/api/v1/agents", q=q, limit=limit)

    @operation
    def create(
        self,
        agent_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        trust_level: str | None = None,
        template: str | None = None,
        reason: str | None = None,
    ) -> Flow[Agent]:
        """Adds an agent. It may use nothing until it is granted tools, for example by a template."""
        fields = given(name=name, description=description, trust_level=trust_level, template=template, reason=reason)
        request = Request("POST", "/api/v1/agents", body={"agent_id": agent_id, **fields})
        return Agent((yield from self._flows.json(request)))

    @operation
    def get(self, agent_id: str) -> Flow[Agent]:
        """An agent."""
        return Agent((yield from self._flows.json(get(path("/api/v1/agents/{agent_id}", agent_id=agent_id)))))

    @operation
    def update(self, agent_id: str, /, *, reason: str | None = None, **fields: str | None) -> Flow[Agent]:
        """Changes ``name``, ``description`` or ``trust_level``."""
        where = path("/api/v1/agents/{agent_id}", agent_id=agent_id)
        return Agent((yield from self._flows.json(Request("PATCH", where, given(reason=reason), body=fields))))

    @operation
    def delete(self, agent_id: str, *, reason: str | None = None) -> Flow[None]:
        """Removes an agent with its permissions."""
        yield from self._flows.json(delete_request(path("/api/v1/agents/{agent_id}", agent_id=agent_id), reason))


class PermissionOperations(Resource):
    @operation
    def of(self, agent_id: str) -> Flow[list[Permission]]:
        """The effective permissions of an agent, with their sources."""
        where = path("/api/v1/agents/{agent_id}/permissions", agent_id=agent_id)
        return [Permission(each) for each in (yield from self._flows.json(get(where)))["permissions"]]

    @operation
    def grant(
        self,
        agent_id: str,
        tool: str,
        *,
        requires_approval: bool | None = None,
        condition: str | None = None,
        expires_at: datetime | None = None,
        max_uses: int | None = None,
        notes: str | None = None,
        reason: str | None = None,
    ) -> Flow[Permission]:
        """Grants a tool to an agent, optionally with terms: approval, condition, expiry, maximum number of uses."""
        terms = given(
            requires_approval=requires_approval,
            condition=condition,
            expires_at=None if expires_at is None else expires_at.isoformat(),
            max_uses=max_uses,
            notes=notes,
            reason=reason,
        )
        return (yield from _permission(self, agent_id, tool, {"allowed": True, **terms}))

    @operation
    def refuse(self, agent_id: str, tool: str, *, reason: str | None = None) -> Flow[Permission]:
        """Refuses a tool to an agent, whatever its groups grant."""
        return (yield from _permission(self, agent_id, tool, {"allowed": False, **given(reason=reason)}))

    @operation
    def clear(self, agent_id: str, tool: str, *, reason: str | None = None) -> Flow[None]:
        """Removes a grant or a refusal."""
        where = path("/api/v1/permissions/{agent_id}/{tool}", agent_id=agent_id, tool=tool)
        yield from self._flows.json(delete_request(where, reason))

    @listing.of(PermissionChange)
    def changes(
        self,
        *,
        agent_id: str | None = None,
        tool_name: str | None = None,
        changed_by: str | None = None,
        limit: int | None = None,
    ) -> Request:
        """The history of permissions, newest first."""
        return get(
            "/api/v1/permissions/changes", agent_id=agent_id, tool_name=tool_name, changed_by=changed_by, limit=limit
        )


def _permission(self: Resource, agent_id: str, tool: str, body: Mapping[str, Any]) -> Flow[Permission]:
    where = path("/api/v1/permissions/{agent_id}/{tool}", agent_id=agent_id, tool=tool)
    return Permission((yield from self._flows.json(Request("PUT", where, body=body, repeatable=True))))


def _approval_event(name: str, data: Any) -> ApprovalEvent | None:
    return ApprovalEvent({"event": name, "approval": Approval(data)}) if name in ("opened", "answered") else None


class ApprovalOperations(Resource):
    @listing.of(Approval)
    def list(
        self,
        *,
        state: str | None = None,
        agent_id: str | None = None,
        tool_name: str | None = None,
        limit: int | None = None,
    ) -> Request:
        """Approval requests; with ``state="pending"`` those that wait for an answer."""
        return get("/api/v1/approvals", state=state, agent_id=agent_id, tool_name=tool_name, limit=limit)

    @operation
    def get(self, approval_id: str) -> Flow[Approval]:
        """An approval request."""
        where = path("/api/v1/approvals/{approval_id}", approval_id=approval_id)
        return Approval((yield from self._flows.json(get(where))))

    @operation
    def approve(
        self,
        approval_id: str,
        *,
        reason: str | None = None,
        scope: str | None = None,
        expires_at: datetime | None = None,
    ) -> Flow[Approval]:
        """Approves this call, or with the scope ``session`` or ``agent`` further ones of the tool."""
        until = None if expires_at is None else expires_at.isoformat()
        body = {"approved": True, **given(reason=reason, scope=scope, expires_at=until)}
        return (yield from _answer(self, approval_id, body))

    @operation
    def deny(self, approval_id: str, *, reason: str | None = None) -> Flow[Approval]:
        """Refuses this call."""
        return (yield from _answer(self, approval_id, {"approved": False, **given(reason=reason)}))

    @stream.of(_approval_event)
    def stream(self) -> Request:
        """Approval requests and answers as they happen."""
        return Request("GET", "/api/v1/approvals/stream", headers={"Accept": "text/event-stream"})


def _answer(self: Resource, approval_id: str, body: Mapping[str, Any]) -> Flow[Approval]:
    where = path("/api/v1/approvals/{approval_id}", approval_id=approval_id)
    return Approval((yield from self._flows.json(Request("POST", where, body=body))))


def _audit_event(name: str, data: Any) -> AuditRecord | None:
    return AuditRecord(data) if name == "record" else None


class AuditOperations(Resource):
    @listing.of(AuditRecord)
    def list(
        self,
        /,
        *,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        start_date: datetime | None = None,
        end_date: datetime | None = None,
        **filters: str | bool | None,
    ) -> Request:
        """Audit records, newest first. Filters are those of the server, such as ``agent_id``, ``tool_name``, ``request_id``,
        ``status``, ``allowed`` and ``kind``; ``limit`` is the size of a page, not of the list."""
        return get(
            "/api/v1/audit/logs", order=order, start_date=start_date, end_date=end_date, **filters, limit=limit
        )

    @stream.of(_audit_event)
    def stream(self, /, **filters: str | bool | None) -> Request:
        """New records as they are written."""
        return Request("GET", "/api/v1/audit/stream", given(**filters), {"Accept": "text/event-stream"})


class SessionOperations(Resource):
    @listing.of(Session)
    def list(
        self, *, agent_id: str | None = None, status: str | None = None, limit: int | None = None
    ) -> Request:
        """Sessions."""
        return get("/api/v1/sessions", agent_id=agent_id, status=status, limit=limit)

    @operation
    def create(
        self,
        agent_id: str,
        policy_bundle: Mapping[str, Any],
        *,
        workspace_id: str | None = None,
        reason: str | None = None,
    ) -> Flow[Session]:
        """Starts a session, within which an agent may do no more than its policy bundle says."""
        body = {"agent_id": agent_id, "policy_bundle": dict(policy_bundle), **given(workspace_id=workspace_id)}
        return Session((yield from self._flows.json(Request("POST", "/api/v1/sessions", given(reason=reason), body=body))))

    @operation
    def get(self, session_id: str) -> Flow[Session]:
        """A session."""
        where = path("/api/v1/sessions/{session_id}", session_id=session_id)
        return Session((yield from self._flows.json(get(where))))

    @operation
    def end(self, session_id: str, *, reason: str | None = None) -> Flow[None]:
        """Ends a session."""
        yield from self._flows.json(delete_request(path("/api/v1/sessions/{session_id}", session_id=session_id), reason))


class KeyOperations(Resource):
    @listing.of(Key)
    def list(self, *, limit: int | None = None) -> Request:
        """All keys, without the keys themselves."""
        return get("/api/v1/keys", limit=limit)

    @operation
    def create(
        self,
        role: str,
        *,
        agent_id: str | None = None,
        agents: Sequence[str] | None = None,
        name: str | None = None,
        expires_in: str | None = None,
        reason: str | None = None,
    ) -> Flow[Key]:
        """A new key; ``key`` of the result is shown only this once. ``expires_in`` is like ``90d`` or ``never``."""
        body = {"role": role, **given(agent_id=agent_id, agents=agents and [*agents], name=name, expires_in=expires_in)}
        return Key((yield from self._flows.json(Request("POST", "/api/v1/keys", given(reason=reason), body=body))))

    @operation
    def rotate(self, key_id: str, *, overlap: str | None = None, expires_in: str | None = None) -> Flow[Key]:
        """A new key in place of another, which stays valid for the overlap."""
        where = path("/api/v1/keys/{key_id}/rotate", key_id=key_id)
        body = given(overlap=overlap, expires_in=expires_in)
        return Key((yield from self._flows.json(Request("POST", where, body=body))))

    @operation
    def revoke(self, key_id: str, *, reason: str | None = None) -> Flow[None]:
        """Revokes a key immediately."""
        yield from self._flows.json(delete_request(path("/api/v1/keys/{key_id}", key_id=key_id), reason))


class ExternalToolOperations(Resource):
    @operation
    def register(
        self,
        name: str,
        *,
        description: str,
        input_schema: Mapping[str, Any],
        capability: str | None = None,
        danger: Literal["safe", "dangerous"] | None = None,
        reason: str | None = None,
    ) -> Flow[ExternalTool]:
        """Registers a tool that its callers run, or changes it."""
        body = {
            "description": description,
            "input_schema": dict(input_schema),
            **given(capability=capability, danger=danger, reason=reason),
        }
        where = path("/api/v1/tools/external/{name}", name=name)
        return ExternalTool((yield from self._flows.json(Request("PUT", where, body=body, repeatable=True))))

    @operation
    def get(self, name: str) -> Flow[ExternalTool | None]:
        """A registered tool; None if there is none of this name."""
        try:
            found = yield from self._flows.json(get(path("/api/v1/tools/external/{name}", name=name)))
            return ExternalTool(found)
        except ToolgateError as error:
            if error.status == 404:
                return None
            raise

    @operation
    def remove(self, name: str, *, reason: str | None = None) -> Flow[None]:
        """Removes it: no more permits are given for it."""
        yield from self._flows.json(delete_request(path("/api/v1/tools/external/{name}", name=name), reason))


class Agents(AgentOperations, SyncResource): ...


class AsyncAgents(AgentOperations, AsyncResource): ...


class Permissions(PermissionOperations, SyncResource): ...


class AsyncPermissions(PermissionOperations, AsyncResource): ...


class Approvals(ApprovalOperations, SyncResource): ...


class AsyncApprovals(ApprovalOperations, AsyncResource): ...


class Audit(AuditOperations, SyncResource): ...


class AsyncAudit(AuditOperations, AsyncResource): ...


class Sessions(SessionOperations, SyncResource): ...


class AsyncSessions(SessionOperations, AsyncResource): ...


class Keys(KeyOperations, SyncResource): ...


class AsyncKeys(KeyOperations, AsyncResource): ...


class ExternalTools(ExternalToolOperations, SyncResource): ...


class AsyncExternalTools(ExternalToolOperations, AsyncResource): ...
