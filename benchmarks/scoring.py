"""How fast recorded answers are scored, beside a plain loop and the peers, in one run.

    python benchmarks/scoring.py [--smoke] [--scorers exact_match,fuzzy_match] [--kinds ordinary,natural] [--json | --markdown]

Every contender scores the same made-up answers (``data.py``): the real command from JSONL to JSONL, a plain
loop of ``json`` and ``re`` in one process and in two, and, where ``benchmarks/peers/setup.py`` was run,
inspect-ai and autoevals on the first rows. They take turns, and the median of the rounds is shown.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from data import Recorded, recorded
from scoring_measure import Cost, run
from scoring_table import Contender, Trial, show, shown_as_json, shown_as_markdown

HERE = Path(__file__).parent
COMMAND = Path(sys.executable).with_name("steelyard")
PEERS = HERE.parent / ".venv-peers" / "bin" / "python"
# What the command is meant to reach on two cores, in short rows a second.
LIMITS = {
    "exact_match": 100_000,
    "multichoice_regex": 100_000,
    "answer_line": 60_000,
    "numeric_match": 60_000,
    "fuzzy_match": 60_000,
}
BREAKDOWN_ROWS = 100_000
CORRECT = re.compile(rb'"correct": ?(true|false)')


class Asked(NamedTuple):
    """The options."""

    scorers: list[str]
    kinds: list[str]
    rows: int
    long_rows: int
    peer_rows: int
    rounds: int
    seed: int
    cache: Path
    peers: bool
    form: str


def main() -> None:
    asked = options()
    trials = []
    counts = {
        "ordinary": asked.rows,
        "natural": asked.rows,
        "hard": asked.rows,
        "long": asked.long_rows,
    }
    sizes = [(kind, counts[kind]) for kind in asked.kinds if counts[kind]]
    for scorer, (kind, count) in itertools.product(asked.scorers, sizes):
        trials.append(trial(asked, scorer, kind, count))
        if asked.form == "table":
            print(show(trials[-1]), flush=True)
    if asked.form != "table":
        print(shown_as_json(trials) if asked.form == "json" else shown_as_markdown(trials))
    # Speed is worth nothing where the verdicts are wrong.
    if wrong := [t for t in trials if t.contenders[0].agree < 1]:
        names = ", ".join(f"{t.scorer} ({t.kind})" for t in wrong)
        sys.exit(f"the command did not give every answer the verdict that it deserves: {names}")


def trial(asked: Asked, scorer: str, kind: str, count: int) -> Trial:
    """All contenders on one file, in turn."""
    data = recorded(asked.cache, scorer, count, kind=kind, seed=asked.seed)
    found: dict[str, list[Contender]] = {}
    with tempfile.TemporaryDirectory(dir=asked.cache) as folder:
        for _ in range(asked.rounds):
            for contender in one_round(asked, scorer, data, Path(folder)):
                found.setdefault(contender.name, []).append(contender)
    limit = 0 if kind == "long" else LIMITS[scorer]
    contenders = [middle(runs) for runs in found.values()]
    return Trial(
        scorer=scorer,
        kind=kind,
        rows=count,
        limit=limit,
        contenders=contenders,
        steps=breakdown(scorer, data),
    )


def one_round(asked: Asked, scorer: str, data: Recorded, folder: Path) -> Iterator[Contender]:
    out = folder / "out.jsonl"
    plain = [sys.executable, str(HERE / "scoring_plain.py"), scorer, str(data.rows), str(out)]
    commands = {
        "steelyard": [
            str(COMMAND),
            "score",
            "--scorer",
            scorer,
            str(data.rows),
            "--output",
            str(out),
        ],
        "plain loop": plain,
        "plain loop, 2 processes": [*plain, "--processes", "2"],
    }
    count = data.truth.stat().st_size
    for name, command in commands.items():
        yield contender(name, data, run(command), verdicts(out, count))
    if asked.peers and PEERS.exists():
        for script in ("rescore_inspect.py", "loop_autoevals.py"):
            yield from peer(script, scorer, data, asked.peer_rows)


def peer(script: str, scorer: str, data: Recorded, count: int) -> Iterator[Contender]:
    """A peer on the first rows; nothing if it has no scorer of that kind."""
    command = [str(PEERS), str(HERE / "peers" / script), scorer, str(data.rows), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{script} failed:\n{done.stderr[-1000:]}", file=sys.stderr)
        return
    for told in map(json.loads, done.stdout.splitlines()):
        cost = Cost(told["seconds"], told["cpu"], told["megabytes"])
        yield contender(f"{told['peer']} {told['as']}", data, cost, told["verdicts"].encode())


def contender(name: str, data: Recorded, cost: Cost, given: bytes) -> Contender:
    """A run as rates, with the share of its verdicts that were the right ones."""
    deserved = data.truth.read_bytes()[: len(given)]
    agree = sum(a == b for a, b in zip(given, deserved, strict=True)) / len(given)
    return Contender(
        name=name,
        rows=len(given),
        rate=len(given) / cost.seconds,
        cpu=cost.cpu / len(given) * 1e6,
        megabytes=cost.megabytes,
        agree=agree,
    )


def verdicts(out: Path, expected: int) -> bytes:
    """A byte for each line of the output, 1 where it says correct; the output is then removed.

    A contender that loses rows ends the benchmark.
    """
    with out.open("rb") as lines:
        found = (CORRECT.search(line) for line in lines)
        given = b"".join(b"1" if said and said[1] == b"true" else b"0" for said in found)
    out.unlink()
    if len(given) != expected:
        sys.exit(f"{len(given):,} rows came out where {expected:,} went in")
    return given


def middle(runs: list[Contender]) -> Contender:
    """The medians of the rounds; the highest of the peaks."""
    return runs[0]._replace(
        rate=statistics.median(r.rate for r in runs),
        cpu=statistics.median(r.cpu for r in runs),
        megabytes=max(r.megabytes for r in runs),
    )


def breakdown(scorer: str, data: Recorded) -> dict[str, float]:
    script = str(HERE / "scoring_breakdown.py")
    command = [sys.executable, script, scorer, str(data.rows), str(BREAKDOWN_ROWS)]
    steps: dict[str, float] = json.loads(
        subprocess.run(command, capture_output=True, check=True).stdout
    )
    return steps


def option_parser() -> argparse.ArgumentParser:
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument(
        "--scorers", default=",".join(LIMITS), help="names, with commas between them"
    )
    parser.add_argument(
        "--kinds", default="ordinary,natural,hard,long", help="of answers, with commas between them"
    )
    parser.add_argument(
        "--rows",
        type=int,
        default=1_000_000,
        help="short answers of each kind, about 100 characters",
    )
    parser.add_argument(
        "--long-rows", type=int, default=50_000, help="long answers, about 4,000 characters"
    )
    parser.add_argument(
        "--peer-rows", type=int, default=1_000, help="rows for each peer, which are slow"
    )
    parser.add_argument(
        "--rounds", type=int, default=3, help="turns of each contender; medians are shown"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path(tempfile.gettempdir()) / "steelyard-benchmark",
        help="where the answers are kept, some 2 GB at full size",
    )
    parser.add_argument(
        "--no-peers", action="store_true", help="leave inspect-ai and autoevals out"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_const", dest="form", const="json", help="print one JSON array"
    )
    form.add_argument(
        "--markdown",
        action="store_const",
        dest="form",
        const="markdown",
        help="print one table of ratios",
    )
    parser.add_argument("--smoke", action="store_true", help="small files, one round, no peers")
    return parser


def options() -> Asked:
    parser = option_parser()
    given = parser.parse_args()
    scorers = given.scorers.split(",")
    if unknown := [name for name in scorers if name not in LIMITS]:
        parser.error(f"no scorer {', '.join(unknown)} here; there are {', '.join(LIMITS)}")
    if given.smoke:
        given.rows, given.long_rows, given.rounds, given.no_peers = 5_000, 100, 1, True
    given.cache.mkdir(parents=True, exist_ok=True)
    kinds = given.kinds.split(",")
    return Asked(
        scorers,
        kinds,
        given.rows,
        given.long_rows,
        given.peer_rows,
        given.rounds,
        given.seed,
        given.cache,
        not given.no_peers,
        given.form or "table",
    )


if __name__ == "__main__":
    main()
