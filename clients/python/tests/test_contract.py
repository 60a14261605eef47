"""The recorded exchanges that every client replays, with both clients."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from replay import Replay

from toolgate_client import (
    ApprovalDenied,
    ApprovalTimeout,
    AsyncToolgate,
    AuthenticationError,
    Authorized,
    Completed,
    Denied,
    DeniedError,
    Failed,
    Pending,
    RateLimited,
    ToolFailed,
    Toolgate,
    ToolgateError,
)

CONTRACT = Path(__file__).parents[2] / "contract"
FILES = sorted(CONTRACT.glob("*.json"))
RAISED = {
    "denied": DeniedError,
    "approval_denied": ApprovalDenied,
    "approval_timeout": ApprovalTimeout,
    "tool_failed": ToolFailed,
    "authentication": AuthenticationError,
    "rate_limited": RateLimited,
    "error": ToolgateError,
}
OUTCOMES = {"completed": Completed, "failed": Failed, "denied": Denied, "pending": Pending, "authorized": Authorized}


class Steps:
    """Does the steps of a scenario with one of the clients; ``call`` makes an answer of what a method returns."""

    def __init__(self, gate: Any, replay: Replay, call: Callable[[Any], Any]) -> None:
        self.gate, self.replay, self.call = gate, replay, call
        self.permit: Any = None

    def do(self, step: dict[str, Any], instead: str | None = None) -> None:
        expected = step["expect"]
        raises = None if instead else expected.get("raises")
        try:
            got = self.perform(instead or step["do"], self.replay.filled(step["arguments"]), step["options"])
        except ToolgateError as error:
            assert raises, error
            assert type(error) is RAISED[raises], repr(error)
            got = error
        else:
            assert raises is None, got
        self.check(got, expected)

    def perform(self, do: str, arguments: list[Any], options: dict[str, Any]) -> Any:
        match do:
            case "report":
                value = options.get("output") if arguments[0] == "succeeded" else options["error"]
                return self.call(getattr(self.permit, arguments[0])(value))
            case "authorize":
                self.permit = self.call(self.gate.authorize(*arguments, **options))
                return self.permit
            case "audit":
                return self.call(self.gate.audit.list(**options))
            case method:
                return self.call(getattr(self.gate, method)(*arguments, **options))

    def check(self, got: Any, expected: dict[str, Any]) -> None:
        if "count" in expected:
            assert len(got) == expected["count"]
        if type(got) in OUTCOMES.values():
            assert type(got) is OUTCOMES[expected["outcome"]]
        places = [got, getattr(got, "result", None), self.permit]
        for name, value in self.replay.filled(expected.get("fields", {})).items():
            assert value in [plain(each, name) for each in places if each is not None], (name, got)
        for pointer, value in expected.get("kept", {}).items():
            kept = got.raw
            for part in pointer.strip("/").split("/"):
                kept = kept[part]
            assert kept == value


def plain(value: Any, name: str) -> Any:
    """A field as it is in JSON."""
    found: Any = getattr(value, "expires_at" if name == "permit_expires_at" else name, None)
    if isinstance(found, datetime):
        milliseconds = found.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return milliseconds if name == "permit_expires_at" else found.isoformat().replace("+00:00", "Z")
    return list(found) if isinstance(found, tuple) else found


def replayed(scenario: dict[str, Any], work: Callable[[Replay], None]) -> None:
    with Replay([each for step in scenario["steps"] for each in step["exchanges"]]) as replay:
        work(replay)
        replay.check()


def with_blocking_client(scenario: dict[str, Any], replay: Replay) -> None:
    with Toolgate(url=replay.url, **scenario["client"]) as gate:
        steps = Steps(gate, replay, lambda got: list(got) if hasattr(got, "__iter__") else got)
        for step in scenario["steps"]:
            steps.do(step)


def with_async_client(scenario: dict[str, Any], replay: Replay) -> None:
    async def everything(pages: Any) -> list[Any]:
        return [each async for each in pages]

    async def work() -> None:
        async with AsyncToolgate(url=replay.url, **scenario["client"]) as gate:

            def call(got: Any) -> Any:
                return anyio.from_thread.run(everything, got) if hasattr(got, "__aiter__") else anyio.from_thread.run(awaited, got)

            async def awaited(coroutine: Any) -> Any:
                return await coroutine

            steps = Steps(gate, replay, call)
            for step in scenario["steps"]:
                await anyio.to_thread.run_sync(steps.do, step)

    anyio.run(work)


@pytest.fixture(scope="module")
def replays() -> Iterator[dict[str, Future[None]]]:
    """All of them at a time, since most of the time is spent waiting for Retry-After."""
    with ThreadPoolExecutor(2 * len(FILES)) as threads, pytest.MonkeyPatch.context() as environment:
        for name in ("TOOLGATE_URL", "TOOLGATE_KEY", "TOOLGATE_AGENT"):
            environment.delenv(name, raising=False)
        running = {}
        for file in FILES:
            scenario = json.loads(file.read_text())
            for client in (with_blocking_client, with_async_client):
                running[file.stem + client.__name__] = threads.submit(replayed, scenario, partial(client, scenario))
        wait(running.values())
        yield running


@pytest.mark.parametrize("client", ["with_blocking_client", "with_async_client"])
@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_replays(file: Path, client: str, replays: dict[str, Future[None]]) -> None:
    replays[file.stem + client].result()


def outcomes_at_once() -> list[Path]:
    def suits(file: Path) -> bool:
        steps = json.loads(file.read_text())["steps"]
        return all(
            each["do"] == "execute" and "outcome" in each["expect"] and len(each["exchanges"]) == 1 for each in steps
        )

    return [file for file in FILES if suits(file)]


@pytest.mark.parametrize("file", outcomes_at_once(), ids=[file.stem for file in outcomes_at_once()])
def test_submit_raises_for_no_outcome(file: Path, clean_environment: pytest.MonkeyPatch) -> None:
    scenario = json.loads(file.read_text())

    def work(replay: Replay) -> None:
        with Toolgate(url=replay.url, **scenario["client"]) as gate:
            steps = Steps(gate, replay, lambda got: got)
            for step in scenario["steps"]:
                steps.do(step, instead="submit")

    replayed(scenario, work)


def test_there_is_a_scenario_for_everything_that_can_happen() -> None:
    assert len(FILES) >= 24
    for file in FILES:
        scenario = json.loads(file.read_text())
        assert scenario["name"] == file.stem
        assert all(step["expect"] for step in scenario["steps"])
