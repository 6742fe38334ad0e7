"""Makes Ctrl-C end the command, even while DuckDB is computing or a thread is waiting for a response.

Python runs signal handlers between two bytecode instructions. A query is a single instruction, so the handler would
wait for its end. However, Python also writes the signal to a pipe immediately. A thread of this module reads the pipe,
interrupts all queries, and ends the process if it does not end by itself.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

SECONDS_TO_END = 5.0
"""Grace period for the process after Ctrl-C, or for a query after its time limit, before the process is ended."""

INTERRUPTED = 130
"""Exit code of a command that was stopped with Ctrl-C."""

_stops: dict[int, Callable[[], None]] = {}
_is_watching = False
_was_asked = False


def end_on_interrupt() -> None:
    """Watch for Ctrl-C until the process ends; for the command line, which owns its process.

    On Windows, this does nothing: DuckDB checks for signals itself there, from time to time.
    """
    global _is_watching
    if sys.platform == "win32":
        return
    if _is_watching or threading.current_thread() is not threading.main_thread():
        return
    _is_watching = True
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _raise_or_end)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading,), name="urlset-interrupts", daemon=True).start()


def is_interrupted() -> bool:
    """Return whether Ctrl-C was pressed; later failures are then only consequences."""
    return _was_asked


def on_interrupt(key: object, stop: Callable[[], None]) -> None:
    """Register a function to call on Ctrl-C, from another thread.

    Args:
        key: The object that it belongs to, for `forget`.
    """
    _stops[id(key)] = stop


def forget(key: object) -> None:
    """Undo `on_interrupt`. Can be called repeatedly."""
    _stops.pop(id(key), None)


@contextmanager
def end_after(seconds: float, message: str, exit_code: int) -> Iterator[None]:
    """End the process if the block takes too long, for work that cannot be stopped otherwise.

    A few SQL functions, such as those that compare two long strings, do not check for interrupts. This only works in
    the command line; in other processes it does nothing.

    Args:
        seconds: The time limit, 0 for no limit; the process ends `SECONDS_TO_END` later.
        message: The line to write to standard error.
    """
    if not (_is_watching and seconds):
        yield
        return
    timer = threading.Timer(seconds + SECONDS_TO_END, end, (exit_code, message))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _raise_or_end(_number: int, frame: FrameType | None) -> None:
    """Raise `KeyboardInterrupt`, or end the process if a module is being imported.

    An extension module whose initialization is interrupted may abort the process instead of propagating the exception;
    DuckDB's does.
    """
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            end(INTERRUPTED)
        frame = frame.f_back
    raise KeyboardInterrupt


def _watch(pipe: int) -> None:
    global _was_asked
    while True:
        if signal.SIGINT in os.read(pipe, 64):
            _was_asked = True
            for stop in list(_stops.values()):
                # A connection that is being closed has no query to stop.
                with contextlib.suppress(Exception):
                    stop()
            # A second Ctrl-C ends the process immediately.
            while select.select([pipe], [], [], SECONDS_TO_END)[0]:
                if signal.SIGINT in os.read(pipe, 64):
                    break
            end(INTERRUPTED)


def end(exit_code: int, message: str | None = None) -> None:
    """Remove temporary folders, and end the process like a kill. Files that urlset writes stay consistent.

    Args:
        message: A line to write to standard error.
    """
    if message is not None:
        sys.stderr.write(f"urlset: {message}\n")
        sys.stderr.flush()
    # A process without temporary folders has not imported what makes them.
    remove_all = getattr(sys.modules.get("urlset.files.scratch"), "remove_all", None)
    if remove_all is not None:
        remove_all()
    os._exit(exit_code)
