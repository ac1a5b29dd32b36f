"""What an operator may set, and how it reaches the worker processes."""

from __future__ import annotations

import os
from typing import Final

import msgspec

VARIABLE: Final = "STEELYARD_ARENA_SETTINGS"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rates are requests a second, each worker for itself; 0 is no limit."""

    store: str
    address_rate: float = 500.0
    key_rate: float = 50.0
    register_rate: float = 5.0
    body_seconds: float = 20.0
    sweep_seconds: float = 5.0
    lease_seconds: float = 15.0
    trust_proxy: bool = False
    log_requests: bool = False


def hand_over(settings: Settings) -> None:
    """Let the processes that are started from now on find the settings."""
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()


def handed_over() -> Settings:
    """The settings that this process was started with."""
    return msgspec.json.decode(os.environ[VARIABLE], type=Settings)
