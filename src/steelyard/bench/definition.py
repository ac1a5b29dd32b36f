"""A benchmark: problems, how they are asked, and how the answers are scored."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from steelyard.batch.own import guarded
from steelyard.batch.tally import group_name
from steelyard.bench.conversation import Conversation
from steelyard.bench.datasets import Dataset, open_dataset
from steelyard.bench.scorers import asks_judge, find_scorer, is_own, runs_code
from steelyard.bench.templates import Template, read_text
from steelyard.errors import Problem as Fault
from steelyard.errors import SpecError
from steelyard.judge.config import JudgeScoringConfig
from steelyard.models.types import Message
from steelyard.registry import Registered, nearest
from steelyard.score import Score
from steelyard.scoring.cascade import JUDGE_MISSING, ask_judge, check_reads, settle_verdict
from steelyard.scoring.types import ScorerInput

F = TypeVar("F", bound=Callable[..., Any])
#: What ``@benchmark`` has defined in this process, by name.
DEFINED: dict[str, Benchmark] = {}


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One problem: what is asked, what is wanted, and the columns of its row."""

    index: int
    id: str
    messages: tuple[Message, ...]
    target: str = ""
    metadata: dict[str, Any] = {}
    cluster: str | None = None

    @property
    def category(self) -> str | None:
        """The name of its category, where the row has one."""
        found = self.metadata.get("category")
        return None if found is None else group_name(found)

    @property
    def prompt(self) -> str:
        """The last thing that is said to the model."""
        return self.messages[-1].content


