"""Ctrl-C ends the program within a second, even where compiled code does not listen."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from entropick.cli import INTERRUPTED
from entropick.files.system import unfinished

PATIENCE = 0.4  # seconds the program has to end in good order

is_pressed = threading.Event()  # Ctrl-C; some libraries turn KeyboardInterrupt into an error of their own


@contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """Give KeyboardInterrupt a moment to come through, then end the process.

    Python raises it only when compiled code returns. A thread is told of the signal at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waking, woken = socket.socketpair()
    waking.setblocking(False)
    before = signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # else someone has decided to ignore it
        signal.signal(signal.SIGINT, _remember)
    threading.Thread(target=_end_when_woken, args=(woken,), daemon=True).start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(before)
        waking.close()


def _remember(*_: object) -> None:
    """What Python does, but known here before any library can make an error of its own of it."""
    is_pressed.set()
    raise KeyboardInterrupt


def _end_when_woken(woken: socket.socket) -> None:
    with woken:
        while numbers := woken.recv(16):
            if signal.SIGINT in numbers:
                is_pressed.set()
                time.sleep(PATIENCE)
                for path in list(unfinished):
                    with suppress(OSError):
                        path.unlink()
                cursor = b"\x1b[?25h" if os.isatty(2) else b""  # a progress bar hides it
                os.write(2, cursor + b"\nInterrupted.\n")
                os._exit(INTERRUPTED)
