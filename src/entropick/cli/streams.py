"""The streams of the process, made safe before anything is printed."""

import io
import os
import stat
import sys
from contextlib import suppress


class Output(io.FileIO):
    """A pipe whose reader may leave early, as `head` does: what comes after is dropped."""

    def write(self, data, /):  # type: ignore[no-untyped-def]
        """Write to the pipe, or to nowhere once nobody reads it."""
        try:
            return super().write(data)
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return len(data)


def open_streams() -> None:
    """Redirect streams that are closed, as under some job schedulers, and let readers of pipes leave."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w":
            with suppress(OSError):  # not a stream of the system
                setattr(sys, name, _patient(stream))


def _patient(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """The same stream if it is no pipe, else one that outlives its reader."""
    if not stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode):
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(Output(stream.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
