"""Names to the things that score: built in, added by a decorator, or found through an entry point.

>>> SCORERS.get("exact_match").name
'exact_match'
"""

from __future__ import annotations

import difflib
import functools
import importlib
import inspect
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

import msgspec

from steelyard.errors import DataError, EngineError, Problem, SpecError, where_raised
from steelyard.foreign import caught, shown, told
from steelyard.functions import needed_instead, source_version
from steelyard.lift import given_plainly, lift
from steelyard.score import Score, unscored
from steelyard.version import __version__

if TYPE_CHECKING:
    from importlib import metadata

F = TypeVar("F", bound=Callable[..., Any])
_LONGEST_NAME = 100
# How many leading arguments the engine itself hands over; the rest are parameters.
_HANDED = {
    "scorer": 1,
    "extractor": 1,
    "primitive": 2,
    "time": 1,
    "trajectory": 3,
    "fuzzy metric": 2,
    "judge": 4,
}


class Registered(msgspec.Struct, frozen=True, kw_only=True):
    """A named function with what a reader and a signature need to know of it.

    ``reads`` says what a spec hands over: ``field``, ``time``, ``trajectory``, ``program`` (a field as it is) or
    ``submission`` (all of it). ``needs`` says what a scorer compares with: ``target``, ``answers`` (a target, or several
    in the metadata), ``nothing``, or the parameter that takes the target's place where it is given. ``judged`` is true where
    only a judge can give the number, ``of_text`` where the response is text: an array or an object in its place answers nothing.
    """

    name: str
    fn: Callable[..., Any]
    version: str
    summary: str
    kind: str = "scorer"
    reads: str = "field"
    needs: str = "target"
    judged: bool = False
    of_text: bool = False

    @property
    def params(self) -> Mapping[str, inspect.Parameter]:
        """The parameters that a user may set: all but what the engine hands over and the trace."""
        found = list(inspect.signature(self.fn).parameters.values())
        handed = _HANDED.get(self.reads, _HANDED.get(self.kind, len(found)))
        late = [p for p in found[:handed] if p.kind is p.KEYWORD_ONLY]
        free = [
            *late,
            *(p for p in found[handed:] if p.kind in {p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY}),
        ]
        return {p.name: p for p in free if p.name != "trace"}

    def bind(
        self, params: Mapping[str, Any] | None = None, *, path: str = ""
    ) -> Callable[..., Any]:
        """The function with its parameters set; a SpecError tells all that is wrong with them."""
        given = dict(params or {})
        known = self.params
        problems = [
            Problem(path, f"{self.name} has no parameter {key!r}{nearest(key, known)}")
            for key in given
            if key not in known
        ]
        for key, parameter in known.items():
            if key in given and (needed := needed_instead(self.fn, parameter, given[key])):
                hint = "; in quotes it is text" if needed.startswith("text") else ""
                problems.append(
                    Problem(
                        f"{path}.{key}".lstrip("."), f"must be {needed}, not {given[key]!r}{hint}"
                    )
                )
            elif parameter.default is parameter.empty and key not in given:
                problems.append(Problem(path, f"{self.name} needs the parameter {key!r}"))
        if problems:
            raise SpecError(problems=problems)
        return functools.partial(self.fn, **given) if given else self.fn


class Registry:
    """One kind of registered thing; built-in ones load with their home module when first asked for."""

    def __init__(self, kind: str, home: str, *, group: str = "") -> None:
        self.kind, self.home, self.group = kind, home, group or f"steelyard.{kind}s"
        self._things: dict[str, Registered] = {}
        self._aliases: dict[str, str] = {}
        self._broken: dict[str, str] = {}
        self._discovered = False

    def register(
        self, name: str, *, version: str = __version__, alias: str = "", **known: Any
    ) -> Callable[[F], F]:
        """A decorator that gives the function its name here and leaves it as it is.

        ``alias`` is another name that it is found by, but not listed under. ``known`` are the fields of Registered that say
        more: ``reads``, ``needs``, ``judged`` and ``of_text``.
        """

        def add(fn: F) -> F:
            # The built-in ones come first, so that a clash is told to the one who clashes.
            self._load_home()
            self._refuse_no_text(name)
            summary = next(iter((inspect.getdoc(fn) or "").splitlines()), "")
            thing = Registered(
                name=name, fn=fn, version=version, summary=summary, kind=self.kind, **known
            )
            self._refuse_clash(thing)
            self._things[name] = thing
            if alias:
                self._aliases[alias] = name
            return fn

        return add

    def get(self, name: str, *, path: str = "") -> Registered:
        """The thing of that name, or a SpecError with the nearest names."""
        self._refuse_no_text(name, path)
        self._load_home()
        name = self._aliases.get(name, name)
        if name not in self._things:
            known = self.names()
            if name in self._broken:
                raise SpecError(
                    f"the plugin for the {self.kind} {name!r} cannot be used: {self._broken[name]}",
                    path=path,
                )
            if name not in self._things:
                hint = nearest(name, known) or f"; there are {', '.join(known)}"
                raise SpecError(f"unknown {self.kind} {name!r}{hint}", path=path)
        return self._things[name]

    def names(self) -> list[str]:
        """All names, sorted, without aliases."""
        self._load_home()
        if not self._discovered:
            from importlib import metadata  # which takes longer to load than all this

            self._discovered = True
            for entry in metadata.entry_points(group=self.group):
                self._load_plugin(entry)
        return sorted(self._things)

    def of(self, fn: Callable[..., Any]) -> Registered | None:
        """What is known of a function; None where it is not registered. Plugins are looked at last."""
        self._load_home()
        found = next((thing for thing in self._things.values() if thing.fn is fn), None)
        return found or next((thing for thing in self if thing.fn is fn), None)

    def __contains__(self, name: str) -> bool:
        return name in self.names() or name in self._aliases

    def __iter__(self) -> Iterator[Registered]:
        return iter([self.get(name) for name in self.names()])

    def _load_home(self) -> None:
        if self.home not in sys.modules:
            importlib.import_module(self.home)

    def _load_plugin(self, entry: metadata.EntryPoint) -> None:
        """One plugin; a broken one is told when it is asked for, and harms no other."""
        package = entry.dist.name if entry.dist else entry.value
        before = self._things.get(self._aliases.get(entry.name, entry.name))
        home = entry.value.partition(":")[0]
        loaded, failed = caught(entry.load)
        if isinstance(failed, KeyboardInterrupt):
            self._discovered = False
            raise failed
        if failed is not None and before is None:
            self._broken[entry.name] = f"{package}: {told(failed)}"
            return
        if (
            before is not None
            and before.fn is not loaded
            and getattr(before.fn, "__module__", "") != home
        ):
            warnings.warn(
                f"{package} offers a {self.kind} {entry.name!r}, a name that is taken", stacklevel=2
            )
        if (
            entry.name in self._things or entry.name in self._aliases
        ):  # taken, or registered by its module's decorator
            return
        if not callable(loaded):
            self._broken[entry.name] = (
                f"{package}: {entry.value} is {type(loaded).__name__}, not a function"
            )
            return
        own = given_plainly(loaded) if self.kind == "primitive" else loaded
        self.register(entry.name, version=entry.dist.version if entry.dist else "0")(own)

    def _refuse_no_text(self, name: object, path: str = "") -> None:
        if not isinstance(name, str):
            raise SpecError(
                f"the name of a {self.kind} is text, not {shown(name)[:_LONGEST_NAME]}", path=path
            )

    def _refuse_clash(self, new: Registered) -> None:
        old = self._things.get(self._aliases.get(new.name, new.name))
        if old is None:
            return
        here = (getattr(new.fn, "__module__", ""), getattr(new.fn, "__qualname__", ""))
        if (getattr(old.fn, "__module__", ""), getattr(old.fn, "__qualname__", "")) != here:
            raise SpecError(f"there is already a {self.kind} {new.name!r}; choose another name")


