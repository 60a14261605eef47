"""How requests go over httpx: the same arguments, time-outs and errors for both clients."""

from __future__ import annotations

import ipaddress
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from .errors import ConnectionFailed
from .flows import Settings
from .wire import Request, Response

CONNECT_TIMEOUT = 10.0
CHUNK = 64 * 1024
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol, httpx.ProxyError)


def client_options(settings: Settings) -> dict[str, Any]:
    """Options for httpx; a proxy of the environment is not used for a gate on this machine."""
    return {"timeout": timeout(settings), "trust_env": not _on_this_machine(settings.url), "follow_redirects": False}


def timeout(settings: Settings) -> httpx.Timeout:
    return httpx.Timeout(settings.timeout, connect=min(settings.timeout, CONNECT_TIMEOUT))


def _on_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def arguments(settings: Settings, request: Request) -> dict[str, Any]:
    """The arguments for httpx without the content, which each client reads in its own way."""
    query = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in request.query.items()}
    options: dict[str, Any] = {
        "method": request.method,
        "url": settings.url + request.path,
        "headers": {**settings.headers(), **request.headers},
    }
    if query:
        options["params"] = query
    if request.body is not None:
        options["json"] = request.body
    return options


def response(answer: httpx.Response, content: bytes) -> Response:
    return Response(answer.status_code, {name.lower(): value for name, value in answer.headers.items()}, content)


def connection_failed(settings: Settings, problem: httpx.TransportError) -> ConnectionFailed:
    sent = not isinstance(problem, _NOT_SENT)
    what = "The connection to the gate broke" if sent else "The gate cannot be reached"
    reason = str(problem) or type(problem).__name__
    failed = ConnectionFailed(f"{what} at {settings.url}: {reason}", sent=sent)
    failed.__cause__ = problem
    return failed
