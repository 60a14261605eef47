"""A real gate for the length of a test, started with the ``toolgate`` command."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from ..sync import Toolgate

START_TIMEOUT = 300.0
STOP_TIMEOUT = 60.0
_READY = "Toolgate ready at "


class GateProcess:
    """A gate in a folder of its own, on a free port. ``url`` and ``key`` (an admin's) are for clients.

    :param database_url: a PostgreSQL to use; by default the gate brings its own
    :param settings: the text of its ``toolgate.yaml``
    :param command: how to start it; default: ``TOOLGATE_COMMAND``, or ``toolgate`` on the path
    """

    def __init__(self, *, database_url: str | None = None, settings: str = "", command: str | None = None) -> None:
        self._command = [*_command(command), "serve"]
        self.home = Path(tempfile.mkdtemp(prefix="toolgate-test-"))
        self._database_url = database_url
        self._process: subprocess.Popen[str] | None = None
        self._lines: list[str] = []
        self._port = 0
        if settings:
            (self.home / "toolgate.yaml").write_text(settings)
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def start(self) -> None:
        """Starts it, again at the same address after :meth:`stop`."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TOOLGATE_")}
        environment |= {"TOOLGATE_HOME": str(self.home), "TOOLGATE_PORTS": str(self._port), "TOOLGATE_SETUP": "off"}
        if self._database_url is not None:
            environment["DATABASE_URL"] = self._database_url
        self._lines = []
        ready = threading.Event()
        self._process = subprocess.Popen(
            self._command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        threading.Thread(target=self._read, args=(self._process.stdout, ready), daemon=True).start()
        deadline = time.monotonic() + START_TIMEOUT
        while not ready.wait(0.1):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("The gate did not start:\n" + "".join(self._lines[-30:]))
        self.url = next(line for line in self._lines if line.startswith(_READY)).split()[3]
        self._port = int(self.url.rpartition(":")[2])
        self.key = (self.home / "admin.key").read_text().strip()

    def _read(self, output: IO[str], ready: threading.Event) -> None:
        for line in output:
            self._lines.append(line)
            del self._lines[:-1000]
            if line.startswith(_READY):
                ready.set()

    def client(self, **options: Any) -> Toolgate:
        """A client with the admin's key, or another one."""
        return Toolgate(**{"url": self.url, "key": self.key, **options})

    def stop(self) -> None:
        """Stops it as an operator would."""
        if self._process is not None:
            if self._process.poll() is None:
                self._process.send_signal(signal.SIGTERM)
                try:
                    self._process.wait(STOP_TIMEOUT)
                except subprocess.TimeoutExpired:
                    self.kill()
            self._process = None

    def kill(self) -> None:
        """Ends it at once, as a crash would."""
        if self._process is not None:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """Stops it and deletes its folder."""
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self) -> GateProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _command(given: str | None) -> list[str]:
    chosen = given or os.environ.get("TOOLGATE_COMMAND") or shutil.which("toolgate")
    if not chosen:
        raise FileNotFoundError("There is no toolgate command: set TOOLGATE_COMMAND, or put it on the PATH.")
    return shlex.split(chosen)


class TASService:
    """The Tool Access Service by its first design: a real gate, with the methods of that design.

    With ``TOOLGATE_URL`` and ``TOOLGATE_KEY`` set, and no database named, it is the gate there; otherwise one is started.
    """

    def __init__(self, db_url: str | None = None) -> None:
        self._process: GateProcess | None = None
        if db_url is None and os.environ.get("TOOLGATE_URL"):
            self._gate = Toolgate()
        else:
            self._process = GateProcess(database_url=db_url)
            self._gate = self._process.client()

    def grant_permission(self, agent_id: str, tool_name: str, reason: str = "test") -> None:
        """Lets an agent use a tool."""
        self._gate.permissions.grant(agent_id, tool_name, reason=reason)

    def revoke_permission(self, agent_id: str, tool_name: str, reason: str = "test") -> None:
        """Revokes the grant."""
        self._gate.permissions.clear(agent_id, tool_name, reason=reason)

    def check_permission(self, agent_id: str, tool_name: str) -> bool:
        """Whether an agent may use a tool."""
        return self._gate.validate(tool_name, agent=agent_id).allowed

    def execute_tool(self, agent_id: str, tool_name: str, **params: Any) -> Mapping[str, Any]:
        """A call, answered with the body of the HTTP answer."""
        return self._gate.submit(tool_name, params, agent=agent_id).raw

    def get_audit_logs(self, agent_id: str, **filters: Any) -> list[Mapping[str, Any]]:
        """The records of an agent's calls, oldest first."""
        return list(self._gate.audit.list(agent_id=agent_id, kind="call", order="asc", **filters))

    def close(self) -> None:
        """Ends the gate, if it was started here."""
        self._gate.close()
        if self._process is not None:
            self._process.close()

    def __del__(self) -> None:
        # The listings of the design do not close it.
        if getattr(self, "_process", None) is not None:
            self.close()
