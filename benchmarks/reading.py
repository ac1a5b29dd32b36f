"""Count how often the answers of real outputs are read wrongly, beside other readers.

    python benchmarks/reading.py [--data FILE] [--no-peers] [--smoke] [--json]

FILE has a row a line with the keys scorer, response, target, accept, source, and where they apply
letters and correct_answers. ``accept`` is the label: true (right), false (wrong or no answer), or
null (the text does not tell). The other readers are a search for the last "Answer:" and, if
``benchmarks/peers/setup.py`` was run, those of inspect-ai, lm-eval and math-verify.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from steelyard.metrics import wilson_interval
from steelyard.scoring.pattern import READERS
from steelyard.scoring.types import ScorerInput

HERE = Path(__file__).parent
PEERS = HERE.parent / ".venv-peers" / "bin" / "python"
PEER_SCRIPTS = ("read_inspect.py", "read_lm.py", "read_math_verify.py")
DATA = HERE.parent / "tests" / "cases" / "reading" / "labelled.jsonl"
SMOKE_ROWS = 200
# Text that commits to no other answer, appended to every response.
ADDITIONS = {"end token": " <eoa>", "closing words": "\nI hope this helps!"}
# A verdict is one of these characters.
RIGHT, WRONG, UNCLEAR, MISSING, UNSCORED = "1", "0", "?", "-", "!"
NAMES = {
    RIGHT: "right",
    WRONG: "wrong",
    UNCLEAR: "unclear",
    MISSING: "missing",
    UNSCORED: "unscored",
}
OUTCOMES = {"found": WRONG, "unclear": UNCLEAR, "missing": MISSING}

LAST_ANSWER = re.compile(r"answer\s*:\s*(.*)", re.I)
PLAIN_LETTER = re.compile(r"\W*([A-Z])\b", re.I)
PLAIN_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


class Case(msgspec.Struct):
    """A labelled output."""

    scorer: str
    response: str
    target: str
    accept: bool | None
    source: str = ""
    letters: str | None = None
    correct_answers: list[str] | None = None


class Reader(NamedTuple):
    """What a reader made of the cases of one scorer.

    ``verdicts`` has a character for each case: for the responses as they are, then for the
    responses with each addition. ``cpu`` is the time for all of them.
    """

    name: str
    scorer: str
    verdicts: str
    cpu: float


class Errors(NamedTuple):
    """Counts of verdicts on labelled cases: ``wrong`` and ``right`` are their labels."""

    wrong: int
    right: int
    false_accepts: int
    false_rejects: int
    unclear: int
    missing: int
    unscored: int


def main() -> None:
    """Read the cases with every reader, and print what they made of them."""
    options = read_options()
    cases = read_cases(options.data, options.smoke)
    by_scorer = {name: [case for case in cases if case.scorer == name] for name in READERS}
    by_scorer = {name: some for name, some in by_scorer.items() if some}
    readers = [read(name, some) for name, some in by_scorer.items()]
    readers += [read_plainly(name, some) for name, some in by_scorer.items()]
    if not options.no_peers and PEERS.exists():
        readers += read_by_peers(by_scorer)
    print(as_json(by_scorer, readers) if options.json else as_text(by_scorer, readers))
    if not options.json and not options.no_peers and not PEERS.exists():
        print("\nbenchmarks/peers/setup.py installs the peers; they are left out here")


def read_cases(path: Path, smoke: bool) -> list[Case]:
    """Return the cases of a file; a file that cannot be read ends the benchmark with 2."""
    decode = msgspec.json.Decoder(Case).decode
    cases: list[Case] = []
    try:
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            cases.append(decode(line))
            if cases[-1].scorer not in READERS:
                refuse(f"line {number}: {cases[-1].scorer!r} is not one of {', '.join(READERS)}")
    except OSError as error:
        refuse(f"{path}: {error.strerror}; --data names another file of labelled outputs")
    except msgspec.MsgspecError as error:
        refuse(f"line {len(cases) + 1}: {error}")
    if not cases:
        refuse(f"{path} has no rows")
    return cases[:: max(1, len(cases) // SMOKE_ROWS)] if smoke else cases


def refuse(why: str) -> None:
    """End with a message and exit code 2."""
    print(f"error: {why}", file=sys.stderr)
    sys.exit(2)


def responses(cases: Sequence[Case]) -> Iterator[tuple[Case, str]]:
    """Yield each case with its response, then with each addition."""
    for addition in ("", *ADDITIONS.values()):
        for case in cases:
            yield case, case.response + addition


def read(scorer: str, cases: Sequence[Case]) -> Reader:
    """Return what Steelyard's scorer makes of cases."""
    score = READERS[scorer]
    inputs: list[tuple[ScorerInput, dict[str, Any]]] = []
    for case, response in responses(cases):
        metadata = {"correct_answers": case.correct_answers} if case.correct_answers else {}
        params = {"letters": case.letters} if case.letters else {}
        inputs.append((ScorerInput(response, case.target, metadata), params))
    score(ScorerInput("Answer: 5", "5"))
    start = time.process_time()
    scores = [score(sample, **params) for sample, params in inputs]
    cpu = time.process_time() - start
    verdicts = [
        UNSCORED if one.value is None else RIGHT if one.correct else OUTCOMES[one.detail["reading"]]
        for one in scores
    ]
    return Reader("steelyard", scorer, "".join(verdicts), cpu)


