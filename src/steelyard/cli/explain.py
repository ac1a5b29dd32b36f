"""``steelyard explain``: how one score came about, stage by stage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from steelyard.cli.code_sandbox import Choice, Chosen, Image, Runtime, Unsafe
from steelyard.cli.common import refuse_with, scorers_like
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.cli.explain_run import Explained
    from steelyard.score import Score
    from steelyard.scoring import ScorerInput

TEXT_HELP = "The text, @FILE, or - for standard input (@@ begins a text with an @)."


Scorer = Annotated[
    str,
    typer.Option(
        "--scorer", autocompletion=scorers_like, help="A scorer's name, or file.py:function."
    ),
]
Response = Annotated[str | None, typer.Option("--response", help=f"The answer. {TEXT_HELP}")]
Target = Annotated[str | None, typer.Option("--target", help=f"What was wanted. {TEXT_HELP}")]
Metadata = Annotated[str, typer.Option("--metadata", help="A JSON object, or @FILE.")]
Params = Annotated[
    list[str] | None, typer.Option("--param", help="A parameter: name=JSON or name=@FILE.")
]
SpecFile = Annotated[
    Path | None, typer.Option("--spec", help="A scoring spec, instead of a scorer.")
]
Submission = Annotated[
    Path | None,
    typer.Option("--submission", help="With --spec: what was submitted; - is standard input."),
]
Truth = Annotated[Path | None, typer.Option("--truth", help="With --spec: the ground truth.")]
Time = Annotated[
    float | None, typer.Option("--time-used", help="With --spec: seconds that were used.")
]
Trajectory = Annotated[
    Path | None, typer.Option("--trajectory", help="With --spec: the trajectory.")
]
Verified = Annotated[
    bool, typer.Option("--verified", help="With --spec: the trajectory was verified.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def explain(
    scorer: Scorer = "",
    response: Response = None,
    target: Target = None,
    metadata: Metadata = "",
    param: Params = None,
    spec: SpecFile = None,
    submission: Submission = None,
    truth: Truth = None,
    time_used: Time = None,
    trajectory: Trajectory = None,
    verified: Verified = False,
    as_json: AsJson = False,
    sandbox: Chosen = None,
    image: Image = None,
    runtime: Runtime = None,
    unsafe_no_sandbox: Unsafe = False,
) -> None:
    """Show how one score came about: what was cut, found and compared, and why the verdict is what it is."""
    if bool(scorer) == bool(spec):
        raise DataError(
            "give either --scorer with --response and --target, or --spec with its files"
        )
    choice = Choice(sandbox, image, runtime, unsafe_no_sandbox)
    if spec is not None:
        from steelyard.cli.explain_spec import explain_spec
        from steelyard.cli.score_spec import Given

        refuse_with(
            "--spec",
            {
                "--response": response is not None,
                "--target": target is not None,
                "--metadata": metadata,
                "--param": param,
            },
        )
        given = Given(submission, truth, trajectory, time_used, verified, choice.checked())
        return explain_spec(spec, given, as_json=as_json)
    refuse_with(
        "--scorer",
        {
            "--submission": submission,
            "--truth": truth,
            "--time-used": time_used is not None,
            "--trajectory": trajectory,
            "--verified": verified,
            **choice.given(),
        },
    )
    if response is None:
        raise DataError("--scorer needs --response and --target")
    sample = _sample(response, target or "", metadata, exact=_needs(scorer) == "answers")
    if target is None:
        _refuse_without_target(scorer, sample)
    return _explain_scorer(scorer, sample, param or [], as_json)


def _needs(scorer: str) -> str:
    """What the scorer compares with; one of a user's file, with the target."""
    from steelyard.batch.own import own_file
    from steelyard.registry import SCORERS

    return "target" if own_file(scorer) else SCORERS.get(scorer).needs


def _refuse_without_target(scorer: str, sample: ScorerInput) -> None:
    needs = _needs(scorer)
    if needs == "target" or (needs == "answers" and not sample.metadata.get("correct_answers")):
        raise DataError(f"--scorer {scorer} needs --response and --target")


