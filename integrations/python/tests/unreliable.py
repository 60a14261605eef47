"""A proxy in front of a gate that behaves like unreliable networks, proxies and broken gates."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Literal, TypeAlias

import httpx

Behaviour: TypeAlias = Literal["forward", "error", "page", "half a permit", "silent", "cut"]
_BODIES = {
    "error": (500, "application/json", b'{"error":{"code":"INTERNAL_ERROR","message":"broken","retryable":false}}'),
    "page": (200, "text/html", b"<html>Please log in</html>"),
    "half a permit": (200, "application/json", b'{"status":"allowed","request_id":"1"}'),
}
FAILURES: tuple[Behaviour, ...] = ("error", "page", "half a permit", "silent", "cut")


class UnreliableGate:
    """Forwards to a gate, until another behaviour is set."""

    def __init__(self, target: str) -> None:
        self.behaviour: Behaviour = "forward"
        self._over = threading.Event()
        gate = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if gate.behaviour == "forward":
                    headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
                    answer = httpx.request(
                        self.command, target + self.path, content=body, headers=headers, timeout=60, trust_env=False
                    )
                    self.send(answer.status_code, answer.headers.get("Content-Type", ""), answer.content)
                elif gate.behaviour == "silent":
                    gate._over.wait(60)
                elif gate.behaviour != "cut":
                    self.send(*_BODIES[gate.behaviour])
                self.close_connection = True

            def send(self, status: int, kind: str, content: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = answer

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def behave(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour

    def __enter__(self) -> UnreliableGate:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
