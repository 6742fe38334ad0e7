"""Calls in child processes that are killed before their Nth operation on the files of a folder."""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from urlset.files.built_parts import state_of

KILLS = "kills of a build"
SUCCESSIVE_KILLS = "kills of build after build"
"""Subjects of tests/tiers.py."""

CHANGES = {"os.rename", "os.remove", "os.link", "os.symlink", "os.mkdir", "os.rmdir", "os.truncate", "os.utime"}
"""Operations on files as audit hooks know them; os.replace is an `os.rename`, and unlink an `os.remove`."""

MOMENT = "urlset.tests.moment"
"""An audit event by which a call says that it may be killed there, as before an operation on files."""


@dataclass(frozen=True)
class Call:
    """A function that the child can import, and its arguments."""

    function: Callable[..., object]
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


class Children:
    """A process that forks one child for each order, so that no child has to import what another one did before it.

    It neither builds nor uses DuckDB itself, which does not work in the child of a process that has used it.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import serve; serve()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip

    def run(self, calls: Sequence[Call], folder: Path, kill_before: int | None = None) -> int | None:
        """Makes calls one after the other in a child.

        Args:
            calls: The calls.
            folder: The folder whose files count, besides those of the state directory.
            kill_before: The operation on a file that the child is killed before, counted from 0.

        Returns:
            The number of operations, or None if the child was killed.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump((calls, str(folder), kill_before), self._process.stdin)
        self._process.stdin.flush()
        result: int | str | None = pickle.load(self._process.stdout)
        assert not isinstance(result, str), result
        return result

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


def copy_set(source: Path, target: Path) -> None:
    """Copies a folder with published files, and what builds know of them, in place of what is there."""
    for old, new in ((source, target), (state_of(source), state_of(target))):
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(old, new, symlinks=True)


def points(operations: int, count: int) -> list[int]:
    """Returns the first operation, the last one, and one out of each of so many equal stretches between them."""
    drawn, count = random.Random(5), min(count, operations - 2)
    ends = [1 + number * (operations - 2) // count for number in range(count + 1)]
    return [0, *(drawn.randrange(*stretch) for stretch in pairwise(ends)), operations - 1]


def kills(children: Children, build: Callable[[int], Call], folder: Path, count: int) -> Iterator[None]:
    """Kills build after build, each before an operation on the files that the ones before it left.

    Args:
        children: What runs them.
        build: Returns the build of a set that differs for each number.
        folder: The folder whose files count, besides those of the state directory.
        count: The number of kills, each of which is yielded.
    """
    drawn = random.Random(5)
    operations = children.run([build(0), build(1)], folder)
    assert operations is not None
    for number in range(2, 3 * count + 2, 3):
        # A set may need fewer operations than those two, but five need more.
        calls = [build(number + following) for following in range(5)]
        assert children.run(calls, folder, drawn.randrange(operations)) is None
        yield


def serve() -> None:
    """Carries out the orders from standard input until it ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(EOFError):
        while True:
            calls, folder, kill_before = pickle.load(sys.stdin.buffer)
            reading, writing = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(reading)
                _run(calls, folder, kill_before, writing)
            os.close(writing)
            with os.fdopen(reading, "rb") as pipe:
                written = pipe.read()
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if status == -signal.SIGKILL:
                result: int | str | None = None
            else:
                result, modules = pickle.loads(written)
                _load(modules)
            pickle.dump(result, answers)
            answers.flush()
    # DuckDB reports leaks of its own when an interpreter ends that imported it.
    os._exit(0)


def _run(calls: Sequence[Call], folder: str, kill_before: int | None, answer: int) -> None:
    count = 0
    # What builds know of a set is not in its folder.
    places = (folder, os.environ["XDG_STATE_HOME"])

    def operation() -> None:
        nonlocal count
        if count == kill_before:
            os.kill(os.getpid(), signal.SIGKILL)
        count += 1

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        is_write = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        is_here = (is_write or event in CHANGES) and any(str(path).startswith(places) for path in arguments[:2])
        if is_here or event == MOMENT:
            operation()

    sys.addaudithook(audit)
    # A kill loses nothing that was written, synchronized or not, and the disk takes its time.
    os.fsync = lambda fd: operation()
    result: int | str
    with tempfile.TemporaryFile(mode="w+", encoding="utf-8", errors="replace") as shown:
        os.dup2(shown.fileno(), 2)
        try:
            for call in calls:
                call.function(*call.arguments, **call.options)
            result = count
        except BaseException:  # noqa: BLE001 - the test that gave the order raises it
            shown.seek(0)
            result = traceback.format_exc() + shown.read()
    with os.fdopen(answer, "wb") as pipe:
        pickle.dump((result, list(sys.modules)), pipe)
    os._exit(0)


def _load(modules: list[str]) -> None:
    """Imports what a child had to import, for the next ones."""
    for name in modules:
        if name not in sys.modules:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
