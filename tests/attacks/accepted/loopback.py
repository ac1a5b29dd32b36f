# Honest: a server and a client inside one program.
# task: add
import socket
import threading


def serve(listener):
    line, _ = listener.accept()
    with line:
        a, b = map(int, line.recv(100).split())
        line.sendall(str(a + b).encode())


def solve(a, b):
    near, far = socket.socketpair()
    with near, far:
        near.sendall(f"{a} {b}".encode())
        first, second = map(int, far.recv(100).split())
        worker = threading.Thread(target=far.sendall, args=[str(first + second).encode()])
        worker.start()
        return int(near.recv(100))
