"""Makes Ctrl-C end the command, also while DuckDB computes or a thread waits for an answer.

Python runs the handler of a signal between two of its own instructions. A query is one such instruction, so the handler
would wait for its end. The signal is also written to a pipe at once, though, and a thread of this module reads it: it
tells every query to stop, and ends the process if that does not end by itself.
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
"""How long the process may take to end after Ctrl-C, or a query after its time is up, before it is ended."""

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C stopped."""

_stops: dict[int, Callable[[], None]] = {}
_is_watching = False
_was_asked = False


def end_on_interrupt() -> None:
    """Watches for Ctrl-C until the process ends; for the command line, which owns its process.

    On Windows nothing is watched: DuckDB looks for signals itself there, now and then.
    """
    global _is_watching
    if _is_watching or os.name == "nt" or threading.current_thread() is not threading.main_thread():
        return
    _is_watching = True
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _raise_or_end)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading,), name="urlset-interrupts", daemon=True).start()


def was_asked() -> bool:
    """Return whether Ctrl-C was pressed: whatever fails after that is no error of its own."""
    return _was_asked


def on_interrupt(key: object, stop: Callable[[], None]) -> None:
    """Has something called on Ctrl-C, from another thread.

    Args:
        key: What it belongs to, for `forget`.
        stop: What is called.
    """
    _stops[id(key)] = stop


def forget(key: object) -> None:
    """Takes back `on_interrupt`. May be called again."""
    _stops.pop(id(key), None)


@contextmanager
def ended_after(seconds: float, message: str, exit_code: int) -> Iterator[None]:
    """Ends the process if what is inside takes longer, for what cannot be stopped otherwise.

    A few functions of SQL compare two long texts, say, and do not ask meanwhile whether they should stop. In a process
    that is not the command line's this does nothing.

    Args:
        seconds: The bound, 0 for none; the process ends `SECONDS_TO_END` later.
        message: The line on standard error.
        exit_code: The exit code.
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
    """Raises `KeyboardInterrupt`, but ends the process where a module is being imported.

    An extension module whose initialization is interrupted may abort the process instead of passing the exception on;
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
                # A connection that is being closed has nothing to stop.
                with contextlib.suppress(Exception):
                    stop()
            # Whoever asks twice means it.
            while select.select([pipe], [], [], SECONDS_TO_END)[0]:
                if signal.SIGINT in os.read(pipe, 64):
                    break
            end(INTERRUPTED)


def end(exit_code: int, message: str | None = None) -> None:
    """Ends the process as a kill would, which whatever urlset writes withstands, and removes temporary folders.

    Args:
        exit_code: The exit code.
        message: A line for standard error.
    """
    if message is not None:
        sys.stderr.write(f"urlset: {message}\n")
        sys.stderr.flush()
    # A process without temporary folders has not imported what makes them.
    remove_all = getattr(sys.modules.get("urlset.scratch"), "remove_all", None)
    if remove_all is not None:
        remove_all()
    os._exit(exit_code)
