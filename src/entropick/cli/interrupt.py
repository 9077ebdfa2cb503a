"""Ctrl-C, SIGTERM and SIGHUP end the program within a second, even while compiled code is running."""

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from entropick._base.whole_files import unfinished
from entropick.cli import WORDS, ending, received

PATIENCE = 0.4  # seconds to shut down cleanly


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Give KeyboardInterrupt a moment to get through, then end the process.

    Python raises it only when compiled code returns, while a thread learns of the signal at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waking, woken = socket.socketpair()
    waking.setblocking(False)
    before = signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
    handlers = {number: signal.getsignal(number) for number in WORDS}
    hook = sys.unraisablehook
    usual = (signal.SIG_DFL, signal.default_int_handler)  # others ignore the signal deliberately
    ours = {number for number, handler in handlers.items() if handler in usual}
    sys.unraisablehook = _quiet_about_signals
    try:
        for number in ours:
            signal.signal(number, _remember)
        threading.Thread(target=_end_when_woken, args=(woken, ours), daemon=True).start()
        yield
    finally:
        try:  # in which another signal may arrive
            for number in ours:
                signal.signal(number, handlers[number])
            signal.set_wakeup_fd(before)
            waking.close()
            sys.unraisablehook = hook
        finally:
            if received:
                _delete_unfinished()


def _remember(number: int, _: FrameType | None) -> None:
    """Record the signal before raising KeyboardInterrupt, as Python's own handler of Ctrl-C does."""
    received.append(number)
    raise KeyboardInterrupt


def _quiet_about_signals(unraisable: "sys.UnraisableHookArgs") -> None:
    """Print nothing if KeyboardInterrupt is raised where none can be, as when objects are deleted."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


def _delete_unfinished() -> None:
    for path in list(unfinished):
        with suppress(OSError):
            path.unlink()


def _end_when_woken(woken: socket.socket, ours: set[signal.Signals]) -> None:
    with woken:
        while numbers := woken.recv(16):
            if not ours.intersection(numbers):
                continue
            received.extend(ours.intersection(numbers))
            time.sleep(PATIENCE)
            _delete_unfinished()
            code, word = ending()
            cursor = "\x1b[?25h" if os.isatty(2) else ""  # a progress bar hides it
            with suppress(OSError):  # the terminal may be gone
                os.write(2, f"{cursor}\n{word}\n".encode())
            os._exit(code)
