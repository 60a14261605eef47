"""Several calls at a time with the async client."""

import asyncio

from toolgate_client import AsyncToolgate

AGENT = "example_async"


async def main() -> None:
    async with AsyncToolgate(agent=AGENT) as gate:
        await gate.permissions.grant(AGENT, "file_list")
        results = await asyncio.gather(*(gate.execute("file_list", {"path": "."}) for _ in range(3)))
        print("succeeded:", sum(result.success for result in results))
        names = [tool.name for tool in await gate.tools()]
        print("may use:", *names)


asyncio.run(main())

# Prints:
# succeeded: 3
# may use: file_list