def read_plainly(scorer: str, cases: Sequence[Case]) -> Reader:
    """Return what a search for the last "Answer:" makes of cases."""
    score = PLAIN[scorer]
    inputs = list(responses(cases))
    start = time.process_time()
    verdicts = [score(case, response) for case, response in inputs]
    return Reader('last "Answer:"', scorer, "".join(verdicts), time.process_time() - start)


def last_answer(response: str) -> str | None:
    """Return the rest of the line after the last "Answer:"."""
    found = LAST_ANSWER.findall(response)
    return found[-1].strip() if found else None


def plain_exact(case: Case, response: str) -> str:
    """Compare the whole response."""
    return RIGHT if response.strip().lower() == case.target.strip().lower() else WRONG


def plain_letter(case: Case, response: str) -> str:
    """Compare the letter after the last "Answer:"."""
    letter = PLAIN_LETTER.match(last_answer(response) or "")
    if letter is None:
        return MISSING
    return RIGHT if letter[1].upper() == case.target.strip().upper() else WRONG


def plain_line(case: Case, response: str) -> str:
    """Compare the text after the last "Answer:"."""
    text = last_answer(response)
    if text is None:
        return MISSING
    return RIGHT if text.lower() == case.target.strip().lower() else WRONG


def plain_number(case: Case, response: str) -> str:
    """Compare the first number after the last "Answer:"."""
    number = PLAIN_NUMBER.search(last_answer(response) or "")
    target = PLAIN_NUMBER.search(case.target)
    if number is None or target is None:
        return MISSING
    got, want = (float(match[0].replace(",", "")) for match in (number, target))
    return RIGHT if got == want else WRONG


def plain_mention(case: Case, response: str) -> str:
    """Find an accepted answer after the last "Answer:", or anywhere if there is none."""
    text = (last_answer(response) or response).lower()
    answers = case.correct_answers or [case.target]
    return RIGHT if any(answer.lower() in text for answer in answers) else WRONG


PLAIN: dict[str, Callable[[Case, str], str]] = {
    "exact_match": plain_exact,
    "multichoice_regex": plain_letter,
    "answer_line": plain_line,
    "numeric_match": plain_number,
    "fuzzy_match": plain_mention,
}


