"""The least that a run can be: ask everything over aiohttp, compare, write a line each. No journal, no retries, no reasons.

python benchmarks/eval_bare.py URL PROBLEMS.jsonl CONCURRENCY OUT.jsonl
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import aiohttp
import uvloop


async def work(
    session: aiohttp.ClientSession, url: str, rows: Iterator[dict[str, Any]], out: TextIO
) -> int:
    right = 0
    for row in rows:
        body = {"model": "mock", "messages": [{"role": "user", "content": row["question"]}]}
        async with session.post(f"{url}/chat/completions", json=body) as answer:
            text = (await answer.json())["choices"][0]["message"]["content"]
        correct = text.strip() == row["target"]
        out.write(json.dumps({"id": row["id"], "response": text, "correct": correct}) + "\n")
        right += correct
    return right


async def main(url: str, problems: str, concurrency: str, output: str) -> None:
    rows = iter([json.loads(line) for line in Path(problems).read_text().splitlines()])
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        with open(output, "w") as out:
            found = await asyncio.gather(
                *(work(session, url, rows, out) for _ in range(int(concurrency)))
            )
    print(json.dumps({"right": sum(found)}))


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
