"""Measure readers inside long-running processes, and commands as whole processes."""

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


def reason_of(error: PeerError | OSError) -> str:
    """Return why something was not measured, without paths of this machine, because the report is published."""
    return f"{error.strerror}" if isinstance(error, OSError) else str(error)


@dataclass(slots=True)
class Samples:
    """Measurements of one program, one number per round; times in seconds, memory in bytes."""

    seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    peak_bytes: list[int] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The median of the wall times, in seconds."""
        return statistics.median(self.seconds)


@contextmanager
def timed(samples: Samples) -> Iterator[None]:
    """Add one sample of work in this process: wall time and CPU time."""
    began, busy = time.perf_counter(), time.process_time()
    yield
    samples.seconds.append(time.perf_counter() - began)
    samples.cpu_seconds.append(time.process_time() - busy)


class Reader:
    """A peer process that reads one input repeatedly; see `peers/worker.py` for the protocol on the pipe."""

    def __init__(self, command: Sequence[str], expected_entries: int) -> None:
        self.samples = Samples()
        self._expected = expected_entries
        # A file rather than a pipe, because a peer that writes many warnings would block on a full pipe.
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
            raise PeerError(f"ended with status {self._process.returncode}: {''.join(last) or 'no error message'}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def read(self, *, keep: bool) -> None:
        """Read the input once; keep the measurement, or discard it during the warm-up.

        Raises:
            PeerError: The peer found the wrong number of entries, so its time means nothing.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("read\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise PeerError(f"ended with status {self._process.wait()}") from error
        answer = self._answer()
        if answer["entries"] != self._expected:
            raise PeerError(f"found {answer['entries']:,} entries instead of {self._expected:,}")
        if keep:
            self.samples.seconds.append(answer["seconds"])
            self.samples.cpu_seconds.append(answer["cpu_seconds"])


def run_whole(command: Sequence[str], samples: Samples | None, *, good_exits: Sequence[int] = (0,)) -> None:
    """Run a command, and record its wall time, its CPU time, and its peak resident memory.

    The peak that the kernel reports for a child starts at the size of its parent process (Linux keeps it across
    `exec`), so the orchestrator keeps no large data.

    Args:
        command: The program and its arguments.
        samples: Where to add the measurements; None for a warm-up.
        good_exits: Exit codes that mean success.

    Raises:
        PeerError: It failed.
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
            raise PeerError(f"ended with status {process.returncode}: {''.join(last) or 'no error message'}")
    if samples is not None:
        samples.seconds.append(wall)
        samples.cpu_seconds.append(usage.ru_utime + usage.ru_stime)
        # Kibibytes on Linux, bytes on macOS.
        samples.peak_bytes.append(usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
