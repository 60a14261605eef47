"""Calls during which the gate is stopped or killed."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator

import pytest
from approver import until_pending

from toolgate_client import AsyncToolgate, ToolFailed, Toolgate, ToolResult
from toolgate_client.testing import GateProcess

pytestmark = pytest.mark.integration
SETTINGS = "limits: { refused: { calls: 0, period: 1m } }\n"


@pytest.fixture(scope="module")
def process() -> Iterator[GateProcess]:
    with GateProcess(database_url=os.environ.get("RESTART_DATABASE_URL"), settings=SETTINGS) as started:
        yield started


def in_thread(gate: Toolgate, tool: str, parameters: dict[str, str]) -> tuple[threading.Thread, list[ToolResult | Exception]]:
    ended: list[ToolResult | Exception] = []

    def call() -> None:
        try:
            ended.append(gate.execute(tool, parameters, wait=300))
        except Exception as problem:
            ended.append(problem)

    thread = threading.Thread(target=call)
    thread.start()
    return thread, ended


def test_a_held_call_outlives_a_restart_of_the_gate(process: GateProcess) -> None:
    with process.client(agent="restarted") as gate:
        gate.permissions.grant("restarted", "file_list", requires_approval=True)
        thread, ended = in_thread(gate, "file_list", {"path": "."})
        approval = until_pending(gate, "restarted")
        process.stop()
        process.start()
        with process.client() as person:
            person.approvals.approve(approval, reason="after the restart")
        thread.join(240)
    assert isinstance(ended[0], ToolResult) and ended[0].success


def test_a_call_whose_gate_was_killed_fails_and_does_not_run_again(process: GateProcess) -> None:
    with process.client(agent="killed") as gate:
        gate.permissions.grant("killed", "bash")
        gate.permissions.grant("killed", "file_list")
        gate.permissions.grant("killed", "file_read")
        thread, ended = in_thread(gate, "bash", {"command": "echo began >> began.txt; sleep 600"})
        deadline = time.monotonic() + 120
        while "began.txt" not in gate.execute("file_list", {"path": "."}).data:
            assert time.monotonic() < deadline, "the command did not begin"
            time.sleep(0.1)
        process.kill()
        process.start()
        thread.join(240)
        assert isinstance(ended[0], ToolFailed), ended
        assert gate.execute("file_read", {"path": "began.txt"}).data.count("began") == 1


@pytest.mark.anyio
async def test_the_async_client_connects_to_the_started_gate(process: GateProcess) -> None:
    async with AsyncToolgate(url=process.url, key=process.key) as gate:
        assert any(tool.name == "file_list" for tool in await gate.tools())
