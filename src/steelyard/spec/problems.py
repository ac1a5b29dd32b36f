"""What is wrong with a spec, gathered so that it is told all at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from steelyard.errors import Problem, SpecError

# A reader mends these first; a spec with a million faults must not make a message of a million lines.
MAX_TOLD = 100


class Problems:
    """A list that grows until it is told.

    ``heard`` counts every problem, also one at a place of which no more is heard: what is read there cannot be used either.
    """

    def __init__(self, file: str = "") -> None:
        self.file, self.found, self.heard = file, list[Problem](), 0
        self._settled: set[str] = set()

    def add(self, path: str, message: str) -> None:
        """Note a problem; too many of them are told at once."""
        self.heard += 1
        if path in self._settled:
            return
        self.found.append(Problem(path, message))
        if len(self.found) >= MAX_TOLD:
            self.found.append(
                Problem("", f"the first {MAX_TOLD} problems are shown; there may be more")
            )
            raise self.error()

    def add_all(self, error: SpecError, under: str) -> None:
        """Note the problems of an error, each below a path."""
        for path, message in error.problems:
            self.add(join(under, path), message)

    def settle(self) -> None:
        """Hear no more of the places that are noted by now."""
        self._settled = {problem.path for problem in self.found if problem.path}

    def error(self) -> SpecError:
        """The SpecError that tells them all, with the file they are in."""
        error = SpecError(problems=self.found)
        if self.file:
            error.args = ("\n".join(f"{self.file}: {problem}" for problem in self.found),)
        return error

    def tell(self) -> None:
        """Raise what was found, if anything was."""
        if self.found:
            raise self.error()


@contextmanager
def truth_in(file: str) -> Iterator[None]:
    """What is wrong with the ground truth is told with the file that holds it; the spec has another."""
    try:
        yield
    except SpecError as wrong:
        raise SpecError(
            problems=[Problem(in_truth(file, path), said) for path, said in wrong.problems]
        ) from None


def in_truth(file: str, path: str) -> str:
    """The path of a problem, below the file of the ground truth if it is one of that.

    >>> in_truth("t.json", "ground_truth.a"), in_truth("t.json", "dimensions[0]")
    ('t.json: ground_truth.a', 'dimensions[0]')
    """
    return (
        f"{file}: {path}"
        if file and path.partition(".")[0].partition("[")[0] == "ground_truth"
        else path
    )


def join(under: str, path: str) -> str:
    """A path below another: ``dimensions[0]`` and ``weight`` make ``dimensions[0].weight``."""
    if not path or path.startswith("["):
        return under + path
    return f"{under}.{path}" if under else path
