"""A model that runs in this process: llama.cpp through xllamacpp, with the chat template that its file carries."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, EngineError, ModelError
from steelyard.models.completion import failure
from steelyard.models.shelf import DEFAULT, model_file
from steelyard.models.types import Reply, Request

CONTEXT = 4096
# The likeliest word each time, and an end: a small model left to itself goes on until its context is full.
DEFAULTS: Mapping[str, Any] = {"temperature": 0.0, "seed": 1, "max_tokens": 512}
HOST = "127.0.0.1"
MAGIC = b"GGUF"


class Engine(msgspec.Struct, frozen=True, kw_only=True):
    """How the model is run: how many requests at once, tokens of context for each, threads (all cores by default)."""

    slots: int = 1
    context: int = CONTEXT
    threads: int | None = None

    def __post_init__(self) -> None:
        for name in ("slots", "context", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise DataError(f"{name} is {value}; at least 1 is needed")


class LocalModel:
    """A GGUF file as a model. It is loaded when it is first asked; requests beyond its slots wait their turn.

    With one slot the same requests get the same replies. With more, requests share their arithmetic, which may round
    differently: faster on many cores, and not always the same to the last word.
    """

    def __init__(
        self,
        path: Path,
        *,
        name: str = "",
        engine: Engine | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        _check(path)
        self.path, self.name = path, name or path.stem
        self._engine = engine or Engine()
        self._parameters = {**DEFAULTS, **(parameters or {})}
        self._threads = ThreadPoolExecutor(self._engine.slots, thread_name_prefix="local model")
        self._loading = threading.Lock()
        self._closing = threading.Event()
        self._server: Any = None

    @classmethod
    def open(cls, which: str | None = None, *, engine: Engine | None = None) -> LocalModel:
        """A model that was pulled, by its name, or a GGUF file; without a name, the one that is pulled by default."""
        which = which or DEFAULT
        path = model_file(which)
        return cls(path, name=path.stem if which.endswith(".gguf") else which, engine=engine)

    def __repr__(self) -> str:
        return f"LocalModel({str(self.path)!r})"

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """The file by its content, the engine by its version, and how it is run."""
        with self.path.open("rb") as file:
            checksum = hashlib.file_digest(file, "sha256").hexdigest()
        return {
            "kind": "local",
            "name": self.name,
            "sha256": checksum,
            "engine": f"xllamacpp {_version()}",
            "slots": self._engine.slots,
            "context": self._engine.context,
            "parameters": self._parameters,
        }

    async def ask(self, request: Request) -> Reply:
        """The reply to one request; when nobody waits for it any more, the model stops speaking."""
        talk = _Talk(self._closing)
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._threads, self._answer, request, talk
            )
        except asyncio.CancelledError:
            talk.stop.set()
            raise

    async def close(self) -> None:
        """Unload it."""
        self._closing.set()
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        self._server = None

    def _answer(self, request: Request, talk: _Talk) -> Reply:
        began = time.perf_counter()
        server = self._load()
        messages = [
            {"role": message.role, "content": message.content} for message in request.messages
        ]
        body = {
            **self._parameters,
            **request.parameters,
            "messages": messages,
            "stream": True,
            "stream_options": {"include_usage": True},
            "cache_prompt": False,
        }
        try:
            server.handle_chat_completions(body, talk.take)
        except (ValueError, RuntimeError, UnicodeError) as wrong:
            raise ModelError(
                f"the model cannot be asked this: {wrong}", kind="bad_request"
            ) from None
        return msgspec.structs.replace(talk.reply(self.name), seconds=time.perf_counter() - began)

    def _load(self) -> Any:
        with self._loading:
            if self._server is None:
                self._server = start_engine(self.path, self._engine, key=secrets.token_hex(16))
            return self._server


class _Talk:
    """One reply as it comes, piece by piece, so that it can be broken off."""

    def __init__(self, closing: threading.Event) -> None:
        self.stop, self._closing = threading.Event(), closing
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._finish = ""
        self._usage: dict[str, Any] = {}
        self._error: Any = None

    def take(self, piece: dict[str, Any]) -> bool:
        """Note a piece; whether to stop."""
        self._error = piece.get("error") or self._error
        self._usage = piece.get("usage") or self._usage
        for choice in piece.get("choices") or []:
            delta = choice.get("delta") or {}
            self._text.append(delta.get("content") or "")
            self._reasoning.append(delta.get("reasoning_content") or "")
            self._finish = choice.get("finish_reason") or self._finish
        return self.stop.is_set() or self._closing.is_set()

    def reply(self, name: str) -> Reply:
        """What was said, once it is whole."""
        if self._error is not None:
            code = self._error.get("code") if isinstance(self._error, dict) else None
            raise failure(
                code if isinstance(code, int) else 500,
                {},
                msgspec.json.encode({"error": self._error}),
            )
        if not self._finish:
            raise ModelError("the local model broke off", kind="server")
        return Reply(
            text="".join(self._text),
            reasoning="".join(self._reasoning),
            finish=self._finish,
            served_by=name,
            input_tokens=self._usage.get("prompt_tokens"),
            output_tokens=self._usage.get("completion_tokens"),
        )


def start_engine(
    path: Path, engine: Engine, *, key: str = "", port: int = 0, name: str = ""
) -> Any:
    """A llama.cpp server with the model in it. It always listens on loopback too: a ``key`` keeps others out."""
    library = _library()
    wanted = library.CommonParams()
    wanted.model.path = str(path)
    wanted.model_alias = {name or path.stem}
    wanted.n_parallel, wanted.n_ctx = engine.slots, engine.context * engine.slots
    for cores in (wanted.cpuparams, wanted.cpuparams_batch):
        cores.n_threads = engine.threads or _cores()
    wanted.sampling.temp, wanted.sampling.seed = DEFAULTS["temperature"], DEFAULTS["seed"]
    wanted.n_predict = DEFAULTS["max_tokens"]
    wanted.hostnames, wanted.port = [HOST], port
    wanted.api_keys = [key] if key else []
    # No web page may ask it, nobody looks at its slots, and nothing is kept from one request to the next.
    wanted.cors_origins, wanted.ui, wanted.endpoint_slots = "", False, False
    wanted.cache_prompt, wanted.cache_ram_mib = False, 0
    wanted.warmup, wanted.verbosity = False, -1
    try:
        return library.Server(wanted)
    except RuntimeError as failed:
        raise ModelError(f"{path} cannot be loaded: {failed}", kind="not_found") from None


def _check(path: Path) -> None:
    """What can be known before anything is loaded."""
    _version()
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise DataError("not a model: a GGUF file is needed", file=str(path))
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror}", file=str(path)) from None


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _library() -> Any:
    # Read once, when the library is loaded: its threads otherwise wait for each other at full speed, which on a machine
    # that does other work too makes a reply ten times slower.
    before = os.environ.get("OMP_WAIT_POLICY")
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import xllamacpp
    except ModuleNotFoundError:
        raise EngineError("a local model needs xllamacpp: pip install 'steelyard[local]'") from None
    except ImportError as failed:
        raise EngineError(f"xllamacpp cannot be loaded: {failed}") from None
    finally:
        if before is None:
            del os.environ["OMP_WAIT_POLICY"]
    return xllamacpp


def _version() -> str:
    try:
        return metadata.version("xllamacpp")
    except metadata.PackageNotFoundError:
        raise EngineError("a local model needs xllamacpp: pip install 'steelyard[local]'") from None
