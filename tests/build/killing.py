"""A process that builds again and again and is killed at any moment, as often as asked for."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# For each line with a number and a delay it begins a process that builds again and again, and kills it after the delay.
# `build` is told that number and how often it was called in this process; another set is built each time.
LOOP = """
import os, signal, sys, time
for line in sys.stdin:
    kill, delay = line.split()
    child = os.fork()
    if child == 0:
        for round in range(1000):
            build(int(kill), round)
        os._exit(0)
    time.sleep(float(delay))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    print("killed", flush=True)
"""


@contextmanager
def killer(script: str, place: str) -> Iterator[tuple[str, Callable[[int, float], None]]]:
    """Runs a script that defines `build` and prints a line when it is ready.

    Args:
        script: The script; `sys.argv[1]` is the place.
        place: The folder to work in.

    Yields:
        The line, and what has the process begin to build and killed so many seconds later.
    """
    command = [sys.executable, "-c", textwrap.dedent(script) + LOOP, place]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        orders, answers = process.stdin, process.stdout

        def kill(number: int, delay: float) -> None:
            orders.write(f"{number} {delay}\n")
            orders.flush()
            assert answers.readline() == "killed\n"

        yield answers.readline(), kill
        orders.close()