SCORERS = Registry("scorer", "steelyard.scoring")
PRIMITIVES = Registry("primitive", "steelyard.primitives")
EXTRACTORS = Registry("extractor", "steelyard.reading")


@overload
def scorer(fn: Callable[..., Any], /) -> Callable[..., Score]: ...
@overload
def scorer(
    *, name: str = "", version: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Score]]: ...
def scorer(fn: Callable[..., Any] | None = None, /, *, name: str = "", version: str = "") -> Any:
    """Make a scorer of a function that takes a sample and returns a Score, a dict or a number.

    >>> @scorer
    ... def shouts(sample):
    ...     return {"correct": sample.response.isupper()}
    """
    return decorate(SCORERS, fn, name, version)


def primitive(fn: Callable[..., Any] | None = None, /, *, name: str = "", version: str = "") -> Any:
    """Make a primitive of a function ``(got, want, **params)`` that returns a Score or a number 0..1.

    Numbers come to it as JSON gives them, int and float; those that are built in count in exact decimals.
    """
    return decorate(PRIMITIVES, fn, name, version)


def extractor(fn: Callable[..., Any] | None = None, /, *, name: str = "", version: str = "") -> Any:
    """Make an extractor of a function ``text -> Found or None``."""

    def add(inner: F) -> F:
        return EXTRACTORS.register(
            name or inner.__name__, version=version or source_version(inner)
        )(inner)

    return add if fn is None else add(fn)


def decorate(registry: Registry, fn: Callable[..., Any] | None, name: str, version: str) -> Any:
    """The function under its name in a registry, with what it returns lifted into a Score."""

    def wrap(inner: Callable[..., Any]) -> Callable[..., Score]:
        known_as = name or inner.__name__
        own = given_plainly(inner) if registry is PRIMITIVES else inner

        @functools.wraps(inner)
        def lifted(*args: Any, **kwargs: Any) -> Score:
            return lift(own(*args, **kwargs), by=f"{registry.kind} {known_as!r}")

        return registry.register(known_as, version=version or source_version(inner))(lifted)

    return wrap if fn is None else wrap(fn)


def call(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Score:
    """The Score that ``fn`` gives; a bug in ``fn`` is our side's fault, so it leaves the sample unscored.

    >>> call(lambda sample: 1 / 0, "x").reason
    'the scorer failed: ZeroDivisionError: division by zero'
    """
    score: Score
    score, failed = caught(_lifted, fn, args, kwargs)
    if failed is None:
        return score
    if isinstance(failed, (SpecError, DataError, KeyboardInterrupt)):
        raise failed
    if isinstance(failed, EngineError):
        return unscored(shown(failed))
    return unscored(f"the scorer failed: {told(failed)}{where_raised(failed)}")


def _lifted(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Score:
    return lift(fn(*args, **kwargs))


def nearest(name: object, known: Iterable[str]) -> str:
    """The known names that a mistyped one may have meant, as the end of a sentence; nothing if none is near.

    >>> nearest("exact_mach", ["exact_match", "fuzzy_match"])
    "; did you mean 'exact_match'?"
    """
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        return ""
    spelled = {one.lower(): one for one in known}
    near = [
        spelled[low]
        for low in difflib.get_close_matches(name.lower(), list(spelled), n=3, cutoff=0.6)
    ]
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
