"""Calls functions in processes of their own, whose memory is free again when they are done, and which can be ended."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from threading import Thread, current_thread
from typing import TYPE_CHECKING, TypeVar

from urlset.errors import ExitCode, UrlsetError
from urlset.processes.children import child_environment, module_command

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

LOWER = 10
"""Niceness of the processes, relative to the server: https://man7.org/linux/man-pages/man2/nice.2.html"""

_running: dict[Thread, subprocess.Popen[bytes]] = {}


def call_in_process(function: Callable[..., T], *arguments: object, seconds: float | None = None) -> T:
    """Return what a function returns, which must be plain values.

    Args:
        seconds: The time after which the process is ended; None for no limit.

    Raises:
        UrlsetError: The function raised it, or its process was ended.
    """
    process = subprocess.Popen(
        module_command("urlset.serve.processes"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=child_environment(),
    )
    _running[current_thread()] = process
    try:
        content, _ = process.communicate(pickle.dumps((function, arguments)), timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise UrlsetError(f"stopped after {seconds:g} s") from None
    finally:
        del _running[current_thread()]
    if process.returncode != ExitCode.CLEAN:
        raise UrlsetError("the result could not be computed; the log of the server may say why")
    is_error, value = pickle.loads(content)
    if is_error:
        raise UrlsetError(value)
    result: T = value
    return result


def end_process(caller: Thread | None) -> None:
    """End the process that a thread waits for, if there is one."""
    if caller in _running:
        _running[caller].kill()


def end_all() -> None:
    for caller in list(_running):
        end_process(caller)


def main() -> int:
    """Call the function on standard input, and write what it returns to standard output."""
    if sys.platform != "win32":
        os.nice(LOWER)
    function, arguments = pickle.load(sys.stdin.buffer)
    try:
        result = False, function(*arguments)
    except UrlsetError as error:
        result = True, str(error)
    sys.stdout.buffer.write(pickle.dumps(result))
    return ExitCode.CLEAN


if __name__ == "__main__":
    sys.exit(main())
