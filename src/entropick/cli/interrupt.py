"""Ctrl-C ends the program within a second, even while compiled code is running."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from entropick.cli import INTERRUPTED
from entropick.files.system import unfinished

PATIENCE = 0.4  # seconds to shut down cleanly

is_pressed = threading.Event()  # by Ctrl-C; some libraries replace KeyboardInterrupt by their own error


@contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """Give KeyboardInterrupt a moment to get through, then end the process.

    Python raises it only when compiled code returns, while a thread learns of the signal at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waking, woken = socket.socketpair()
    waking.setblocking(False)
    before = signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # otherwise SIGINT is deliberately ignored
        signal.signal(signal.SIGINT, _remember)
    threading.Thread(target=_end_when_woken, args=(woken,), daemon=True).start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(before)
        waking.close()


def _remember(*_: object) -> None:
    """Record Ctrl-C before raising KeyboardInterrupt, as Python's own handler does."""
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
