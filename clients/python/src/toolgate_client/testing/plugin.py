"""The pytest fixture ``toolgate_server``: a real gate."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ..sync import Toolgate
from .server import GateProcess

RETRIES = 6
"""More than usual: a gate that has just started may be slow."""


@pytest.fixture(scope="session")
def toolgate_settings() -> str:
    """The text of the ``toolgate.yaml`` that a gate is started with; override it for other settings."""
    return ""


@pytest.fixture(scope="session")
def toolgate_server(toolgate_settings: str) -> Iterator[Toolgate]:
    """A client of a real gate, with an admin's key: the gate at ``TOOLGATE_URL`` with ``TOOLGATE_KEY`` if that is set, or one that
    is started for the tests with ``TOOLGATE_COMMAND`` or the ``toolgate`` on the path, and ended with them."""
    if os.environ.get("TOOLGATE_URL"):
        with Toolgate(max_retries=RETRIES) as gate:
            yield gate
    else:
        with GateProcess(settings=toolgate_settings) as process, process.client(max_retries=RETRIES) as gate:
            yield gate
