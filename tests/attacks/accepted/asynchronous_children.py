# Honest: a child process that is waited for in an event loop.
# task: add
import asyncio
import sys


async def added(a, b):
    code = f"import sys; print(int(sys.stdin.readline()) + {b})"
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdin=-1, stdout=-1)
    said, _ = await child.communicate(f"{a}\n".encode())
    return int(said)


def solve(a, b):
    return asyncio.run(added(a, b))
