"""Plugins: found through entry points, told when they break, never in each other's way."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import metadata
from typing import Any

import pytest

from commands import Commands
from steelyard.errors import SpecError
from steelyard.registry import EXTRACTORS, PRIMITIVES, SCORERS, Registry
from steelyard.score import full


class Entry:
    """An entry point as an installed package would give it."""

    def __init__(self, name: str, load: Callable[[], Any]) -> None:
        self.name, self.value, self.load = name, f"package:{name}", load
        self.dist = type("Distribution", (), {"name": "package", "version": "2.5"})()


def _fails(failed: BaseException) -> Any:
    raise failed


class Odd(BaseException):
    """What only a plugin's own module knows, and that cannot even be shown."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


# What the module of a plugin may raise when it is imported.
FAILURES = {
    "key": KeyError("STEELYARD_HOME"),
    "runtime": RuntimeError("no licence"),
    "exit": SystemExit(3),
    "odd": Odd(),
}


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    entries = [
        Entry("broken", lambda: _fails(ImportError("no module named 'missing'"))),
        *(Entry(name, functools.partial(_fails, failed)) for name, failed in FAILURES.items()),
        Entry("constant", lambda: 5),
        Entry("good", lambda: lambda sample: full()),
    ]
    monkeypatch.setattr(
        metadata, "entry_points", lambda group: entries if group == "steelyard.trials" else []
    )
    return Registry("trial", "steelyard.score")


def test_a_plugin_is_found_with_its_version(registry: Registry) -> None:
    assert registry.get("good").version == "2.5"
    assert registry.names() == ["good"]


def test_a_broken_plugin_is_told_when_asked_for_and_harms_no_other(registry: Registry) -> None:
    with pytest.raises(SpecError, match=r"package: ImportError: no module named 'missing'"):
        registry.get("broken")
    with pytest.raises(SpecError, match="is int, not a function"):
        registry.get("constant")
    assert registry.get("good").name == "good"
    assert registry.names() == ["good"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("key", "KeyError: 'STEELYARD_HOME'"),
        ("runtime", "RuntimeError: no licence"),
        ("exit", "SystemExit: 3"),
        ("odd", "Odd: Odd that cannot be shown"),
    ],
)
def test_whatever_a_plugin_raises_it_alone_is_broken(
    registry: Registry, name: str, said: str
) -> None:
    assert registry.names() == ["good"]
    with pytest.raises(
        SpecError, match=f"the plugin for the trial '{name}' cannot be used: package: {said}"
    ):
        registry.get(name)


def test_discovery_that_is_interrupted_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ahead: list[BaseException] = [KeyboardInterrupt()]
    entries = [
        Entry("first", lambda: _fails(ahead.pop()) if ahead else full),
        Entry("second", lambda: full),
    ]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries)
    registry = Registry("trial", "steelyard.score")
    with pytest.raises(KeyboardInterrupt):
        registry.names()
    assert registry.names() == ["first", "second"]


def test_an_unknown_name_gives_the_nearest(registry: Registry) -> None:
    with pytest.raises(SpecError, match="did you mean 'good'"):
        registry.get("goood")


def test_a_name_that_is_taken_is_refused_to_the_one_who_comes_second(registry: Registry) -> None:
    registry.register("mine")(lambda sample: full())

    def another(sample: Any) -> Any:
        return full()

    with pytest.raises(SpecError, match="there is already a trial 'mine'"):
        registry.register("mine")(another)


def test_a_plugin_with_a_taken_name_is_told_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        metadata, "entry_points", lambda group: [Entry("mine", lambda: lambda sample: full())]
    )
    registry = Registry("trial", "steelyard.score")
    registry.register("mine", version="own")(lambda sample: full())
    with pytest.warns(UserWarning, match="a name that is taken"):
        registry.names()
    assert registry.get("mine").version == "own"


def test_two_of_one_module_are_both_its_own(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    registry = Registry("trial", "steelyard.score")
    own: dict[str, Any] = {}

    def load_module(name: str) -> Any:
        for each in () if own else ("first", "second"):
            own[each] = registry.register(each, version="own")(lambda sample: full())
        return own[name]

    entries = [Entry(name, functools.partial(load_module, name)) for name in ("first", "second")]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries)
    assert registry.names() == ["first", "second"]
    assert not recwarn.list


def test_a_name_is_text() -> None:
    from steelyard import scorer

    with pytest.raises(SpecError, match="the name of a scorer is text, not 5"):
        scorer(name=5)(lambda sample: True)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "registry", [SCORERS, PRIMITIVES, EXTRACTORS], ids=lambda registry: registry.kind
)
@pytest.mark.parametrize(
    "name", [[], {}, {1}, [[]], None, 5, 10**5000, b"exact_match", ("exact_match",)], ids=range(9)
)
def test_a_name_that_is_no_text_is_the_askers_error(registry: Registry, name: Any) -> None:
    with pytest.raises(SpecError, match=f"the name of an? {registry.kind} is text, not "):
        registry.get(name)


@pytest.mark.filterwarnings("default")
def test_on_the_command_line_that_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = [Entry("exact_match", lambda: lambda sample: full())]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries)
    monkeypatch.setattr(SCORERS, "_discovered", False)
    ran = Commands(monkeypatch, capsys)(
        "explain", "--scorer", "no_such", "--response", "x", "--target", "x"
    )
    told = [line for line in ran.err.splitlines() if not line.startswith("error:")]
    assert told == ["warning: package offers a scorer 'exact_match', a name that is taken"]


def test_parameters_are_all_but_what_the_engine_hands_over() -> None:
    registry = Registry("scorer", "steelyard.score")
    registry.register("f")(lambda sample, times=2, *, mode="x", trace=None: full())
    assert list(registry.get("f").params) == ["times", "mode"]
    with pytest.raises(SpecError, match="no parameter 'mod'; did you mean 'mode'"):
        registry.get("f").bind({"mod": 1})


def test_a_built_in_name_cannot_be_taken() -> None:
    from steelyard import scorer

    with pytest.raises(SpecError, match="there is already a scorer 'exact_match'"):

        @scorer(name="exact_match")
        def mine(sample: Any) -> Any:
            return {"correct": True}
