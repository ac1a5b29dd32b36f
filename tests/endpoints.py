"""A scripted endpoint in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "steelyard"]


@contextmanager
def endpoint(
    folder: Path, answers: dict[str, str], *rules: dict[str, Any], port: str = "0"
) -> Iterator[str]:
    """The address of a scripted endpoint in a process of its own."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps({"answers": answers, "rules": rules}), encoding="utf-8")
    command = [*COMMAND, "serve-mock", "--plan", str(plan), "--port", port]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served:
        try:
            assert served.stdout is not None
            yield served.stdout.readline().split(" on ")[1].split()[0]
        finally:
            served.terminate()
            served.wait()
