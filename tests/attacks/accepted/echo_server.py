# Honest: a server and forty clients that talk over the loopback, with buffers of the size they ask for.
# task: add
import asyncio
import socket


async def serve(reader, writer):
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 18)
    writer.write(await reader.readexactly(100_000))
    await writer.drain()
    writer.close()


async def ask(port, byte):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(byte * 100_000)
    answer = await reader.readexactly(100_000)
    writer.close()
    return answer == byte * 100_000


async def talk():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    done = await asyncio.gather(*(ask(port, b"%c" % number) for number in range(40)))
    server.close()
    return sum(done)


def solve(a, b):
    return a + b if asyncio.run(talk()) == 40 else None
