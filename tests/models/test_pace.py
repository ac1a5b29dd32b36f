"""The pace, on a clock of its own: what is never exceeded, what is tried again, and what ends a run."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.scripted import FakeClock, ScriptedModel, Trial, ask_for
from steelyard.errors import DataError, ModelError
from steelyard.models.pace import Pace, Pacer, Spent, StopRun
from steelyard.models.types import Reply

KINDS = ["timeout", "connection", "server", "rate_limit", "malformed", "bad_request", "missing", ""]


def failing(
    kind: str, *, status: int | None = None, retry_after: float | None = None
) -> ModelError:
    return ModelError(f"planned {kind}", kind=kind, status=status, retry_after=retry_after)


def test_all_is_asked_and_never_more_at_once_than_allowed() -> None:
    trial = Trial(lambda _n, _t: None, Pace(concurrency=12), samples=100).run()
    assert trial.replies == 100
    assert trial.model.most_in_flight == 12
    assert trial.pacer.spent == Spent(calls=100, replies=100, input_tokens=1000, output_tokens=500)
    assert trial.pacer.in_flight == 0


@given(
    fates=st.lists(st.sampled_from([None, None, *KINDS]), min_size=1, max_size=60),
    concurrency=st.integers(1, 9),
    tries=st.integers(1, 5),
    seed=st.integers(0, 99),
)
@settings(max_examples=60, deadline=None)
def test_laws(fates: list[str | None], concurrency: int, tries: int, seed: int) -> None:
    """Whatever the endpoint does: the limits hold, every sample ends once, and the counts are right."""

    def act(number: int, _time: float) -> ModelError | None:
        kind = fates[number % len(fates)]
        return None if kind is None else failing(kind)

    limits = Pace(concurrency=concurrency, tries=tries)
    trial = Trial(act, limits, samples=30, seed=seed).run()
    assert len(trial.ended) == 30
    assert trial.model.most_in_flight <= concurrency
    assert max(Counter(text for _, text in trial.model.calls).values(), default=0) <= tries
    assert all(isinstance(end, Reply | ModelError | StopRun) for end in trial.ended)
    spent = trial.pacer.spent
    assert spent.calls == len(trial.model.calls)
    assert spent.replies == trial.replies
    asked_twice = spent.calls - len({text for _, text in trial.model.calls})
    assert 0 <= asked_twice - spent.retries <= spent.failures["rate_limit"], (
        "only what was turned away is no retry"
    )
    assert spent.failures.total() == spent.calls - spent.replies
    assert spent.retries <= max(limits.free_retries, limits.retry_share * spent.calls)
    assert trial.pacer.in_flight == 0


def test_many_failures_are_not_answered_with_many_retries() -> None:
    trial = Trial(
        lambda n, _t: failing("server") if n % 2 else None, Pace(concurrency=8), samples=400
    ).run()
    assert 0.15 < trial.pacer.spent.retries / trial.pacer.spent.calls <= 0.2
    assert trial.errors(ModelError)
    assert not trial.errors(StopRun)


def test_what_is_turned_away_is_asked_again_and_uses_up_nobody_elses_retries() -> None:
    """Every third call gets a 429, every fifth fails: all samples come to their end, and the cap holds for the failures."""

    def act(number: int, _time: float) -> ModelError | None:
        return (
            failing("rate_limit")
            if number % 3 == 0
            else failing("server")
            if number % 5 == 0
            else None
        )

    trial = Trial(act, Pace(concurrency=8), samples=300).run()
    spent = trial.pacer.spent
    assert spent.failures["rate_limit"] > 0.2 * spent.calls, "more than the cap would allow"
    assert 10 < spent.retries <= 0.2 * spent.calls
    assert trial.replies > 290, "they are asked for until they are answered, within five tries"


def test_who_is_stopped_by_his_own_call_is_told_how_it_ended() -> None:
    trial = Trial(lambda _n, _t: failing("refused"), Pace(concurrency=3), samples=9).run()
    stopped = trial.errors(StopRun)
    assert len(stopped) == 9
    own = [stop.failed for stop in stopped if stop.failed is not None]
    assert len(own) == len(trial.model.calls) <= 3
    assert all(failed.kind == "refused" for failed in own)


@pytest.mark.parametrize("kind", ["timeout", "connection", "server", "malformed", "rate_limit"])
def test_what_may_pass_is_tried_again(kind: str) -> None:
    trial = Trial(
        lambda n, _t: failing(kind) if n <= 3 else None, Pace(concurrency=1), samples=1
    ).run()
    assert trial.replies == 1
    waits = [b - a for (a, _), (b, _) in pairwise(trial.model.calls)]
    assert all(later > earlier for earlier, later in pairwise(waits)), "back-off grows"


@pytest.mark.parametrize("kind", ["bad_request", "missing", ""])
def test_what_does_not_pass_is_asked_once(kind: str) -> None:
    trial = Trial(lambda n, _t: failing(kind) if n == 1 else None, Pace(), samples=3).run()
    assert (trial.replies, len(trial.model.calls)) == (2, 3)


def test_at_most_five_tries() -> None:
    trial = Trial(lambda _n, _t: failing("timeout"), Pace(), samples=1).run()
    assert len(trial.model.calls) == 5
    assert isinstance(trial.ended[0], ModelError)


def test_the_deadline_bounds_all_tries() -> None:
    trial = Trial(lambda _n, _t: failing("server"), Pace(deadline=4.0), samples=1).run()
    assert trial.clock.time <= 4.0
    assert 1 < len(trial.model.calls) < 5


def test_a_call_that_hangs_ends_with_the_deadline() -> None:
    trial = Trial(lambda _n, _t: None, Pace(deadline=7.0), samples=1, seconds=1e9).run()
    failed = trial.ended[0]
    assert isinstance(failed, ModelError)
    assert (failed.kind, trial.clock.time) == ("timeout", 7.0)


def test_retry_after_holds_everybody_and_starts_slowly_again() -> None:
    """The 30th call is turned away for 20 seconds: nobody asks before that, then one, then more."""
    trial = Trial(
        lambda n, _t: failing("rate_limit", retry_after=20.0) if n == 30 else None,
        Pace(concurrency=16),
        samples=200,
    ).run()
    assert trial.replies == 200
    refused_at = trial.model.calls[29][0] + 1
    times = [time for time, _ in trial.model.calls if time > refused_at]
    assert min(times) >= refused_at + 20.0
    counts = [count for _, count in sorted(Counter(times).items())]
    assert counts[0] == 1
    assert counts[1] == 2
    assert max(counts) > 4


def test_a_429_without_a_time_backs_off_longer_each_time() -> None:
    trial = Trial(
        lambda n, _t: failing("rate_limit") if n <= 4 else None, Pace(concurrency=1), samples=5
    ).run()
    times = [time for time, _ in trial.model.calls][:5]
    waits = [b - a - 1 for a, b in pairwise(times)]
    assert waits == sorted(waits)
    assert trial.replies == 5


def test_a_day_long_wait_stops_the_run() -> None:
    trial = Trial(
        lambda _n, _t: failing("rate_limit", retry_after=86400.0), Pace(concurrency=2), samples=9
    ).run()
    assert {end.kind for end in trial.errors(StopRun)} == {"rate_limit"}  # type: ignore[attr-defined]
    assert len(trial.model.calls) <= 2


@pytest.mark.parametrize(
    ("kind", "status"), [("refused", 401), ("refused", 403), ("not_found", 404)]
)
def test_refusals_stop_the_run(kind: str, status: int) -> None:
    trial = Trial(
        lambda _n, _t: failing(kind, status=status), Pace(concurrency=4), samples=100
    ).run()
    assert len(trial.model.calls) <= 4
    assert len(trial.errors(StopRun)) == 100
    assert "planned" in str(trial.ended[0])


def test_a_stopped_pacer_stays_stopped_and_what_was_in_flight_is_kept() -> None:
    trial = Trial(
        lambda n, _t: failing("refused") if n == 2 else None, Pace(concurrency=4), samples=20
    ).run()
    assert trial.replies in {3, 4}  # a place may be taken in the very moment of the refusal

    async def again() -> None:
        await trial.pacer.ask(trial.model, ask_for("more"))

    with pytest.raises(StopRun):
        asyncio.run(again())


@pytest.mark.parametrize(
    "kind", ["connection", "server", "malformed", "bad_request", "timeout", "rate_limit"]
)
def test_an_endpoint_that_never_answers_stops_the_run_soon(kind: str) -> None:
    trial = Trial(lambda _n, _t: failing(kind), Pace(concurrency=4), samples=500).run()
    assert trial.errors(StopRun)
    assert len(trial.model.calls) <= 60
    assert "not one reply" in str(trial.errors(StopRun)[0])


def test_an_outage_is_waited_for_and_then_is_the_end() -> None:
    """Half a minute without the endpoint costs a few samples; a lasting one stops the run."""
    passing = Trial(
        lambda _n, t: failing("connection") if 5 <= t < 35 else None,
        Pace(concurrency=8),
        samples=1000,
        seconds=0.1,
    ).run()
    assert not passing.errors(StopRun)
    assert len(passing.errors(ModelError)) <= 80
    lasting = Trial(
        lambda _n, t: failing("connection") if t >= 5 else None,
        Pace(concurrency=8),
        samples=1000,
        seconds=0.1,
    ).run()
    assert {end.kind for end in lasting.errors(StopRun)} == {"breaker"}  # type: ignore[attr-defined]
    assert 65 <= lasting.clock.time <= 140


def test_bad_requests_among_good_ones_never_stop_a_run() -> None:
    trial = Trial(
        lambda n, _t: failing("bad_request") if n > 2 else None, Pace(concurrency=2), samples=200
    ).run()
    assert not trial.errors(StopRun)
    assert len(trial.errors(ModelError)) == 198


@pytest.mark.parametrize(
    ("limits", "calls", "words"),
    [
        (Pace(concurrency=1, max_tokens=100), 7, "100 tokens"),
        (Pace(concurrency=1, max_cost=0.01, input_price=100.0, output_price=200.0), 5, "0.01"),
        (Pace(concurrency=1, max_seconds=12.0), 12, "12 seconds"),
    ],
)
def test_budgets(limits: Pace, calls: int, words: str) -> None:
    trial = Trial(lambda _n, _t: None, limits, samples=50).run()
    assert len(trial.model.calls) == trial.replies == calls
    assert words in str(trial.errors(StopRun)[0])
    assert {end.kind for end in trial.errors(StopRun)} == {"budget"}  # type: ignore[attr-defined]


def test_tokens_that_are_not_told_are_estimated() -> None:
    trial = Trial(
        lambda _n, _t: Reply(text="x" * 40), Pace(concurrency=1, max_tokens=100), samples=50
    ).run()
    assert trial.replies == 10
    assert trial.pacer.spent.estimated == 10


def test_what_was_spent_before_counts() -> None:
    async def main() -> None:
        clock = FakeClock()
        model = ScriptedModel(clock, lambda _n, _t: None)
        pacer = Pacer(Pace(max_tokens=100), clock=clock, spent=Spent(output_tokens=100))
        with pytest.raises(StopRun):
            await pacer.ask(model, ask_for("one"))
        assert not model.calls

    asyncio.run(main())


def test_one_who_no_longer_waits_leaves_no_place_taken() -> None:
    async def main() -> None:
        clock = FakeClock()
        pacer = Pacer(Pace(concurrency=1), clock=clock)
        model = ScriptedModel(clock, lambda _n, _t: None)
        tasks = [asyncio.create_task(pacer.ask(model, ask_for(str(n)))) for n in range(3)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        tasks[1].cancel()
        await clock.drive(asyncio.wait_for(tasks[2], 5))
        assert pacer.in_flight == 0

    asyncio.run(main())


@pytest.mark.parametrize(
    "wrong",
    [
        {"concurrency": 0},
        {"tries": 0},
        {"deadline": -1.0},
        {"retry_share": float("nan")},
        {"max_cost": 1.0},
    ],
)
def test_limits_that_make_no_sense(wrong: dict[str, float]) -> None:
    with pytest.raises(DataError):
        Pace(**wrong)  # type: ignore[arg-type]
