"""Check the bundled benchmarks: every answer that can be computed is computed, every right answer scores full marks.

    python scripts/check_benchmarks.py

Wrong answers, which are there in plenty (those of the other problems), must earn nothing.
"""

from __future__ import annotations

import ast
import math
import operator
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from steelyard.bench import Benchmark, Problem, load_benchmark
from steelyard.reference import parse_reference, perfect_entry

OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
LEAST, MOST = 40, 100


def computed(working: str) -> Fraction:
    """The exact value of a working: numbers, + - * /, brackets and lcm().

    >>> computed("10 / 4 * 6"), computed("lcm(6, 8)")
    (Fraction(15, 1), Fraction(24, 1))
    """
    return value_of(ast.parse(working, mode="eval").body, working)


def value_of(node: ast.expr, source: str) -> Fraction:
    if isinstance(node, ast.Constant):
        return Fraction(ast.get_source_segment(source, node) or "")
    if isinstance(node, ast.BinOp):
        result = OPERATORS[type(node.op)](value_of(node.left, source), value_of(node.right, source))
        return Fraction(result)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lcm":
        return Fraction(math.lcm(*(int(value_of(argument, source)) for argument in node.args)))
    raise ValueError(f"{source!r} is no working")


def right_answer(benchmark: Benchmark, problem: Problem) -> str | None:
    """A response that is right; None where only a judge could tell."""
    if benchmark.needs_judge:
        return None
    if benchmark.name == "code":
        return f"```python\n{problem.metadata['solution']}```"
    if benchmark.name == "languages":
        entry = perfect_entry(parse_reference(problem.target))
        return f"Answer: {'; '.join(entry) if isinstance(entry, list) else entry}"
    return f"Answer: {problem.target}" if benchmark.name != "extraction" else problem.target


def faults(name: str) -> Iterator[str]:
    """What is wrong with one benchmark."""
    benchmark = load_benchmark(name)
    problems = benchmark.problems()
    if not LEAST <= len(problems) <= MOST:
        yield f"has {len(problems)} problems"
    if twice := [
        text for text, count in Counter(problem.prompt for problem in problems).items() if count > 1
    ]:
        yield f"asks twice: {twice[0]!r}"
    for problem in problems:
        yield from problem_faults(benchmark, problem)
    if name == "choices":
        letters = Counter(problem.target for problem in problems)
        if max(letters.values()) - min(letters[letter] for letter in "ABCD") > 1:
            yield f"the letters are not balanced: {dict(letters)}"


def problem_faults(benchmark: Benchmark, problem: Problem) -> Iterator[str]:
    if not problem.metadata.get("category"):
        yield f"{problem.id} has no category"
    if "working" in problem.metadata and computed(problem.metadata["working"]) != Fraction(
        problem.target
    ):
        yield f"{problem.id}: {problem.metadata['working']} is not {problem.target}"
    for several in problem.metadata.get("correct_answers", ()):
        if not benchmark.score(problem, several).correct:
            yield f"{problem.id}: {several!r} is not scored as right"
    response = right_answer(benchmark, problem)
    if response is not None and not (score := benchmark.score(problem, response)).correct:
        yield f"{problem.id}: the right answer earns {score.value}: {score.reason}"


def crossed(name: str) -> Iterator[str]:
    """Right answers of other problems that are scored as right here, though they are not the same."""
    benchmark = load_benchmark(name)
    problems = benchmark.problems()
    for problem in problems:
        for other in problems:
            if same(problem, other):
                continue
            response = right_answer(benchmark, other) or ""
            if benchmark.score(problem, response).correct:
                yield f"{problem.id} takes the answer of {other.id}: {response!r}"


def same(problem: Problem, other: Problem) -> bool:
    """Whether two problems may have one answer."""
    if problem.target == other.target:
        return True
    mine, theirs = (set(p.metadata.get("correct_answers", ())) for p in (problem, other))
    return bool(mine & theirs)


NAMES = ("arithmetic", "choices", "code", "extraction", "languages", "open", "trivia")


def main() -> int:
    """Print every fault; the exit code."""
    found = [f"{name}: {fault}" for name in NAMES for fault in faults(name)]
    found += [
        f"{name}: {fault}"
        for name in ("arithmetic", "extraction", "trivia")
        for fault in crossed(name)
    ]
    print("\n".join(found) or f"{len(NAMES)} benchmarks are sound")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