def _sample(response: str, target: str, metadata: str, *, exact: bool) -> ScorerInput:
    from steelyard.scoring import ScorerInput

    if response == target == "-":
        raise DataError("only one of --response and --target can be read from standard input")
    known = _json(metadata, "--metadata", exact=exact) if metadata else {}
    if not isinstance(known, dict):
        raise DataError(f"--metadata must be a JSON object, not {type(known).__name__}")
    return ScorerInput(_text(response, "--response"), _text(target, "--target"), known)


def _text(given: str, option: str) -> str:
    if given.startswith("@@"):
        given = given[1:]
    elif given == "-":
        return _decoded(typer.get_binary_stream("stdin").read(), option, file=True)
    elif given.startswith("@"):
        return _decoded(_bytes(given[1:]), given[1:], file=True)
    return _decoded(given.encode("utf-8", "surrogateescape"), option)


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as failed:
        raise DataError(
            f"cannot be read: {getattr(failed, 'strerror', failed)}", file=path
        ) from None


def _decoded(raw: bytes, where: str, *, file: bool = False) -> str:
    """The text; at the beginning of a file a byte order mark is no part of it."""
    from steelyard.cli.common import decoded

    text = decoded(raw, where)
    return text.removeprefix("\ufeff") if file else text


def _json(given: str, option: str, *, exact: bool) -> Any:
    import msgspec

    from steelyard.spec.reading import exact_decimal

    text = _text(given, option)
    try:
        return msgspec.json.Decoder(float_hook=exact_decimal if exact else None).decode(text)
    except (msgspec.DecodeError, RecursionError) as failed:
        raise DataError(f"not JSON: {failed}", file=option) from None


def _explain_scorer(name: str, sample: ScorerInput, params: list[str], as_json: bool) -> None:
    from steelyard.cli.common import encode_json, parse_params
    from steelyard.cli.explain_run import explained

    given = parse_params(params)
    found = explained(name, given, sample)
    if as_json:
        typer.echo(encode_json(_as_object(found, given, sample)))
    else:
        typer.echo("\n".join(_lines(found, sample)))


def _as_object(found: Explained, params: dict[str, Any], sample: ScorerInput) -> dict[str, Any]:
    steps = [
        {"stage": step.stage, "note": step.note, "span": step.span} for step in found.steps or ()
    ]
    more = {"target": sample.target, "metadata": sample.metadata}
    return {
        "scorer": found.name,
        "version": found.version,
        "params": params,
        "input": {
            "response": sample.response,
            **{name: value for name, value in more.items() if value},
        },
        "steps": steps,
        "status": found.score.status,
        "score": found.score,
    }


def _lines(found: Explained, sample: ScorerInput) -> list[str]:
    from steelyard.cli.excerpt import brief, underlined
    from steelyard.report.terminal import printable

    lines = [
        f"scorer    {found.name} ({found.version})",
        f"response  {brief(sample.response)}",
        f"target    {brief(sample.target)}",
        "",
    ]
    if found.steps is None:
        lines += ["this scorer keeps no trace of its stages: a parameter `trace` would let it", ""]
    for number, step in enumerate(found.steps or (), start=1):
        lines.append(
            f"{number:>2}. {typer.style(printable(step.stage), bold=True)}: {printable(step.note)}"
        )
        if step.span is not None:
            lines += [f"      {line}" for line in underlined(sample.response, step.span)]
    if found.steps:
        lines.append("")
    return [*lines, *_verdict(sample, found.score)]


def _verdict(sample: ScorerInput, score: Score) -> list[str]:
    from msgspec import UNSET

    from steelyard.cli.excerpt import brief, underlined

    word = {"scored": "right" if score.correct else "wrong"}.get(score.status, score.status)
    value = "no value" if score.value is None else f"value {score.value:g}"
    lines = [f"verdict   {typer.style(word, bold=True)}, {value}"]
    if score.reason:
        lines.append(f"because   {brief(score.reason, 500)}")
    if score.extracted is not UNSET:
        lines.append(f"extracted {brief(repr(score.extracted), 500)}")
        if score.span is not None:
            lines += [f"          {line}" for line in underlined(sample.response, score.span)]
    return lines


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain")(explain)
