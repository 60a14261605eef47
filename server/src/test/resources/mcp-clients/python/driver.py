"""Drives the Python library: a command a line on standard input, an answer a line on standard output."""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


def server(http):
    command = os.environ.get("MCP_COMMAND")
    if command:
        words = json.loads(command)
        return StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ))
    return streamable_http_client(os.environ["MCP_URL"], http_client=http)


async def answer(client, asked):
    if asked["do"] == "list":
        listed = await client.list_tools()
        return {"tools": [tool.name for tool in listed.tools]}
    result = await client.call_tool(asked["name"], asked["arguments"])
    texts = [block.text for block in result.content if block.type == "text"]
    return {"isError": bool(result.is_error), "text": "\n".join(texts)}


async def main():
    headers = {"Authorization": "Bearer " + os.environ.get("MCP_KEY", "")}
    async with httpx2.AsyncClient(headers=headers, timeout=120) as http:
        async with Client(server(http), mode=sys.argv[1]) as client:
            while line := await asyncio.to_thread(sys.stdin.readline):
                try:
                    said = await answer(client, json.loads(line))
                except Exception as failure:
                    said = {"failure": str(failure)}
                print(json.dumps(said), flush=True)


asyncio.run(main())
