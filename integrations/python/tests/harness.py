"""An agent of a framework with a scripted model and one tool under the gate, the same for every framework."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from effects import Deployments
from scripted import Script, Told

from toolgate_client import Toolgate
from toolgate_integrations import GateOptions


class Harness(ABC):
    """A framework. Its agent has the tool ``deploy``, under the gate."""

    tool: ClassVar[str]
    """The tool's name at the gate."""
    failure_seen: ClassVar[str] = "no route to host"
    """What the framework says about an exception of the tool, to the model or to the caller of the agent."""

    @abstractmethod
    def register(self, gate: Toolgate) -> list[str]:
        """Registers the tool at the gate."""

    @abstractmethod
    async def run(self, script: Script, deployments: Deployments, gate: GateOptions, **options: Any) -> Told:
        """Runs the agent to the end of its script; options are those of the drop-in."""

    @abstractmethod
    async def run_with_gate_tools(self, script: Script, gate: GateOptions) -> Told:
        """Runs an agent that is offered the gate's tools."""

    def model_name(self, tool: str) -> str:
        """The name under which the model knows a tool."""
        return tool
