"""The two lists of tools: a framework's own, registered at the gate, and the gate's, offered to a framework."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from toolgate_client import Tool, Toolgate, ToolFailed, ToolgateError

from .calls import Notice, refused
from .connections import Connection

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class ToolDescription:
    """A framework's own tool, as the gate needs to know it."""

    name: str
    description: str = ""
    input_schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "object"})


class RegisterOptions(TypedDict, total=False):
    """The options of every ``register``."""

    prefix: str
    """Put before a tool's name to make its name at the gate."""
    capability: str
    """What policy bundles name."""
    danger: Literal["safe", "dangerous"]
    """``dangerous`` by default."""


def register_tools(tools: Iterable[ToolDescription], gate: Toolgate, options: RegisterOptions) -> list[str]:
    """Registers tools, with the key of an operator or admin. Agents still need a grant for each.

    :returns: the names of the tools at the gate
    """
    names = []
    for tool in tools:
        name = options.get("prefix", "") + tool.name
        gate.external_tools.register(
            name,
            description=tool.description or tool.name,
            input_schema=dict(tool.input_schema),
            capability=options.get("capability"),
            danger=options.get("danger"),
        )
        names.append(name)
    return names


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool of the gate, under a name that models accept."""

    name: str
    tool: Tool

    @property
    def description(self) -> str:
        return self.tool.description

    @property
    def input_schema(self) -> dict[str, Any]:
        return self.tool.input_schema

    async def call(self, connection: Connection, parameters: Mapping[str, Any], wait: float | None) -> str | Notice:
        """Has the gate run it."""
        try:
            return await connection.execute(self.tool.name, parameters, wait)
        except ToolFailed as failed:
            return Notice(f"'{self.name}' failed. {failed.message}. {failed.remediation}")
        except ToolgateError as problem:
            return refused(self.name, problem)


async def offered_tools(connection: Connection, names: Iterable[str] | None) -> list[OfferedTool]:
    """The tools that the agent may use and the gate runs.

    :param names: only these; one that the agent may not use is an error
    """
    tools = [tool for tool in await connection.tools() if tool.executed_by == "gate"]
    if names is not None:
        chosen = list(names)
        known = {tool.name: tool for tool in tools}
        missing = [name for name in chosen if name not in known]
        if missing:
            raise ValueError(f"The agent may not use these tools of the gate: {', '.join(missing)}")
        tools = [known[name] for name in chosen]
    return [OfferedTool(_NOT_IN_NAMES.sub("_", tool.name), tool) for tool in tools]
