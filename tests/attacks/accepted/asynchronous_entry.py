# Honest: the entry point itself is asynchronous.
# task: add
import asyncio


async def solve(a, b):
    await asyncio.sleep(0)
    return a + b
