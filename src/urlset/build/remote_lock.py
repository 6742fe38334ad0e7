"""The lock of a place that fsspec knows: an object that says who builds there, and until when nobody else may.

Nothing drops it when a process is killed, so it has an end, which is put off while the build goes on. It is created
only where there is none, as far as the file system can do that; where it cannot, and where a lock is taken over, it is
read again a moment later, to see who came last. And whoever has it reads it before every change: who lost it stops.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from urlset.errors import OutputError

LIFE = 600.0
"""Seconds after which a build that has not been heard of is taken for dead."""

PUT_OFF = LIFE / 4
"""Seconds after which the end is put off."""

SETTLING = 2.0
"""Seconds within which two builds that take the same lock see each other: an object store shows everybody what was
written once the writing has ended, and writing so little takes less."""

_log = logging.getLogger("urlset.build")


@dataclass(frozen=True, slots=True)
class _Held:
    """What a lock says.

    Attributes:
        token: Of the build that has it; no two have the same.
        host: The machine that it runs on.
        process: Its process there.
        processes: What its process is counted in; empty where that is not known.
        since: When it began, in seconds since 1970.
        until: When another build may take over.
    """

    token: str
    host: str
    process: int
    processes: str
    since: float
    until: float

    @property
    def is_over(self) -> bool:
        """Whether the build is not there any more, or must be taken for dead."""
        if _now() >= self.until:
            return True
        if not self.processes or self.processes != _processes():
            return False
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False


class RemoteLock:
    """The lock of one set in one place.

    Args:
        system: The file system, of fsspec.
        path: The object.
        url: The place, for messages.
    """

    def __init__(self, system: Any, path: str, url: str) -> None:
        self._system = system
        self._path = path
        self._url = url
        self._mine: _Held | None = None

    def take(self) -> None:
        """Takes it.

        Raises:
            OutputError: Another build has it.
        """
        found = self._read()
        if found is not None and not found.is_over:
            raise self._taken(found)
        now = _now()
        mine = _Held(uuid4().hex, platform.node(), os.getpid(), _processes(), now, now + LIFE)
        self._create(mine, instead_of=found)
        self._mine = mine

    def keep(self) -> None:
        """Sees to it that it is still this build's, and puts its end off; to be called before every change.

        Raises:
            OutputError: Another build has it now.
        """
        mine = self._mine
        assert mine is not None, "the lock is taken before anything is changed"
        found = self._read()
        if found is None or found.token != mine.token:
            self._mine = None
            raise OutputError(
                f"{self._url} was taken over by another build, since this one had not been heard of for "
                f"{LIFE / 60:.0f} minutes; build again"
            )
        now = _now()
        put_off = _Held(**{**asdict(mine), "until": now + LIFE})
        if now >= mine.until:
            # Another build may be about to take over.
            self._create(put_off, instead_of=found)
        elif now >= mine.until - LIFE + PUT_OFF:
            self._system.pipe_file(self._path, _json(put_off))
        else:
            return
        self._mine = put_off

    def drop(self) -> None:
        """Drops it, if it is this build's; what cannot be dropped ends by itself."""
        mine, self._mine = self._mine, None
        if mine is None:
            return
        try:
            found = self._read()
            if found is not None and found.token == mine.token:
                self._system.rm_file(self._path)
        except (OSError, OutputError) as error:
            _log.warning("%s stays locked for up to %.0f minutes: %s", self._url, LIFE / 60, error)

    def _read(self) -> _Held | None:
        for is_last in (False, True):
            try:
                return _Held(**json.loads(self._system.cat_file(self._path)))
            except FileNotFoundError:
                return None
            except (ValueError, TypeError, RecursionError):
                if is_last:
                    break
                # Where files are not written in one go, this one may be just about to be.
                time.sleep(SETTLING)
        raise OutputError(
            f"{self._url} is locked by what is no lock of this version: {self._path}; remove it if no build runs"
        )

    def _create(self, mine: _Held, instead_of: _Held | None) -> None:
        """Creates the object, in place of one whose build is over."""
        self._system.makedirs(self._path.rpartition("/")[0], exist_ok=True)
        if instead_of is not None:
            with suppress(FileNotFoundError):
                self._system.rm_file(self._path)
        try:
            self._create_only(mine)
        except FileExistsError:
            raise self._taken(self._read()) from None
        if instead_of is not None or not self._creates_only():
            time.sleep(SETTLING)
        found = self._read()
        if found is None or found.token != mine.token:
            raise self._taken(found)

    def _create_only(self, held: _Held) -> None:
        """Creates the object if there is none, where the file system can say that; else writes it."""
        try:
            with self._system.open(self._path, "xb") as file:
                file.write(_json(held))
        except (NotImplementedError, ValueError):
            self._system.pipe_file(self._path, _json(held))

    def _creates_only(self) -> bool:
        """Whether the file system refuses to create what is there: some know the mode, and write nevertheless."""
        beside = f"{self._path}.{uuid4().hex}"
        self._system.pipe_file(beside, b"")
        try:
            with self._system.open(beside, "xb") as file:
                file.write(b"")
        except FileExistsError:
            return True
        except (NotImplementedError, ValueError):
            return False
        finally:
            self._system.rm_file(beside)
        return False

    def _taken(self, found: _Held | None) -> OutputError:
        if found is None:
            return OutputError(f"{self._url} was being written by another build; build again")
        since, until = (datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S UTC") for at in (found.since, found.until))
        return OutputError(
            f"{self._url} is being written by another build, since {since} on {found.host} (process {found.process}); "
            f"wait for its end and build again. Should it have been killed: a build after {until} takes over, or one "
            f"after {self._path} was removed"
        )


def _now() -> float:
    return time.time()


def _processes() -> str:
    """What the processes of this machine are counted in: this start of it, and the container. Empty if not known."""
    try:
        start = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{start} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _json(held: _Held) -> bytes:
    return json.dumps(asdict(held), indent=1, sort_keys=True).encode()
