"""Lock of a location on an fsspec file system: an object that states which build holds it, and until when.

It is not released when a process is killed, so it expires, and the build renews it while it runs. It is created
exclusively if the file system supports that; otherwise, and when an expired lock is taken over, it is read again a
moment later to see which build won. A build reads it before every change, and stops if it has lost the lock.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from urlset.build.state import MAX_LOCK_BYTES, read_object
from urlset.errors import OutputError
from urlset.files.structured import decode_json
from urlset.objects.object_address import is_object

LIFE = 600.0
"""Seconds after which a lock that was not renewed expires."""

PUT_OFF = LIFE / 4
"""Seconds after which the lock is renewed."""

SETTLING = 2.0
"""Seconds after which two builds that take the same lock see each other: an object store shows an object to everyone
once it is written, and writing one this small takes less time."""

_log = logging.getLogger("urlset.build")


_Text = Annotated[str, Meta(max_length=1_000)]
_Time = Annotated[float, Meta(ge=0, le=250_000_000_000)]


class _LockContent(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of a lock.

    Attributes:
        token: Unique token of the build.
        host: Name of its machine.
        process: ID of its process.
        processes: Identifies the boot and PID namespace of the process; empty if unknown.
        since: Start of the build, in seconds since 1970.
        until: Time of expiry.
    """

    token: _Text
    host: _Text
    process: Annotated[int, Meta(ge=1, le=0x7FFFFFFF)]
    processes: _Text
    since: _Time
    until: _Time

    @property
    def is_over(self) -> bool:
        """Return whether the build has ended, or its lock has expired."""
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
    """The lock of a set: the object `path` on an fsspec file system. Messages name the location `url`."""

    def __init__(self, system: Any, path: str, url: str) -> None:
        self._system = system
        self._path = path
        self._url = url
        self._mine: _LockContent | None = None

    def take(self) -> None:
        """Acquire the lock.

        Raises:
            OutputError: Another build holds it.
        """
        current = self._read()
        if current is not None and not current.is_over:
            raise self._locked_error(current)
        now = _now()
        mine = _LockContent(uuid4().hex, platform.node(), os.getpid(), _processes(), now, now + LIFE)
        self._create(mine, instead_of=current)
        self._mine = mine

    def keep(self) -> None:
        """Check that this build still holds the lock, and renew it; must be called before every change.

        Raises:
            OutputError: Another build holds it now.
        """
        mine = self._mine
        assert mine is not None, "the lock is taken before anything is changed"
        current = self._read()
        if current is None or current.token != mine.token:
            self._mine = None
            raise OutputError(
                f"{self._url}: another build took over the lock, which was not renewed for "
                f"{LIFE / 60:.0f} minutes; build again"
            )
        now = _now()
        put_off = replace(mine, until=now + LIFE)
        if now >= mine.until:
            # Another build may be about to take over.
            self._create(put_off, instead_of=current)
        elif now >= mine.until - LIFE + PUT_OFF:
            self._system.pipe_file(self._path, _json(put_off))
        else:
            return
        self._mine = put_off

    def drop(self) -> None:
        """Release the lock, if this build holds it; a lock that cannot be removed expires."""
        mine, self._mine = self._mine, None
        if mine is None:
            return
        try:
            current = self._read()
            if current is not None and current.token == mine.token:
                self._system.rm_file(self._path)
        except (OSError, OutputError) as error:
            _log.warning("%s stays locked for up to %.0f minutes: %s", self._url, LIFE / 60, error)

    def _read(self) -> _LockContent | None:
        for is_last in (False, True):
            try:
                content = read_object(self._system, self._path, MAX_LOCK_BYTES)
                return None if content is None else decode_json(content, _LockContent)
            except ValueError:
                if is_last:
                    break
                # If the file system does not write files atomically, this one may be incomplete.
                time.sleep(SETTLING)
        raise OutputError(
            f"{self._url}: locked by an unknown lock file, {self._path}; delete it if no build is running"
        )

    def _create(self, mine: _LockContent, instead_of: _LockContent | None) -> None:
        """Create the object, replacing an expired one."""
        if not is_object(self._url):
            # In an object store, this would create a bucket with a mistyped name.
            self._system.makedirs(self._path.rpartition("/")[0], exist_ok=True)
        if instead_of is not None:
            with suppress(FileNotFoundError):
                self._system.rm_file(self._path)
        try:
            self._create_only(mine)
        except FileExistsError:
            raise self._locked_error(self._read()) from None
        if instead_of is not None or not self._creates_only():
            time.sleep(SETTLING)
        current = self._read()
        if current is None or current.token != mine.token:
            raise self._locked_error(current)

    def _create_only(self, content: _LockContent) -> None:
        """Create the object exclusively if the file system supports it, otherwise write it."""
        try:
            with self._system.open(self._path, "xb") as file:
                file.write(_json(content))
        except (NotImplementedError, ValueError):
            self._system.pipe_file(self._path, _json(content))

    def _creates_only(self) -> bool:
        """Return whether the file system supports exclusive creation; some accept the mode but overwrite anyway."""
        temporary = f"{self._path}.{uuid4().hex}"
        self._system.pipe_file(temporary, b"")
        try:
            with self._system.open(temporary, "xb") as file:
                file.write(b"")
        except FileExistsError:
            return True
        except (NotImplementedError, ValueError):
            return False
        finally:
            self._system.rm_file(temporary)
        return False

    def _locked_error(self, lock: _LockContent | None) -> OutputError:
        if lock is None:
            return OutputError(f"{self._url}: another build was writing to it; build again")
        since, until = (datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S UTC") for at in (lock.since, lock.until))
        return OutputError(
            f"{self._url}: locked by another build (process {lock.process} on {lock.host}, started {since}); "
            f"wait until it finishes and build again; if it was killed, the lock expires at {until}, or delete "
            f"{self._path}"
        )


def _now() -> float:
    return time.time()


def _processes() -> str:
    """Return an ID of the boot and PID namespace of this machine; empty if unknown."""
    try:
        start = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{start} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _json(content: _LockContent) -> bytes:
    return json.dumps(asdict(content), indent=1, sort_keys=True).encode()
