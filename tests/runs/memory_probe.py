"""A command of ``steelyard``, or with ``judged`` a run whose judge is a function, that tells its peak of memory when it ends.

    python memory_probe.py FILE eval run …
    python memory_probe.py FILE judged BENCH REPLIES FOLDER

The peak is that of this process since it began, in KiB. What the system tells a parent of its child would not do: it counts the
parent's own memory too.
"""

from __future__ import annotations

import atexit
import sys
from pathlib import Path


def tell_peak(file: Path) -> None:
    """Write how much memory this process has held at most."""
    told = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    file.write_text(
        next(line.split()[1] for line in told if line.startswith("VmHWM")), encoding="utf-8"
    )


def judged(messages: list[dict[str, str]]) -> str:
    """Full marks, after the tag that the prompt asks for."""
    tag = messages[0]["content"].partition("VERDICT-")[2].split()[0]
    return f'Evidence: sum\nReason: it answers\nVERDICT-{tag} {{"score": 5}}'


def run_judged(bench: str, replies: str, folder: str) -> None:
    """A run in which a judge has a say about every sample."""
    from steelyard.bench.load import load_benchmark
    from steelyard.judge.client import FunctionModel
    from steelyard.models.pace import Pacer
    from steelyard.models.recorded import RecordedModel
    from steelyard.runs.judging import JudgeDoor
    from steelyard.runs.plan import RunPlan
    from steelyard.runs.run import Options, run_benchmark
    from steelyard.runs.session import Doors

    plan = RunPlan(load_benchmark(bench), reference=str(Path(bench).absolute()))
    judge = JudgeDoor(FunctionModel(judged), plan.benchmark.judge_config, Pacer())
    done = run_benchmark(
        plan, Doors(RecordedModel(Path(replies)), Pacer(), judge), Options(folder=Path(folder))
    )
    assert done.results["headline"]["scored"] == plan.total


def main() -> None:
    """Do what is asked."""
    file, *args = sys.argv[1:]
    atexit.register(tell_peak, Path(file))
    if args[0] == "judged":
        run_judged(*args[1:])
        return
    from steelyard.cli import main as command

    sys.argv[1:] = args
    command()


if __name__ == "__main__":
    main()
