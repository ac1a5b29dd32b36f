"""Measure how fast recorded answers are scored, beside a plain loop and the peers, in one run.

    python benchmarks/scoring.py [--scorers exact_match,fuzzy_match] [--shapes marked,prose,long,pages]
                                 [--rows 500000] [--long-rows 50000] [--json]
    python benchmarks/scoring.py --hostile [--size 1000000]
    python benchmarks/scoring.py --smoke

Every contender scores the same generated rows (``data.py``): the command from JSONL to JSONL, with
one worker a core and with one worker; a loop of ``json`` and ``re`` in one process and in two; and
inspect-ai and autoevals on the first rows, if ``benchmarks/peers/setup.py`` was run. They take
turns, and medians are shown. ``--hostile`` looks for the slowest text of each scorer instead.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from data import LONG_SHAPES, SHAPES, rows, shapes_of, write_rows
from scoring_hostile import LIMIT_SECONDS, slowest_text_of
from scoring_measure import Cost, cache_bytecode, run
from scoring_plain import SCORERS
from scoring_table import (
    COMMAND,
    ONE_WORKER,
    PLAIN,
    Contender,
    Slowest,
    Trial,
    as_json,
    slowest_text,
    summary_text,
    trial_text,
)

HERE = Path(__file__).parent
STEELYARD = Path(sys.executable).with_name("steelyard")
PEERS = HERE.parent / ".venv-peers" / "bin" / "python"
PEER_SCRIPTS = ("rescore_inspect.py", "loop_autoevals.py")
# The CPU time of the command for a row, divided by the plain loop's, should not exceed this.
LIMIT_RATIO = 4.5
# With fewer rows, start-up is most of what is measured.
LEAST_ROWS = 5_000
CORRECT = re.compile(rb'"correct": ?(true|false)')


class File(NamedTuple):
    """A file of rows, their right verdicts, a file that has only the first row, and an output."""

    scorer: str
    rows: Path
    truth: bytes
    one_row: Path
    out: Path


def main() -> None:
    """Run what the options ask for, and print it."""
    options = read_options()
    # With --json, what is measured is shown on standard error.
    out = sys.stderr if options.json else sys.stdout
    show = functools.partial(print, file=out, flush=True)
    trials: list[Trial] = []
    slowest: list[Slowest] = []
    show(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, seed {options.seed}\n")
    if not options.hostile:
        for trial in run_trials(options):
            trials.append(trial)
            show(trial_text(trial))
        show(summary_text(trials) + "\n")
    if options.hostile or options.smoke:
        show(f"slowest hostile text of {options.size:,} characters, CPU time")
        for scorer in options.scorers:
            slowest.append(slowest_text_of(scorer, options.size))
            show(slowest_text(slowest[-1], LIMIT_SECONDS))
    if options.json:
        print(as_json(trials, slowest))
    # Speed is worth nothing where verdicts are wrong.
    if wrong := [trial for trial in trials if trial.contender(COMMAND).agree < 1]:
        names = ", ".join(f"{trial.scorer} ({trial.shape})" for trial in wrong)
        sys.exit(f"some verdicts of the command differ from the generator's: {names}")


def run_trials(options: argparse.Namespace) -> Iterator[Trial]:
    """Measure each scorer on each shape."""
    with tempfile.TemporaryDirectory(prefix="steelyard-scoring-", dir=options.folder) as place:
        folder = Path(place)
        cache_bytecode(folder / "bytecode")
        warm_up(folder)
        for scorer, shape in itertools.product(options.scorers, options.shapes):
            count = options.long_rows if shape in LONG_SHAPES else options.rows
            if count and shape in shapes_of(scorer):
                yield run_trial(options, scorer, shape, count, folder)


def warm_up(folder: Path) -> None:
    """Run the command once, so that its bytecode is there before the first turn."""
    path = folder / "warm_up.jsonl"
    write_rows(path, rows("fuzzy_match", "marked", 1))
    score = [str(STEELYARD), "score", "--scorer", "fuzzy_match", str(path)]
    run([*score, "--output", str(folder / "out.jsonl")])


def run_trial(
    options: argparse.Namespace, scorer: str, shape: str, count: int, folder: Path
) -> Trial:
    """Measure all contenders on one generated file, in turns."""
    path, one_row = folder / "rows.jsonl", folder / "one_row.jsonl"
    truth = write_rows(path, rows(scorer, shape, count, options.seed))
    file = File(scorer, path, truth, one_row, folder / "out.jsonl")
    with path.open("rb") as lines:
        one_row.write_bytes(lines.readline())
    found: dict[str, list[Contender]] = {}
    for _ in range(options.rounds):
        for one in one_round(file, count):
            found.setdefault(one.name, []).append(one)
    if not options.no_peers and PEERS.exists():
        # The peers are a hundred times slower, so that one turn says enough.
        plain = median(found[PLAIN]).cpu
        for one in itertools.chain.from_iterable(
            peer(script, file, options.peer_rows, plain) for script in PEER_SCRIPTS
        ):
            found[one.name] = [one]
    return Trial(
        scorer=scorer,
        shape=shape,
        rows=count,
        bytes_a_row=path.stat().st_size / count,
        limit=LIMIT_RATIO,
        contenders=[median(turns) for turns in found.values()],
    )


def one_round(file: File, count: int) -> Iterator[Contender]:
    """Measure the plain loop and the command once."""
    score = [str(STEELYARD), "score", "--scorer", file.scorer, "--output", str(file.out)]
    plain = [sys.executable, str(HERE / "scoring_plain.py"), file.scorer]
    measurable = count >= LEAST_ROWS
    start_plain = run([*plain, str(file.one_row), str(file.out)]).cpu if measurable else 0.0
    start_score = run([*score, str(file.one_row)]).cpu if measurable else 0.0
    loop = [*plain, str(file.rows), str(file.out)]
    commands = {
        PLAIN: (loop, start_plain),
        COMMAND: ([*score, str(file.rows)], start_score),
        ONE_WORKER: ([*score, str(file.rows), "--workers", "1"], start_score),
        f"{PLAIN}, 2 processes": ([*loop, "--processes", "2"], start_plain),
    }
    unit = None
    for name, (command, start) in commands.items():
        cost = run(command)
        cpu = (cost.cpu - start) / (count - 1) * 1e6 if measurable else None
        unit = unit or cpu
        yield contender(name, file, cost, cpu, unit, read_verdicts(file.out, count))


def peer(script: str, file: File, count: int, plain: float | None) -> Iterator[Contender]:
    """Measure a peer on the first rows; nothing if it has no such scorer."""
    command = [str(PEERS), str(HERE / "peers" / script), file.scorer, str(file.rows), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{script} failed:\n{done.stderr[-1000:]}", file=sys.stderr)
        return
    for found in map(json.loads, done.stdout.splitlines()):
        cost = Cost(found["seconds"], found["cpu"], found["megabytes"])
        verdicts = found["verdicts"].encode()
        cpu = cost.cpu / len(verdicts) * 1e6
        yield contender(f"{found['peer']} {found['as']}", file, cost, cpu, plain, verdicts)


def contender(
    name: str, file: File, cost: Cost, cpu: float | None, plain: float | None, verdicts: bytes
) -> Contender:
    """Return a run as rates, with the share of its verdicts that are right."""
    count = len(verdicts)
    agree = sum(a == b for a, b in zip(verdicts, file.truth[:count], strict=True)) / count
    ratio = cpu / plain if cpu and plain else None
    return Contender(name, count, count / cost.seconds, cpu, ratio, cost.megabytes, agree)


def read_verdicts(out: Path, count: int) -> bytes:
    """Return a byte for each line of an output, 1 where it is correct, and remove the output.

    A contender that loses rows ends the benchmark.
    """
    with out.open("rb") as lines:
        found = (CORRECT.search(line) for line in lines)
        verdicts = b"".join(b"1" if match and match[1] == b"true" else b"0" for match in found)
    out.unlink()
    if len(verdicts) != count:
        sys.exit(f"{len(verdicts):,} rows came out of {count:,}")
    return verdicts


def median(turns: list[Contender]) -> Contender:
    """Return the medians of the rounds, and the highest peak of memory."""
    cpu = [one.cpu for one in turns if one.cpu is not None]
    ratios = [one.ratio for one in turns if one.ratio is not None]
    return turns[0]._replace(
        rate=statistics.median(one.rate for one in turns),
        cpu=statistics.median(cpu) if cpu else None,
        ratio=statistics.median(ratios) if ratios else None,
        megabytes=max(one.megabytes for one in turns),
    )


def read_options() -> argparse.Namespace:
    """Read the options."""
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    names = {"scorers": tuple(SCORERS), "shapes": SHAPES}
    for name, known in names.items():
        parser.add_argument(f"--{name}", default=",".join(known), help="names, joined by commas")
    numbers = {
        "rows": (500_000, "rows of each short shape, about 100 characters each"),
        "long-rows": (50_000, "rows of about 4,000 characters"),
        "peer-rows": (1_000, "rows for inspect-ai and autoevals"),
        "rounds": (3, "turns of each contender; medians are shown"),
        "seed": (1, "of the generated rows"),
        "size": (1_000_000, "characters of a hostile text"),
    }
    for name, (default, text) in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=text)
    parser.add_argument("--folder", type=Path, help="where files are written, up to 600 MB")
    parser.add_argument("--no-peers", action="store_true", help="without inspect-ai and autoevals")
    parser.add_argument("--hostile", action="store_true", help="only the slowest hostile texts")
    parser.add_argument("--smoke", action="store_true", help="everything once, on small data")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    for name, known in names.items():
        asked = getattr(options, name).split(",")
        if unknown := [one for one in asked if one not in known]:
            parser.error(f"--{name}: unknown {', '.join(unknown)}; known are {', '.join(known)}")
        setattr(options, name, asked)
    if options.smoke:
        options.rows, options.long_rows, options.rounds = 2_000, 200, 1
        options.no_peers, options.size = True, 1_000
    return options


if __name__ == "__main__":
    main()
