"""Map work over many items, in order and in bounded memory: in this process, or in local worker processes."""

from steelyard.engine.inprocess import InProcess
from steelyard.engine.interrupt import Interrupt
from steelyard.engine.local import LocalProcesses, run_apart
from steelyard.engine.types import Engine, usable_cores

__all__ = ["Engine", "InProcess", "Interrupt", "LocalProcesses", "run_apart", "usable_cores"]
