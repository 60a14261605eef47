"""Claude Agent SDK, with the real Claude Code that it brings, and a server that answers like Anthropic's."""

from __future__ import annotations

import json
import tempfile
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query
from claude_agent_sdk import tool as sdk_tool
from effects import Deployments
from harness import Harness
from scripted import END, Call, Script, Told

from toolgate_client import Toolgate
from toolgate_integrations import GateOptions
from toolgate_integrations.catalog import ToolDescription
from toolgate_integrations.claude_agent_sdk import gated, register, toolgate_server

SCHEMA = {"type": "object", "properties": {"host": {"type": "string"}}, "required": ["host"]}


class AnthropicServer:
    """Follows a script, and remembers what it was told."""

    def __init__(self, script: Script) -> None:
        self.results: list[str] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if not self.path.partition("?")[0].endswith("/messages"):
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for event in model._answer(request, script):
                    self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def _answer(self, request: Any, script: Script) -> Iterator[dict[str, Any]]:
        # Claude Code asks a model for other things too, such as a title; those have no tools.
        calls: tuple[Call, ...] = ()
        if request.get("tools"):
            blocks = [block for each in request["messages"] if isinstance(each["content"], list) for block in each["content"]]
            self.results = [_text(block["content"]) for block in blocks if block.get("type") == "tool_result"]
            calls = script.next()
        yield {
            "type": "message_start",
            "message": {
                "id": f"msg_{uuid.uuid4().hex}", "type": "message", "role": "assistant", "model": "scripted",
                "content": [], "stop_reason": None, "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 1},
            },
        }  # fmt: skip
        for index, call in enumerate(calls):
            block = {"type": "tool_use", "id": call.id, "name": call.tool, "input": {}}
            yield {"type": "content_block_start", "index": index, "content_block": block}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call.arguments)}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
            yield {"type": "content_block_stop", "index": index}
        if not calls:
            yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
            yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": END}}
            yield {"type": "content_block_stop", "index": 0}
        reason = "tool_use" if calls else "end_turn"
        yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 1}}
        yield {"type": "message_stop"}


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)


@contextmanager
def claude(script: Script, **options: Any) -> Iterator[tuple[AnthropicServer, ClaudeAgentOptions]]:
    """A model, and options for a Claude Code that talks to it and has a home of its own."""
    model = AnthropicServer(script)
    threading.Thread(target=model.server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="claude-") as home:
        environment = {
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "scripted",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CONFIG_DIR": home,
            "DISABLE_AUTOUPDATER": "1",
            "ENABLE_TOOL_SEARCH": "false",
            "HOME": home,
        }
        try:
            yield model, ClaudeAgentOptions(env=environment, cwd=home, setting_sources=[], model="scripted", **options)
        finally:
            model.server.shutdown()
            model.server.server_close()


def server(deployments: Deployments) -> Any:
    """The tool, in an MCP server of this process."""

    @sdk_tool("deploy", "Deploys to a host.", SCHEMA)
    async def deploy(arguments: Any) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": await deployments.deploy_slowly(arguments["host"])}]}

    return create_sdk_mcp_server("local", tools=[deploy])


async def run(model: AnthropicServer, options: ClaudeAgentOptions) -> Told:
    try:
        async for _ in query(prompt="go", options=options):
            pass
    except Exception as raised:
        return Told(model.results, raised)
    return Told(model.results)


class ClaudeAgentSDK(Harness):
    tool = "claude-code:mcp__local__deploy"

    def model_name(self, tool: str) -> str:
        return f"mcp__local__{tool}" if tool == "deploy" else f"mcp__toolgate__{tool}"

    def register(self, gate: Toolgate) -> list[str]:
        described = ToolDescription("mcp__local__deploy", "Deploys to a host.", SCHEMA)
        return register([described], gate, capability="Deploy.Run")

    async def run(self, script: Script, deployments: Deployments, gate: GateOptions, **options: Any) -> Told:
        with claude(script, mcp_servers={"local": server(deployments)}, tools=[]) as (model, plain):
            return await run(model, gated(plain, **gate, **options))

    async def run_with_gate_tools(self, script: Script, gate: GateOptions) -> Told:
        own = toolgate_server(url=gate["url"], key=gate["key"])
        with claude(script, mcp_servers={"toolgate": own}, allowed_tools=["mcp__toolgate"]) as (model, plain):
            return await run(model, gated(plain, **gate))
