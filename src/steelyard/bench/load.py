"""Benchmarks by name: bundled, installed by a package, in a file, in a folder, or from another collection.

>>> load_benchmark("trivia").name
'trivia'
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from steelyard.bench.adapters import COLLECTIONS, PUBLISHED
from steelyard.bench.datasets import import_name, open_dataset
from steelyard.bench.definition import DEFINED, Benchmark
from steelyard.bench.manifest import FILE, load_manifest, read_manifest
from steelyard.bench.own_files import load_file
from steelyard.errors import SpecError
from steelyard.foreign import caught, told
from steelyard.registry import nearest

if TYPE_CHECKING:
    from importlib import metadata

GROUP = "steelyard.benchmarks"
BUNDLED = Path(__file__).parent.parent / "data" / "benchmarks"


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark that can be asked for by name: where it is from, and what it is."""

    name: str
    origin: str
    description: str


def load_benchmark(name: str | Path, *, dataset: Any = None) -> Benchmark:
    """The benchmark of that name or path; ``dataset`` takes the place of its own rows.

    ``name`` is that of a bundled benchmark or of an installed one, ``my_bench.py`` or ``my_bench.py:name``, a folder
    with a ``benchmark.toml``, ``openai-evals:NAME`` or ``reasoning-gym:NAME?seed=1&size=100``.

    >>> load_benchmark("trivai")
    Traceback (most recent call last):
    steelyard.errors.SpecError: there is no benchmark 'trivai'; did you mean 'trivia'?
    """
    text = str(name)
    collection, colon, rest = text.partition(":")
    if colon and collection in COLLECTIONS:
        return _with(_adapter(COLLECTIONS[collection])(rest), dataset)
    file, _, inner = text.partition(".py:")
    if text.endswith(".py") or inner:
        return _with(load_file(Path(f"{file}.py") if inner else Path(text), inner), dataset)
    if isinstance(name, Path) or "/" in text or text in {".", ".."}:
        return load_manifest(_folder(Path(text)), dataset)
    return _named(text, dataset)


def _named(name: str, dataset: Any) -> Benchmark:
    if name in DEFINED:
        return _with(DEFINED[name], dataset)
    if (BUNDLED / name / FILE).is_file():
        return load_manifest(BUNDLED / name, dataset)
    if name in PUBLISHED:
        return _adapter(PUBLISHED[name][0])(dataset)
    for entry in _entries().select(name=name):
        return _with(_installed(entry), dataset)
    if (Path(name) / FILE).is_file():
        return load_manifest(Path(name), dataset)
    known = [listed.name for listed in list_benchmarks()]
    hint = nearest(name, [*known, *COLLECTIONS]) or f"; there are {', '.join(known)}"
    raise SpecError(f"there is no benchmark {name[:100]!r}{hint}")


def list_benchmarks() -> list[Listed]:
    """All that can be asked for by name, sorted; of the collections only their form."""
    found = {
        folder.name: Listed(name=folder.name, origin="bundled", description=_description(folder))
        for folder in sorted(BUNDLED.iterdir())
        if (folder / FILE).is_file()
    }
    for name, (_, about) in PUBLISHED.items():
        found[name] = Listed(name=name, origin="published", description=about)
    for entry in _entries():
        package = entry.dist.name if entry.dist else entry.value
        found.setdefault(entry.name, Listed(name=entry.name, origin=package, description=""))
    for name, made in DEFINED.items():
        found[name] = Listed(name=name, origin="defined here", description=made.description)
    return [found[name] for name in sorted(found)]


def _description(folder: Path) -> str:
    return str(read_manifest(folder / FILE).get("description", ""))


def _folder(path: Path) -> Path:
    folder = path.parent if path.name == FILE else path
    if not folder.exists():
        raise SpecError("there is no such folder", path=str(path))
    if not (folder / FILE).is_file():
        raise SpecError(f"there is no {FILE} in it", path=str(path))
    return folder


def _adapter(name: str) -> Callable[[Any], Benchmark]:
    found: Callable[[Any], Benchmark] = import_name(name, "benchmark")
    return found


def _with(made: Benchmark, dataset: Any) -> Benchmark:
    return (
        made
        if dataset is None
        else msgspec.structs.replace(made, dataset=open_dataset(dataset, Path()))
    )


def _entries() -> metadata.EntryPoints:
    """The benchmarks of installed packages."""
    from importlib import metadata  # which most runs can do without

    return metadata.entry_points(group=GROUP)


def _installed(entry: metadata.EntryPoint) -> Benchmark:
    loaded, failed = caught(entry.load)
    if isinstance(failed, KeyboardInterrupt):
        raise failed
    if failed is not None:
        raise SpecError(
            f"the plugin for the benchmark {entry.name!r} cannot be used: {told(failed)}"
        )
    found = getattr(loaded, "benchmark", loaded)
    if not isinstance(found, Benchmark):
        raise SpecError(
            f"the plugin for the benchmark {entry.name!r}: {entry.value} is no benchmark"
        )
    return found
