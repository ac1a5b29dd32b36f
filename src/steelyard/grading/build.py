"""From a source to what can be run: compiled, where the language needs that, in a box of its own."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from steelyard.errors import SandboxError
from steelyard.grading.files import does_not_fit
from steelyard.grading.language import languages
from steelyard.grading.record import one_line
from steelyard.grading.verdict import Verdict
from steelyard.grading.words import how_it_ended
from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox, run

# A compiler is not the candidate, and needs more room than most programs; what it makes is held to a size all the same.
COMPILING = Limits(wall_s=30, memory_mb=1024, output_bytes=16 * 1024 * 1024, disk_mb=256)
_LOOKING = Limits(wall_s=10)


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """The files that a run needs; or, in ``refused``, why there is nothing to run, with the verdict on that."""

    files: Mapping[str, bytes] = {}
    refused: str | None = None
    verdict: Verdict = "runtime_error"
    stderr: bytes = b""
    wall_s: float = 0.0


def build(language: str, program: bytes, sandbox: Sandbox) -> Built:
    """The program's files, compiled if the language is; a compiler's refusal is the program's fault."""
    how = languages()[language]
    source = {how.file: program}
    if not how.compile:
        return Built(files=source)
    if too_large := does_not_fit(source, COMPILING):
        return Built(refused=too_large, verdict="disk_limit")
    outcome = run(sandbox, Job(argv=how.compile, files=source, collect=(how.product,)), COMPILING)
    product = outcome.files.get(how.product)
    if outcome.exit_code == 0 and outcome.limit is None and product is not None:
        return Built(files={how.product: product}, wall_s=outcome.wall_s)
    said = outcome.stderr.decode("utf-8", "replace").strip() if outcome.exit_code else ""
    why = one_line(said) if said else how_it_ended(outcome)
    return Built(refused=f"does not compile: {why}", stderr=outcome.stderr, wall_s=outcome.wall_s)


def check_language(language: str, sandbox: Sandbox) -> None:
    """A SandboxError if the sandbox has not what the language needs."""
    how = languages()[language]
    if language == "python":
        return  # without it there is no sandbox at all
    looking = Job(argv=("sh", "-c", f"command -v {how.needs}"))
    if run(sandbox, looking, _LOOKING).exit_code != 0:
        raise SandboxError(
            f"tasks in {language} need {how.needs}, which the sandbox ({sandbox.name}) has not; install it "
            "where the sandbox can read it"
        )