class Benchmark(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """All that a run needs to know: where the problems are, how they are asked, who scores the answers.

    >>> made = make_benchmark("sums", [{"q": "2 + 2", "target": 4}], "{q} = ?", "numeric_match")
    >>> made.problems()[0].prompt, made.score(made.problems()[0], "It is 4.").correct
    ('2 + 2 = ?', True)
    """

    name: str
    dataset: Dataset
    prompt: Template | Conversation
    scorer: Registered
    params: dict[str, Any] = {}
    system_prompt: str = ""
    target_field: str = "target"
    id_field: str = "id"
    category_field: str = ""
    cluster_field: str = ""
    field_map: dict[str, str] = {}
    repeats: int = 1
    judge: dict[str, Any] = {}
    settle: Callable[[Problem, Score], Score] | None = None
    description: str = ""
    licence: str = ""
    code: str = ""
    #: The outcomes of reading (unclear, missing) that a judge decides.
    cascade: tuple[str, ...] = ()

    @property
    def needs_judge(self) -> bool:
        """Whether some answers only get their number from a judge."""
        return bool(self.judge or self.cascade) or asks_judge(self.scorer)

    @property
    def judge_config(self) -> JudgeScoringConfig:
        """How the judge is to score here, where nobody says otherwise."""
        return read_judge(self.judge)

    @property
    def needs_sandbox(self) -> bool:
        """Whether answers are programs that are run."""
        return runs_code(self.scorer)

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that shapes a sample or its score, as plain data: two runs with one identity asked the same."""
        # Named only where there is one: benchmarks without it are still the ones that they were.
        named: dict[str, Any] = {"cluster_field": self.cluster_field} if self.cluster_field else {}
        if self.cascade:
            named["cascade"] = list(self.cascade)
        return {
            "name": self.name,
            "dataset": self.dataset.hash,
            "prompt": self.prompt.source,
            "system_prompt": self.system_prompt,
            "target_field": self.target_field,
            "id_field": self.id_field,
            "category_field": self.category_field,
            "field_map": dict(self.field_map),
            "judge": dict(self.judge),
            "scorer": {
                "name": self.scorer.name,
                "version": self.scorer.version,
                "params": dict(self.params),
            },
            "code": self.code,
            **named,
        }

    def problems(self, limit: int | None = None) -> Sequence[Problem]:
        """The first ``limit`` problems, or all; a DataError tells the first row that cannot be one, and where it is."""
        from steelyard.bench.problems import Problems

        return Problems(self, limit)

    def check(self, *, judge: bool = True) -> None:
        """Refuses, before a model is asked, what could not be scored: no judge where one is needed, no sandbox."""
        if self.needs_judge and not judge:
            raise SpecError(JUDGE_MISSING, path=self.name)
        if not is_own(self.scorer):
            check_reads(self.scorer.name, self.cascade)
        self.scorer.bind(self.params, path=f"{self.name}.params")
        if (ready := getattr(self.scorer.fn, "ready", None)) is not None:
            ready(**self.params)
        elif self.needs_sandbox:
            from steelyard.scoring.code_execution import ready as sandbox_ready

            sandbox_ready()

    @functools.cached_property
    def scoring(self) -> Callable[[ScorerInput], Score]:
        """The scorer with its parameters, as a function that gives a Score whatever happens in it."""
        score = guarded(self.scorer.bind(self.params), apart=False)
        return (lambda sample: ask_judge(score(sample), self.cascade)) if self.cascade else score

    def sample(self, problem: Problem, response: str) -> ScorerInput:
        """A response to a problem as scorers take it."""
        return ScorerInput(response=response, target=problem.target, metadata=problem.metadata)

    def score(self, problem: Problem, response: str) -> Score:
        """The Score of a response; it waits where only a judge can give it."""
        return self.scoring(self.sample(problem, response))

    def settled(self, problem: Problem, score: Score, judged: Score) -> Score:
        """Return what the judge's Score comes to, after the scorer's own one.

        The benchmark's own rules decide, or the cascade's; what waits stays as it is.
        """
        if self.cascade:
            judged = settle_verdict(score, judged)
        return (
            judged if self.settle is None or judged.value is None else self.settle(problem, judged)
        )


def read_judge(given: Mapping[str, Any]) -> JudgeScoringConfig:
    """The settings of a judge; a SpecError for one that is not known or cannot be."""
    known = JudgeScoringConfig.__struct_fields__
    for key in given:
        if key not in known:
            raise SpecError(
                f"a judge has no setting of that name{nearest(key, known)}", path=f"judge.{key}"
            )
    try:
        return msgspec.convert(dict(given), JudgeScoringConfig)
    except msgspec.ValidationError as wrong:
        if isinstance(wrong.__cause__, SpecError):
            faults = [Fault(f"judge.{path}", message) for path, message in wrong.__cause__.problems]
            raise SpecError(problems=faults) from None
        raise SpecError(str(wrong), path="judge") from None


def make_benchmark(
    name: str, dataset: Any, prompt: Any, scorer: Any, *, base: Path | None = None, **rest: Any
) -> Benchmark:
    """A benchmark from its parts; ``rest`` are fields of Benchmark. A part that cannot be used is a SpecError."""
    folder = base or Path()
    _refuse_name(name)
    field_map = dict(rest.pop("field_map", None) or {})
    repeats = rest.pop("repeats", 1)
    if type(repeats) is not int or repeats < 1:
        raise SpecError(f"must be a whole number from 1, not {repeats!r}", path="repeats")
    if len(set(field_map.values())) < len(field_map):
        twice = next(
            ours for ours in field_map.values() if list(field_map.values()).count(ours) > 1
        )
        raise SpecError(f"two columns would become {twice!r}", path="field_map")
    asked = (
        prompt
        if isinstance(prompt, Template | Conversation)
        else Template.parse(read_text(prompt, folder, path="prompt"))
    )
    found = find_scorer(scorer, folder)
    found.bind(rest.get("params") or {}, path="params")
    system = read_text(rest.pop("system_prompt", None) or "", folder, path="system_prompt")
    target = rest.pop("target_field", "target") or ""
    judge = dict(rest.pop("judge", None) or {})
    for key in {"rubric", "system_prompt"} & judge.keys():
        judge[key] = read_text(judge[key], folder, path=f"judge.{key}")
    read_judge(judge)
    return Benchmark(
        name=name,
        dataset=open_dataset(dataset, folder),
        prompt=asked,
        scorer=found,
        repeats=repeats,
        field_map=field_map,
        system_prompt=system,
        target_field=target,
        judge=judge,
        **rest,
    )


def _refuse_name(name: object) -> None:
    if not isinstance(name, str) or not name.strip():
        raise SpecError("must be a name", path="name")
    if any("\ud800" <= letter <= "\udfff" for letter in name):
        raise SpecError("holds half of a surrogate pair, which is no character", path="name")


def benchmark(
    *, name: str, dataset: Any, prompt: Any = None, messages: str | None = None, **rest: Any
) -> Callable[[F], F]:
    """Make a benchmark of the scorer below it, and leave that as it is.

    ``dataset`` is a file, ``hf://org/name?split=test``, a list of rows or a function that gives them; ``prompt`` a
    template with ``{column}``s, or the file of one; instead of it, ``messages`` names the column that holds a whole
    conversation. ``target_field`` names the column of the truth (an empty name:
    there is none), ``field_map`` renames columns (theirs to ours), and ``system_prompt``, ``repeats``,
    ``category_field``, ``id_field``, ``judge`` and ``description`` say the rest; ``cluster_field`` names the column that
    problems share which are no independent evidence, such as the passage that they ask about. Files are looked for
    beside the file that this stands in.

    >>> from steelyard import exact_match, scorer
    >>> @benchmark(name="capitals", dataset=[{"land": "France", "city": "Paris"}], prompt="Capital of {land}?",
    ...            target_field="city")
    ... @scorer
    ... def same_city(sample):
    ...     return exact_match(sample)
    >>> DEFINED["capitals"].problems()[0].target
    'Paris'
    """
    known = {
        "target_field",
        "system_prompt",
        "field_map",
        "repeats",
        "category_field",
        "cluster_field",
        "id_field",
        "judge",
        "description",
        "licence",
    }
    if strange := sorted(set(rest) - known):
        hint = nearest(strange[0], [*known, "prompt", "messages"])
        raise SpecError(f"@benchmark has no parameter {strange[0]!r}{hint}", path=name)
    if (prompt is None) == (messages is None):
        raise SpecError("either 'prompt' or 'messages' has to be there", path=name)
    if messages is not None and not isinstance(messages, str):
        raise SpecError(f"messages names a column, and is {messages!r}", path=name)

    def define(fn: F) -> F:
        file = (
            Path(inspect.unwrap(fn).__code__.co_filename)
            if hasattr(inspect.unwrap(fn), "__code__")
            else Path()
        )
        base = file.parent if file.is_file() else Path()
        asked = prompt if messages is None else Conversation(messages)
        made = make_benchmark(name, dataset, asked, fn, base=base, **rest)
        DEFINED[name] = made
        fn.benchmark = made  # type: ignore[attr-defined]
        return fn

    return define
