"""The first process of a container, as the kernel of this machine knows it: its end is the end of all others."""

from __future__ import annotations

import contextlib
import os
import select
import signal

from steelyard.sandbox.uids import end_those, first_process_of, is_first_of
from steelyard.sandbox.watch import living


class First:
    """A handle of it, which stays its own even when its number is another's: to look, and to kill without asking a daemon.

    It is found once, while there is time for that; a machine that is busy takes long to look through its processes.
    """

    def __init__(self, uid: int) -> None:
        self._uid, self._pid = uid, first_process_of(uid)
        self._handle: int | None = None
        with contextlib.suppress(OSError):  # it has ended, or this kernel has no such handles
            self._handle = os.pidfd_open(self._pid) if self._pid else None
        if self._pid and not is_first_of(
            uid, self._pid
        ):  # the number had become another's before the handle was had
            self.close()

    def kill(self) -> bool:
        """Kills it, and with it all that run in its container; False if it was not there."""
        if self._handle is None or not self._pid:
            return False
        try:
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        except ProcessLookupError:
            return False
        # The kernel ends the others when it comes to end this one, which may take it seconds where all are busy.
        end_those(living(self._pid), self._uid)
        return True

    def runs_others(self) -> bool | None:
        """Whether anything but itself runs there; None where it was never found, as on another machine."""
        if self._handle is None or not self._pid:
            return None
        found = bool(living(self._pid))
        poller = select.poll()
        poller.register(self._handle, select.POLLIN)
        return found and not poller.poll(0)

    def close(self) -> None:
        """The handle is gone; a second time does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)
