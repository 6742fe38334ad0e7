"""How things are measured: readers inside processes that stay alive, commands as whole processes."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType
    from typing import Self


class PeerError(Exception):
    """A measured program failed or returned an unexpected result; the text says why."""


@dataclass(slots=True)
class Samples:
    """What was measured of one thing, one number a round; seconds, and bytes for the memory."""

    seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    peak_bytes: list[int] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Median of the wall times, in seconds."""
        return statistics.median(self.seconds)


@contextmanager
def timed(samples: Samples) -> Iterator[None]:
    """One sample of what is done in this process: wall time and CPU time."""
    began, busy = time.perf_counter(), time.process_time()
    yield
    samples.seconds.append(time.perf_counter() - began)
    samples.cpu_seconds.append(time.process_time() - busy)


class Reader:
    """A peer process that reads one input again and again; see `peers/worker.py` for what is said on the pipe."""

    def __init__(self, command: Sequence[str], expected_entries: int) -> None:
        self.samples = Samples()
        self._expected = expected_entries
        # A file and not a pipe: a peer that writes many warnings must not stop on a full pipe that nobody empties.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True
        )
        try:
            self.versions: dict[str, str] = self._answer()["versions"]
        except PeerError:
            self._end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._errors.close()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._errors.seek(0)
            last = self._errors.read().decode(errors="replace").strip().splitlines()[-1:]
            raise PeerError(f"ended with status {self._process.returncode}: {''.join(last) or 'no word on why'}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def read(self, *, keep: bool) -> None:
        """Reads the input once; keeps what was measured, or throws it away when this is the warm-up.

        Raises:
            PeerError: The peer found another number of entries than there are: then its time means nothing.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("read\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise PeerError(f"ended with status {self._process.wait()}") from error
        answer = self._answer()
        if answer["entries"] != self._expected:
            raise PeerError(f"found {answer['entries']:,} entries where there are {self._expected:,}")
        if keep:
            self.samples.seconds.append(answer["seconds"])
            self.samples.cpu_seconds.append(answer["cpu_seconds"])


def run_whole(command: Sequence[str], samples: Samples | None, *, good_exits: Sequence[int] = (0,)) -> None:
    """Runs a command from start to end and notes its wall time, its CPU time and its peak resident memory.

    The peak that the kernel reports for a child begins at the size of the process that started it (Linux keeps it over
    `exec`), so the orchestrator holds no data of its own.

    Args:
        command: The program and its arguments.
        samples: Where to add what was measured; None for a warm-up.
        good_exits: Exit codes that mean that it did its work.

    Raises:
        PeerError: It ended otherwise.
    """
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in good_exits:
            errors.seek(0)
            last = errors.read().decode(errors="replace").strip().splitlines()[-1:]
            raise PeerError(f"ended with status {process.returncode}: {''.join(last) or 'no word on why'}")
    if samples is not None:
        samples.seconds.append(wall)
        samples.cpu_seconds.append(usage.ru_utime + usage.ru_stime)
        # Kibibytes on Linux, bytes on macOS.
        samples.peak_bytes.append(usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
