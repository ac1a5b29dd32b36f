"""Who is asked, as the options of ``steelyard eval`` say: the model, the judge, and at what pace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.bench.definition import Benchmark
    from steelyard.models.pace import Pace, Spent
    from steelyard.models.types import Model
    from steelyard.runs.judging import JudgeDoor
    from steelyard.runs.session import Doors


EMBEDDED = "smollm2"
# The embedded model answers one request at a time; another one waits at its door.
AT_ONCE, AT_ONCE_EMBEDDED = 16, 2


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """What may be spent: tokens, cost, seconds; and what a million tokens cost."""

    max_tokens: int | None = None
    max_cost: float | None = None
    max_time: float | None = None
    price_in: float | None = None
    price_out: float | None = None

    def pace(self, concurrency: int, *, timeout: float = 0.0) -> Pace:
        """At that pace a model is asked; a request may always take as long as it may take by itself."""
        from steelyard.models.pace import Pace

        return Pace(
            concurrency=concurrency,
            max_tokens=self.max_tokens,
            max_cost=self.max_cost,
            max_seconds=self.max_time,
            input_price=self.price_in,
            output_price=self.price_out,
            deadline=max(timeout, Pace().deadline),
        )


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model is to be found; nothing at all stands for the embedded one."""

    url: str | None = None
    name: str | None = None
    key_env: str | None = None
    recorded: Path | None = None
    timeout: float = 600.0

    @property
    def embedded(self) -> bool:
        """Whether the model runs in this process."""
        return self.url is None and self.recorded is None

    def at_once(self, wanted: int | None) -> int:
        """How many requests may be under way."""
        return wanted or (AT_ONCE_EMBEDDED if self.embedded else AT_ONCE)


def open_model(given: Endpoint, *, quiet: bool = False) -> Model:
    """The model that the options name; without an address it is the embedded one, which is said."""
    if given.recorded is not None:
        if given.url is not None:
            raise DataError("--recorded and --model-url cannot both be the model; choose one")
        from steelyard.models.recorded import RecordedModel

        return RecordedModel(given.recorded)
    if given.url is not None:
        if not given.name:
            raise DataError("--model-url needs --model-id, the model's name there")
        return http_model(given)
    from steelyard.models.local import LocalModel
    from steelyard.models.shelf import model_file

    name = given.name or EMBEDDED
    local = LocalModel(model_file(name), name=Path(name).stem if name.endswith(".gguf") else name)
    if not quiet:
        typer.echo(f"no --model-url: asking the embedded model {local.name}", err=True)
    return local


def http_model(given: Endpoint) -> Model:
    """A model behind an address."""
    from steelyard.models.http import HttpModel, Timeouts

    waits = Timeouts(total=given.timeout, read=min(given.timeout, Timeouts().read))
    return HttpModel(given.url or "", given.name or "", key_env=given.key_env, timeouts=waits)


def open_judge(
    given: Endpoint | None, benchmark: Benchmark, pace: Pace, spent: Spent
) -> JudgeDoor | None:
    """The judge that the options name, if they name one and the benchmark has use for it."""
    if given is None or given.url is None:
        return None
    if not given.name:
        raise DataError("--judge-url needs --judge-id, the judge's name there")
    from steelyard.models.pace import Pacer
    from steelyard.runs.judging import JudgeDoor

    return JudgeDoor(http_model(given), benchmark.judge_config, Pacer(pace, spent=spent))


def open_doors(
    model: Endpoint, judge: Endpoint | None, benchmark: Benchmark, pace: Pace, *, quiet: bool
) -> Doors:
    """Everybody that a run asks. What is spent on the judge counts towards the same budget."""
    from steelyard.models.pace import Pacer
    from steelyard.runs.session import Doors

    opened = open_model(model, quiet=quiet)
    pacer = Pacer(pace)
    return Doors(opened, pacer, open_judge(judge, benchmark, pace, pacer.spent))


def judge_endpoint(
    model: Endpoint, url: str | None, name: str | None, key_env: str | None
) -> Endpoint | None:
    """Where the judge is: at its own address, or at the model's under another name."""
    if url is None and name is None:
        return None
    where = url or model.url
    if where is None:
        raise DataError("--judge-id needs --judge-url: there is no endpoint to look for the judge")
    # A key is for the endpoint that it was named for, and for no other.
    key = key_env or (model.key_env if where == model.url else None)
    return msgspec.structs.replace(model, url=where, name=name, key_env=key, recorded=None)


def noted(model: Endpoint, judge: Endpoint | None, **more: Any) -> dict[str, Any]:
    """What ``run.json`` remembers of the options; never a key, only the name of the variable that holds it."""
    told = {
        "model_url": model.url,
        "model_id": model.name,
        "recorded": model.recorded and str(model.recorded),
        "api_key_env": model.key_env,
        "judge_url": judge.url if judge else None,
        "judge_id": judge.name if judge else None,
        "judge_key_env": judge.key_env if judge else None,
        **more,
    }
    return {key: value for key, value in told.items() if value is not None}