def read_by_peers(by_scorer: dict[str, list[Case]]) -> list[Reader]:
    """Return what the peers make of cases; each is a script in the peers' environment."""
    found: list[Reader] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        pairs = [pair for cases in by_scorer.values() for pair in responses(cases)]
        rows = [msgspec.structs.replace(case, response=response) for case, response in pairs]
        path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
        for script in PEER_SCRIPTS:
            command = [str(PEERS), str(HERE / "peers" / script), str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{script} failed:\n{done.stderr[-1000:]}", file=sys.stderr)
                continue
            found += [Reader(**json.loads(line)) for line in done.stdout.splitlines()]
    for reader in found:
        if len(reader.verdicts) != (1 + len(ADDITIONS)) * len(by_scorer[reader.scorer]):
            sys.exit(f"{reader.name} has lost rows of {reader.scorer}")
    return found


def count_errors(pairs: Sequence[tuple[Case, str]]) -> Errors:
    """Count the errors of verdicts on labelled cases."""
    accepted = Counter(case.accept for case, verdict in pairs if verdict == RIGHT)
    labels = Counter(case.accept for case, _ in pairs)
    verdicts = Counter(verdict for _, verdict in pairs)
    return Errors(
        wrong=labels[False],
        right=labels[True],
        false_accepts=accepted[False],
        false_rejects=labels[True] - accepted[True],
        unclear=verdicts[UNCLEAR],
        missing=verdicts[MISSING],
        unscored=verdicts[UNSCORED],
    )


def labelled(cases: Sequence[Case], verdicts: str) -> list[tuple[Case, str]]:
    """Return the cases that have a label, with the verdicts on their own responses."""
    pairs = zip(cases, verdicts[: len(cases)], strict=True)
    return [pair for pair in pairs if pair[0].accept is not None]


def flips(cases: Sequence[Case], verdicts: str) -> dict[str, int]:
    """Count the accepted responses that are not accepted with an addition."""
    count = len(cases)
    own = verdicts[:count]
    parts = {name: verdicts[count * n : count * (n + 1)] for n, name in enumerate(ADDITIONS, 1)}
    return {
        name: sum(a == RIGHT != b for a, b in zip(own, part, strict=True))
        for name, part in parts.items()
    }


def groups(
    by_scorer: dict[str, list[Case]], readers: Sequence[Reader]
) -> Iterator[tuple[str, Errors]]:
    """Yield the errors of Steelyard: in all, for each scorer, and for each of its sources."""
    ours = {reader.scorer: reader.verdicts for reader in readers if reader.name == "steelyard"}
    pairs = {name: labelled(cases, ours[name]) for name, cases in by_scorer.items()}
    yield "all", count_errors([pair for some in pairs.values() for pair in some])
    for name, some in pairs.items():
        yield name, count_errors(some)
        for source in sorted({case.source for case, _ in some if case.source}):
            own = [pair for pair in some if pair[0].source == source]
            yield f"{name}, {source}", count_errors(own)


def unlabelled(
    by_scorer: dict[str, list[Case]], readers: Sequence[Reader]
) -> dict[str, Counter[str]]:
    """Count the verdicts of Steelyard on the cases whose label is null, for each scorer."""
    counts: dict[str, Counter[str]] = {}
    for reader in readers:
        if reader.name == "steelyard":
            pairs = zip(by_scorer[reader.scorer], reader.verdicts, strict=False)
            found = Counter(NAMES[verdict] for case, verdict in pairs if case.accept is None)
            counts |= {reader.scorer: found} if found else {}
    return counts


def rate(count: int, total: int) -> str:
    """Return a count with its share and Wilson's interval.

    >>> rate(1, 10), rate(0, 0)
    ('1 of 10, 10.0% (1.8–40.4)', '–')
    """
    if not total:
        return "–"
    found = wilson_interval(count, total)
    low, high = 100 * float(found.lower or 0), 100 * float(found.upper or 0)
    return f"{count} of {total}, {count / total:.1%} ({low:.1f}–{high:.1f})"


def as_text(by_scorer: dict[str, list[Case]], readers: Sequence[Reader]) -> str:
    """Return all tables."""
    lines = ["| rows | n | false accepts | false rejects | unclear | missing |", "|---" * 6 + "|"]
    unscored = 0
    for name, errors in groups(by_scorer, readers):
        total = errors.wrong + errors.right
        unscored = unscored or errors.unscored
        cells = [
            name,
            str(total),
            rate(errors.false_accepts, errors.wrong),
            rate(errors.false_rejects, errors.right),
            rate(errors.unclear, total),
            rate(errors.missing, total),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    if unscored:
        lines.append(f"\n{unscored} rows have a target that their scorer cannot read.")
    for name, counts in unlabelled(by_scorer, readers).items():
        verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        lines.append(f"\n{name}, {counts.total()} rows without a label: {verdicts}")
    return "\n".join([*lines, "", *reader_lines(by_scorer, readers)])


def reader_lines(by_scorer: dict[str, list[Case]], readers: Sequence[Reader]) -> Iterator[str]:
    """Yield the table of all readers; ``rows/s`` is by CPU time in one process."""
    heads = ["scorer", "reader", "false accepts", "false rejects", "nothing read"]
    heads += [f"flips, {name}" for name in ADDITIONS] + ["rows/s"]
    yield "| " + " | ".join(heads) + " |"
    yield "|---" * len(heads) + "|"
    for scorer, cases in by_scorer.items():
        for reader in readers:
            if reader.scorer != scorer:
                continue
            errors = count_errors(labelled(cases, reader.verdicts))
            cells = [
                scorer,
                reader.name,
                rate(errors.false_accepts, errors.wrong),
                rate(errors.false_rejects, errors.right),
                str(errors.missing),
                *map(str, flips(cases, reader.verdicts).values()),
                f"{len(reader.verdicts) / reader.cpu:,.0f}" if reader.cpu else "–",
            ]
            yield "| " + " | ".join(cells) + " |"


def as_json(by_scorer: dict[str, list[Case]], readers: Sequence[Reader]) -> str:
    """Return everything as one JSON object."""
    results = []
    for reader in readers:
        cases = by_scorer[reader.scorer]
        errors = count_errors(labelled(cases, reader.verdicts))
        results.append(
            {"reader": reader.name, "scorer": reader.scorer}
            | errors._asdict()
            | {
                "flips": flips(cases, reader.verdicts),
                "rows_per_second": len(reader.verdicts) / reader.cpu if reader.cpu else None,
            }
        )
    found = {
        "groups": [
            {"rows": name} | errors._asdict() for name, errors in groups(by_scorer, readers)
        ],
        "without_label": unlabelled(by_scorer, readers),
        "readers": results,
    }
    return json.dumps(found, indent=2, ensure_ascii=False)


def read_options() -> argparse.Namespace:
    """Read the options."""
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("--data", type=Path, default=DATA, help="a file of labelled outputs")
    parser.add_argument("--no-peers", action="store_true", help="without the peers")
    parser.add_argument("--smoke", action="store_true", help="a part of the rows, no peers")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    options.no_peers = options.no_peers or options.smoke
    return options


if __name__ == "__main__":
    main()
