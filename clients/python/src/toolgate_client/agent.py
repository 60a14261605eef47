"""A base class for agents that use tools through the gate and handle refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeAlias

from .errors import ApprovalDenied, DeniedError
from .outcomes import ToolResult
from .sync import Toolgate

Orchestrator: TypeAlias = Callable[[DeniedError], Any]
"""Called with the refusal when an agent escalates; its return value is that of ``use``."""


class Gate(Protocol):
    """The part of the gate that an agent needs: ``Toolgate``, or ``MockToolgate`` in tests."""

    def execute(
        self, tool: str, parameters: Mapping[str, Any] | None = None, /, *, agent: str | None = None
    ) -> ToolResult: ...

    def tools(self, agent: str | None = None) -> Iterable[Any]: ...


class GatedAgent:
    """An agent. Subclasses implement its work, and decide whether a refusal is critical.

    :param id: the agent's id at the gate
    :param gate: default: a ``Toolgate`` configured by the environment
    :param orchestrator: called when a critical call is refused
    """

    def __init__(
        self, id: str | None = None, *, gate: Gate | None = None, orchestrator: Orchestrator | None = None
    ) -> None:
        self.id = id
        self._gate = gate
        self._orchestrator = orchestrator

    @property
    def gate(self) -> Gate:
        """The gate; connected to when it is first used."""
        if self._gate is None:
            self._gate = Toolgate(agent=self.id)
        return self._gate

    def use(self, tool: str, /, *, critical: bool = False, alternatives: Iterable[str] = (), **params: Any) -> Any:
        """Uses a tool. If it is refused, the alternatives are used that the refusal says are allowed, with the same
        parameters; if none is, a critical call is escalated and any other one handled by :meth:`on_denied`. A call that
        a person refused is never escalated."""
        try:
            return self.gate.execute(tool, params, agent=self.id)
        except DeniedError as denied:
            refusal = denied
        for alternative in alternatives:
            if alternative in refusal.allowed_tools:
                try:
                    return self.gate.execute(alternative, params, agent=self.id)
                except DeniedError as denied:
                    refusal = denied
        escalates = critical and not isinstance(refusal, ApprovalDenied)
        return self.escalate(refusal) if escalates else self.on_denied(refusal)

    def available_tools(self) -> list[str]:
        """The names of the tools that the agent may use."""
        return [tool.name for tool in self.gate.tools(self.id)]

    def escalate(self, denied: DeniedError) -> Any:
        """Asks the orchestrator; without one, the refusal is raised."""
        orchestrator = self._orchestrator or getattr(self.gate, "orchestrator", None)
        if orchestrator is None:
            raise denied
        return orchestrator(denied)

    def on_denied(self, denied: DeniedError) -> Any:
        """Handles a refusal that is not critical: raises it by default; a return value becomes that of ``use``."""
        raise denied
