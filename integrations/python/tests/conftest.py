"""What the tests share: a real gate, agents with keys of their own, and every framework."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from effects import Deployments
from harness import Harness
from harness_claude_agent_sdk import ClaudeAgentSDK
from harness_google_adk import GoogleADK
from harness_langchain import BlockingLangChain, LangChain
from harness_openai_agents import OpenAIAgents
from harness_pydantic_ai import PydanticAI
from unreliable import UnreliableGate

from toolgate_client import Toolgate
from toolgate_client.records import AuditRecord
from toolgate_integrations import GateOptions

pytest_plugins = ["toolgate_client.testing.plugin"]

HARNESSES = [LangChain, BlockingLangChain, OpenAIAgents, PydanticAI, GoogleADK, ClaudeAgentSDK]
_numbers = itertools.count(1)


@dataclass
class Agent:
    """An agent with its key."""

    name: str
    gate: GateOptions
    admin: Toolgate

    def records(self) -> list[AuditRecord]:
        """The records of its calls, oldest first."""
        return list(self.admin.audit.list(agent_id=self.name, kind="call", order="asc"))

    def statuses(self) -> list[str]:
        return [each.status for each in self.records()]

    def through(self, unreliable: UnreliableGate) -> GateOptions:
        return {**self.gate, "url": unreliable.url, "timeout": 1.0, "max_retries": 0}


MakeAgent = Callable[..., Agent]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def gate(toolgate_server: Toolgate) -> Toolgate:
    """A client with an admin's key."""
    return toolgate_server


@pytest.fixture(scope="session", params=HARNESSES, ids=lambda kind: kind.__name__)
def harness(request: pytest.FixtureRequest, toolgate_server: Toolgate) -> Harness:
    """Every framework, its tool registered."""
    made: Harness = request.param()
    assert made.register(toolgate_server) == [made.tool]
    return made


@pytest.fixture
def agent(gate: Toolgate) -> MakeAgent:
    """Makes an agent of its own for a test, with grants; a name that ends in ``?`` needs an approval."""

    def make(*tools: str) -> Agent:
        name = f"dropin_{os.getpid()}_{next(_numbers)}"
        gate.agents.create(name)
        for tool in tools:
            gate.permissions.grant(name, tool.rstrip("?"), requires_approval=tool.endswith("?"))
        key = gate.keys.create("agent", agent_id=name).key
        return Agent(name, {"url": gate._settings.url, "key": key}, gate)

    return make


@pytest.fixture(scope="session", autouse=True)
def type_check(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str] | None]:
    """The type checker, which needs some time to read all frameworks: it runs beside the other tests."""
    if all(item.name != "test_the_types_are_right" for item in request.session.items):
        yield None
        return
    # Kept with the packages, which are what it reads.
    cache = Path(sys.prefix) / "mypy_cache"
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(cache)]
    folder = Path(__file__).parents[1]
    checker = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    yield checker
    checker.kill()
    checker.wait()


@pytest.fixture
def deployments() -> Deployments:
    return Deployments()


@pytest.fixture
def unreliable(gate: Toolgate) -> Iterator[UnreliableGate]:
    with UnreliableGate(gate._settings.url) as made:
        yield made
