"""A person who answers approval requests."""

from __future__ import annotations

import threading
import time
from types import TracebackType

from toolgate_client import Toolgate


class Approver:
    """Answers the requests of an agent as soon as they arrive."""

    def __init__(self, gate: Toolgate, agent: str, approved: bool, reason: str = "test") -> None:
        self._gate, self._agent, self._approved, self._reason = gate, agent, approved, reason
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._answer)

    def _answer(self) -> None:
        while not self._over.wait(0.1):
            for request in self._gate.approvals.list(state="pending", agent_id=self._agent):
                answer = self._gate.approvals.approve if self._approved else self._gate.approvals.deny
                answer(request.approval_id, reason=self._reason)

    def __enter__(self) -> Approver:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()


def until_pending(gate: Toolgate, agent: str, seconds: float = 60.0) -> str:
    """The approval request of an agent, once there is one."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for request in gate.approvals.list(state="pending", agent_id=agent):
            return request.approval_id
        time.sleep(0.05)
    raise AssertionError(f"Nothing of {agent} waits for an approval")
