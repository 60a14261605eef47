"""Drives the MCP adapters of LangChain: a command a line on standard input, an answer a line on standard output."""

import asyncio
import json
import os
import sys

from langchain_mcp_adapters.client import MultiServerMCPClient

client = MultiServerMCPClient(
    {
        "toolgate": {
            "transport": "streamable_http",
            "url": os.environ["MCP_URL"],
            "headers": {"Authorization": "Bearer " + os.environ["MCP_KEY"]},
        }
    }
)
known = {}


async def answer(asked):
    if asked["do"] == "list":
        listed = await client.get_tools()
        known.update({tool.name: tool for tool in listed})
        return {"tools": [tool.name for tool in listed]}
    tool = known.get(asked["name"])
    if tool is None:  # no agent could call it, but a program could
        async with client.session("toolgate") as session:
            result = await session.call_tool(asked["name"], asked["arguments"])
            return {"isError": result.isError, "text": "\n".join(block.text for block in result.content)}
    said = await tool.ainvoke(asked["arguments"])
    return {"text": said if isinstance(said, str) else "\n".join(block["text"] for block in said)}


async def main():
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            said = await answer(json.loads(line))
        except BaseException as failure:
            while isinstance(failure, BaseExceptionGroup):
                failure = failure.exceptions[0]
            said = {"failure": str(failure)}
        print(json.dumps(said), flush=True)


asyncio.run(main())
