# Honest: an event loop of its own.
# task: add
# runs: always
import asyncio


async def later(number):
    await asyncio.sleep(0.01)
    return number


async def both(a, b):
    return sum(await asyncio.gather(later(a), later(b)))


def solve(a, b):
    return asyncio.run(both(a, b))
