"""Somebody who submits: sends ready-made requests over several connections, and times each answer.

    python benchmarks/arena_load.py PORT REQUESTS CONNECTIONS

REQUESTS is a file of JSON lines, each with a path, a key and a body. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import uvloop


def requests(file: Path) -> Iterator[bytes]:
    """The requests as bytes, made while they are sent."""
    with file.open() as lines:
        for line in lines:
            path, key, body = json.loads(line)
            yield (
                f"POST {path} HTTP/1.1\r\nHost: arena\r\nAuthorization: Bearer {key}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            ).encode()


async def ask(
    port: int, waiting: Iterator[bytes], times: list[float], statuses: dict[str, int]
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in waiting:
        begun = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        body = await reader.readexactly(length)
        times.append(time.perf_counter() - begun)
        status = head[9:12].decode()
        statuses[status] = statuses.get(status, 0) + 1
        if status not in {"200", "201"} and statuses[status] == 1:
            sys.stderr.write(f"{status}: {body[:300].decode()}\n")
    writer.close()


async def main(port: int, file: Path, connections: int) -> dict[str, object]:
    times: list[float] = []
    statuses: dict[str, int] = {}
    waiting = requests(file)
    begun = time.perf_counter()
    await asyncio.gather(*(ask(port, waiting, times, statuses) for _ in range(connections)))
    took = time.perf_counter() - begun
    times.sort()
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "requests": len(times),
        "seconds": took,
        "rate": len(times) / took,
        "statuses": statuses,
        "p50_ms": 1000 * times[len(times) // 2],
        "p99_ms": 1000 * times[min(len(times) - 1, len(times) * 99 // 100)],
        "cpu": used.ru_utime + used.ru_stime,
    }


if __name__ == "__main__":
    print(json.dumps(uvloop.run(main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))))
