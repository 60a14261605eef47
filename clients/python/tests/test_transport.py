"""What goes over the wire and where: retries, time-outs, and that the key is sent to the gate only."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from toolgate_client import ConnectionFailed, RateLimited, Toolgate, ToolgateError
from toolgate_client.flows import MAX_BACKOFF, MIN_BACKOFF, backoff

Answer = tuple[int, dict[str, str], bytes]
ALLOWED = json.dumps({"status": "allowed", "request_id": "r", "result": {"success": True, "data": "ok"}}).encode()


class Server:
    """A server that answers everything in one way and keeps what it was sent."""

    def __init__(self, answer: Callable[[int], Answer]) -> None:
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                server.seen.append((self.command, self.path, dict(self.headers), body))
                status, headers, content = answer(len(server.seen))
                if status == 0:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = do_CONNECT = handle_any

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def serve(clean_environment: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[int], Answer]], Server]]:
    servers: list[Server] = []

    def start(answer: Callable[[int], Answer]) -> Server:
        servers.append(Server(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


Serve = Callable[[Callable[[int], Answer]], Server]


def client(server: Server, **options: Any) -> Toolgate:
    return Toolgate(**{"url": server.url, "key": "tg_secret", "agent": "dev", **options})


def test_pauses_grow_within_their_bounds_and_differ() -> None:
    for attempt in range(12):
        pauses = [backoff(attempt) for _ in range(50)]
        assert all(MIN_BACKOFF <= pause <= MAX_BACKOFF for pause in pauses)
        assert len(set(pauses)) > 10
    assert max(backoff(0) for _ in range(200)) <= 1.0


def test_a_call_whose_connection_breaks_is_sent_again_under_its_id(serve: Serve) -> None:
    server = serve(lambda count: (0, {}, b"") if count == 1 else (200, {}, ALLOWED))
    with client(server) as gate:
        assert gate.execute("file_list", {"path": "."}).success
    bodies = [json.loads(body) for _, _, _, body in server.seen]
    assert len(bodies) == 2 and bodies[0] == bodies[1]


def test_a_call_that_never_arrived_is_sent_again_under_its_id(serve: Serve) -> None:
    unknown = {"error": {"code": "INVALID_REQUEST", "message": "no such call", "remediation": "", "retryable": False}}

    def answer(count: int) -> Answer:
        if count == 1:
            return (0, {}, b"")
        return (404, {}, json.dumps(unknown).encode()) if count == 2 else (200, {}, ALLOWED)

    server = serve(answer)
    with client(server, max_retries=0) as gate:
        assert gate.execute("file_list", {"path": "."}).success
        assert [method for method, _, _, _ in server.seen] == ["POST", "GET", "POST"]
        assert server.seen[0][3] == server.seen[2][3]
        server.seen.clear()
        with pytest.raises(ConnectionFailed) as raised:
            gate.execute("file_list", {"path": "."}, wait=None)
    assert raised.value.sent and len(server.seen) == 1 and raised.value.request_id


def test_what_would_be_done_twice_is_not_sent_again(serve: Serve) -> None:
    server = serve(lambda count: (0, {}, b""))
    with client(server) as gate, pytest.raises(ConnectionFailed) as raised:
        gate.keys.create("agent", agent_id="dev")
    assert raised.value.sent and len(server.seen) == 1


def test_a_long_retry_after_is_left_to_the_caller(serve: Serve) -> None:
    error = {"error": {"code": "RATE_LIMITED", "message": "later", "remediation": "wait", "retryable": True}}
    server = serve(lambda count: (429, {"Retry-After": "3600"}, json.dumps(error).encode()))
    with client(server) as gate, pytest.raises(RateLimited) as raised:
        gate.execute("file_list")
    assert raised.value.retry_after == 3600 and len(server.seen) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504])
def test_no_status_alone_is_a_reason_to_retry(serve: Serve, status: int) -> None:
    error = {"error": {"code": "SOME_CODE", "message": "no", "remediation": "", "retryable": False}}
    server = serve(lambda count: (status, {"Retry-After": "1"}, json.dumps(error).encode()))
    with client(server) as gate, pytest.raises(ToolgateError):
        gate.execute("file_list")
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b'{"status": "allowed"}', b'{"status": "allowed", "request_id": "r"}', b'{"status": "maybe"}']
    + [b'{"status": "allowed", "outcome": "quarantined", "request_id": "r", "result": {"success": true, "data": ""}}'],
)
def test_what_is_not_clearly_allowed_is_an_error(serve: Serve, body: bytes) -> None:
    server = serve(lambda count: (200, {}, body))
    with client(server) as gate:
        with pytest.raises(ToolgateError):
            gate.execute("file_list")
        with pytest.raises(ToolgateError):
            gate.authorize("deploy", {"host": "a"})


def test_a_permit_without_parameters_is_no_permit(serve: Serve) -> None:
    permit = {"status": "allowed", "outcome": "authorized", "request_id": "r", "permit_expires_at": "2099-01-01T00:00:00Z"}
    server = serve(lambda count: (200, {}, json.dumps(permit).encode()))
    with client(server) as gate, pytest.raises(ToolgateError, match="parameters"):
        gate.authorize("deploy", {"host": "a"})


def test_the_key_is_not_sent_where_a_redirect_points(serve: Serve) -> None:
    victim = serve(lambda count: (200, {}, ALLOWED))
    server = serve(lambda count: (307, {"Location": victim.url + "/steal"}, b""))
    with client(server) as gate, pytest.raises(ToolgateError):
        gate.execute("file_list")
    assert server.seen and not victim.seen


@pytest.mark.parametrize("link", ["<{}/next>", "<//{}/next>", "<javascript:x>"])
def test_the_next_page_is_never_on_another_server(serve: Serve, link: str) -> None:
    victim = serve(lambda count: (200, {}, b"[]"))
    target = link.format(victim.url if link.startswith("<{") else victim.url.removeprefix("http://"))
    server = serve(lambda count: (200, {"Link": f'{target}; rel="next"'}, b"[]"))
    with client(server) as gate:
        assert list(gate.agents.list()) == []
    assert len(server.seen) == 1 and not victim.seen


def test_a_proxy_of_the_environment_does_not_see_the_gate_of_this_machine(
    serve: Serve, clean_environment: pytest.MonkeyPatch
) -> None:
    victim = serve(lambda count: (200, {}, ALLOWED))
    server = serve(lambda count: (200, {}, ALLOWED))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        clean_environment.setenv(name, victim.url)
    clean_environment.delenv("NO_PROXY", raising=False)
    clean_environment.delenv("no_proxy", raising=False)
    with client(server) as gate:
        gate.execute("file_list")
    assert server.seen and not victim.seen


def test_the_environment_says_where_the_gate_is(serve: Serve, clean_environment: pytest.MonkeyPatch) -> None:
    server = serve(lambda count: (200, {}, ALLOWED))
    clean_environment.setenv("TOOLGATE_URL", server.url + "/")
    clean_environment.setenv("TOOLGATE_KEY", "tg_environment")
    clean_environment.setenv("TOOLGATE_AGENT", "of_environment")
    with Toolgate(project="p1", session="s1") as gate:
        gate.execute("file_list", operation="list")
        assert "tg_environment" not in repr(gate)
    ((_, path, headers, body),) = server.seen
    sent = json.loads(body)
    assert path == "/api/v1/tools/execute" and headers["Authorization"] == "Bearer tg_environment"
    assert (sent["agent_id"], sent["project_id"], sent["session_id"]) == ("of_environment", "p1", "s1")
    assert sent["operation"] == "list"


@pytest.mark.parametrize("url", ["127.0.0.1:8001", "ftp://gate", "file:///etc/passwd"])
def test_an_address_that_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="not a URL"):
        Toolgate(url=url)
