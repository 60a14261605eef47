"""Makes the same call with httpx alone and with the Python client, in turn, and prints the ratio of their times.

The gate is that of TOOLGATE_URL, TOOLGATE_KEY and TOOLGATE_AGENT. Arguments: how many rounds, and how many calls of each in a round.
"""

import os
import statistics
import sys
import time
import uuid
from collections.abc import Callable

import httpx

from toolgate_client import Toolgate

ROUNDS, CALLS = int(sys.argv[1]), int(sys.argv[2])
WARM_UP = 2
BAR = 1.25


def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['TOOLGATE_KEY']}", "Prefer": "respond-async"}
    with httpx.Client(base_url=os.environ["TOOLGATE_URL"], headers=headers, trust_env=False) as bare, Toolgate() as gate:

        def with_httpx() -> None:
            call = {
                "request_id": str(uuid.uuid4()),
                "agent_id": os.environ["TOOLGATE_AGENT"],
                "tool_name": "noop",
                "operation": "call",
                "parameters": {"text": "hello"},
            }
            answer = bare.post("/api/v1/tools/execute", json=call)
            assert answer.status_code == 200 and answer.json()["result"]["success"]

        def with_client() -> None:
            assert gate.execute("noop", {"text": "hello"}).success

        rounds = [one_round(with_httpx, with_client) for _ in range(WARM_UP + ROUNDS)][WARM_UP:]
    show("httpx", [bare for bare, _ in rounds])
    show("the Python client", [client for _, client in rounds])
    elapsed, processor = (statistics.median(client[i] / bare[i] for bare, client in rounds) for i in (0, 1))
    print(f"ratio Python client / httpx: {elapsed:.3f} (bar: at most {BAR}), by processor time of the caller {processor:.3f}")


Times = tuple[float, float]


def one_round(*ways: Callable[[], None]) -> list[Times]:
    """Seconds and seconds of processor time for each way, whose calls take turns."""
    times = [[0.0, 0.0] for _ in ways]
    for _ in range(CALLS):
        for way, sums in zip(ways, times, strict=True):
            begun, used = time.perf_counter(), time.process_time()
            way()
            sums[0] += time.perf_counter() - begun
            sums[1] += time.process_time() - used
    return [(elapsed, processor) for elapsed, processor in times]


def show(name: str, rounds: list[Times]) -> None:
    elapsed, processor = (statistics.median(each[i] for each in rounds) / CALLS * 1e6 for i in (0, 1))
    print(f"  {name:<24} {elapsed:8.0f} us elapsed {processor:8.0f} us of the caller's processor")


main()
