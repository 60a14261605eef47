"""The tool that the tests put under the gate. What it does can be seen, so that a test knows whether it ran."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Deployments:
    """The effects of the tool ``deploy``, in order."""

    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.running: Callable[[], None] = lambda: None

    def deploy(self, host: str) -> str:
        self.hosts.append(host)
        if host == "broken":
            raise OSError("no route to host")
        self.running()
        return f"deployed to {host}"

    async def deploy_slowly(self, host: str) -> str:
        """The same; ``never`` does not end by itself."""
        done = self.deploy(host)
        if host == "never":
            await asyncio.Event().wait()
        return done
