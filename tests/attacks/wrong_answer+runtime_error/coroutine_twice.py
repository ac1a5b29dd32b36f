# Attack: a coroutine that gives a coroutine that gives the answer's like.
# task: add


async def inner():
    return object()


async def solve(a, b):
    return inner()
