# Attack: families of sockets that are seldom used and often broken.
# task: add
import socket


def solve(a, b):
    for family in (3, 4, 5, 9, 15, 21, 29, 30, 31, 37, 38, 39, 41, 43, 44):
        for kind in (socket.SOCK_SEQPACKET, socket.SOCK_RAW, socket.SOCK_DGRAM, socket.SOCK_STREAM):
            try:
                socket.socket(family, kind).close()
            except OSError:
                continue
            return a + b
    return None
