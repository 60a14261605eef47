"""A local HTTP server that replays recorded exchanges and checks what it is sent."""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qsl, urlsplit

NAMES = ("$request_id", "$other_id")


class Replay:
    """Answers the requests of one scenario in their order; ``problems`` has what was not as recorded."""

    def __init__(self, exchanges: list[dict[str, Any]]) -> None:
        self.left = list(exchanges)
        self.problems: list[str] = []
        self.ids: dict[str, str] = {}
        self._earliest = 0.0
        replay = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                replay._handle(self)

            do_GET = do_POST = do_PUT = do_DELETE = handle_any

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def __enter__(self) -> Replay:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def check(self) -> None:
        assert not self.problems, "\n".join(self.problems)
        assert not self.left, f"not sent: {[each['request']['path'] for each in self.left]}"

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        body = json.loads(handler.rfile.read(length)) if length else None
        came = time.monotonic()
        if not self.left:
            self.problems.append(f"one request too many: {handler.command} {handler.path}")
            self._answer(handler, {"status": 500, "headers": {}, "body": {"status": "unknown"}})
            return
        exchange = self.left.pop(0)
        request = exchange["request"]
        if came < self._earliest:
            self.problems.append(f"{handler.path} came before Retry-After had passed")
        self._expect("method", request["method"], handler.command)
        wanted, sent = urlsplit(request["path"]), urlsplit(handler.path)
        self._expect("path", wanted.path, sent.path)
        self._expect("query", dict(parse_qsl(wanted.query)), dict(parse_qsl(sent.query)))
        for name, value in request["headers"].items():
            self._expect(name, value, handler.headers.get(name))
        self._expect("User-Agent", {"$matches": "^toolgate-python/[0-9]"}, handler.headers.get("User-Agent"))
        self._expect("body", request.get("body"), body)
        self._answer(handler, self.filled(exchange["response"]))

    def _expect(self, what: str, wanted: Any, sent: Any) -> None:
        if not self._matches(wanted, sent):
            self.problems.append(f"{what}: sent {sent!r}, recorded {wanted!r}")

    def _matches(self, wanted: Any, sent: Any) -> bool:
        if isinstance(wanted, dict) and set(wanted) == {"$matches"}:
            return re.search(wanted["$matches"], str(sent)) is not None
        if isinstance(wanted, dict):
            return (
                isinstance(sent, dict)
                and set(wanted) == set(sent)
                and all(self._matches(value, sent[name]) for name, value in wanted.items())
            )
        if isinstance(wanted, str) and isinstance(sent, str):
            for name in NAMES:
                if wanted == name and name not in self.ids:
                    self.ids[name] = str(uuid.UUID(sent))
            return bool(self.filled(wanted) == sent)
        return bool(wanted == sent)

    def filled(self, recorded: Any) -> Any:
        """Replaces placeholders by the ids that the client has generated."""
        text = json.dumps(recorded)
        for name, value in self.ids.items():
            text = text.replace(name, value)
        return json.loads(text)

    def _answer(self, handler: BaseHTTPRequestHandler, response: dict[str, Any]) -> None:
        body = response["body"]
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        handler.send_response(response["status"])
        for name, value in response["headers"].items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        self._earliest = time.monotonic() + float(response["headers"].get("Retry-After", 0))
        handler.wfile.write(content)
