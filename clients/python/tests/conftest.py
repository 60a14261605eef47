"""What the tests share: a real gate, and agents of their own."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator

import pytest

from toolgate_client import Toolgate

pytest_plugins = ["toolgate_client.testing.plugin"]

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def toolgate_settings() -> str:
    """A gate at TOOLGATE_URL needs the same."""
    return """
limits:
  per_agent: { calls: 60, period: 5m, burst: 15 }
approvals:
  expire_after: 15s
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def gate(toolgate_server: Toolgate) -> Toolgate:
    """A client with an admin's key."""
    return toolgate_server


@pytest.fixture
def agent(gate: Toolgate) -> Callable[..., str]:
    """Makes an agent of its own for a test, with grants; a name that ends in ``?`` needs an approval."""

    def make(*tools: str) -> str:
        name = f"py_{os.getpid()}_{next(_numbers)}"
        gate.agents.create(name)
        for tool in tools:
            gate.permissions.grant(name, tool.rstrip("?"), requires_approval=tool.endswith("?"))
        return name

    return make


@pytest.fixture
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    for name in ("TOOLGATE_URL", "TOOLGATE_KEY", "TOOLGATE_AGENT"):
        monkeypatch.delenv(name, raising=False)
    yield monkeypatch
