"""The store as the pages of the workbench read it: a state that never changes, until the next one takes its place.

DuckDB locks a file for the process that writes it. Therefore a job works on a copy of the store, which takes the place
of the store when the job is done. Each state has a path of its own, a hard link, because DuckDB shares what it has open
by path: requests that have begun finish on the state that they began with.
"""

from __future__ import annotations

import os
import shutil
import struct
import sys
import time
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from threading import Lock, Semaphore, Thread, current_thread
from typing import TYPE_CHECKING, TypeVar, cast

from msgspec import Struct, field

from urlset.database.interrupts import SECONDS_TO_END
from urlset.errors import InputError, OutputError, UrlsetError, is_out_of_resources, reason_of
from urlset.files.own_files import check_own
from urlset.model.run import RunRow  # noqa: TC001 - a field of a Struct
from urlset.serve.processes import end_all, end_process
from urlset.store.file import Store
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from pathlib import Path

T = TypeVar("T")

MAX_READING = 4
"""Requests that query the store at the same time: each may use all cores, and they share the memory."""

MEMORY = "160MB"
"""Memory that DuckDB may use for the queries of all pages together."""

MAX_CACHED = 64 * MiB
"""Maximum bytes of results to keep of a state."""

MAX_AHEAD = 5
"""Maximum results to compute before a viewer asks for them."""

PATIENCE = 0.4
"""Seconds that a page waits for a result before it says that it is being prepared."""

NO_MEMORY = "has values that are too large for the memory of the server; query fewer columns with `urlset sql`"

CANCELED = "this was canceled; open the page again to start anew"

State = tuple[int, int, int]
"""The inode, size, and time of a file, which change when the file does."""


class Snapshot:
    """One state of the store.

    Attributes:
        path: The file, for what opens stores by path.
        state: What the file of the store was like.
    """

    def __init__(self, path: Path, state: State) -> None:
        self.path = path
        self.state = state
        self.readers = 0
        self.is_old = False
        # While it is open, to open the path again takes a millisecond.
        self._resources = ExitStack()
        self.store = self._resources.enter_context(Store.read(path))
        self._resources.enter_context(self.store.holding(MEMORY))
        self._room = Semaphore(MAX_READING)
        self._lock = Lock()
        self._locks: dict[Hashable, Lock] = {}
        self._cache: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._bytes = 0
        self._worker = ThreadPoolExecutor(1)
        self._ahead: list[Future[object]] = []
        self._lock_file = _shared_lock(path)

    @contextmanager
    def reading(self) -> Iterator[Store]:
        """Yield the store, for one request."""
        with self._room, self.store.share() as store:
            yield store

    def cached_result(self, key: Hashable) -> tuple[object, int] | None:
        """Return a result that was computed before, with its size; None if it is missing."""
        with self._lock:
            if key not in self._cache:
                return None
            self._cache.move_to_end(key)
            return self._cache[key]

    def get_or_make(self, key: Hashable, make: Callable[[], tuple[T, int]]) -> T:
        """Return a result, which is computed once, however many requests wait for it.

        Args:
            make: Computes it, and returns it with its size in bytes.
        """
        if (entry := self.cached_result(key)) is not None:
            return cast("T", entry[0])
        with self._lock:
            lock = self._locks.setdefault(key, Lock())
        with lock:
            if (entry := self.cached_result(key)) is not None:
                return cast("T", entry[0])
            try:
                value, size = make()
            finally:
                with self._lock:
                    self._locks.pop(key, None)
            with self._lock:
                # A result that leaves no room for others is computed again.
                if size <= MAX_CACHED // 2:
                    self._cache[key] = value, size
                    self._bytes += size
                while self._bytes > MAX_CACHED:
                    self._bytes -= self._cache.popitem(last=False)[1][1]
            return value

    def ahead(self, call: Callable[[], object]) -> None:
        """Compute what a viewer is likely to ask for next, one result at a time, unless `MAX_AHEAD` are waiting."""
        with self._lock:
            self._ahead = [task for task in self._ahead if not task.done()]
            if len(self._ahead) < MAX_AHEAD:
                self._ahead.append(self._worker.submit(call))

    def close(self) -> None:
        """Close the store, and remove its folder."""
        self._worker.shutdown(cancel_futures=True)
        self._resources.close()
        if self._lock_file is not None:
            os.close(self._lock_file)
        shutil.rmtree(self.path.parent, ignore_errors=True)


class Preparation(Struct):
    """A result that takes longer than a page should, while it is being computed.

    Attributes:
        number: Its number.
        runs: The runs that it is about.
        future: The result.
        began: Time at which it began, of `time.monotonic`.
        thread: What computes it.
        is_canceled: Whether it no longer needs to be computed.
    """

    number: int
    runs: tuple[RunRow, ...]
    future: Future[object] = field(default_factory=Future)
    began: float = field(default_factory=time.monotonic)
    thread: Thread | None = None
    is_canceled: bool = False

    @property
    def seconds(self) -> int:
        """For how long it has been computed."""
        return int(time.monotonic() - self.began)


class InPreparationError(Exception):
    """A result is being computed."""

    def __init__(self, preparation: Preparation) -> None:
        super().__init__("being prepared")
        self.preparation = preparation


class Snapshots:
    """The states of a store.

    Args:
        folder: Where their links are, on the same file system.
    """

    def __init__(self, store: Path, folder: Path) -> None:
        self.store = store
        self._folder = folder
        self._lock = Lock()
        self._current: Snapshot | None = None
        self._number = 0
        self._preparing: dict[Hashable, Preparation] = {}
        # One at a time: each may use all cores.
        self._preparer = Lock()
        self._threads: set[Thread] = set()
        with own_state(folder):
            check_own(folder, folder=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if store.exists():
            # Adds what an older urlset did not have, and writes what a killed process left in the log of DuckDB.
            Store.create(store).close()

    @contextmanager
    def current(self) -> Iterator[Snapshot]:
        """Yield the current state.

        Raises:
            InputError: There is no store yet, or it cannot be read.
        """
        with self._lock:
            snapshot = self._newest()
            snapshot.readers += 1
        try:
            yield snapshot
        except Exception as error:
            if not is_out_of_resources(error):
                raise
            raise UrlsetError(f"{self.store.name}: {NO_MEMORY}") from error
        finally:
            with self._lock:
                snapshot.readers -= 1
                self._drop(snapshot)

    def prepare(self, snapshot: Snapshot, key: Hashable, make: Callable[[], tuple[T, int]], *runs: RunRow) -> T:
        """Return a result of a state that may take minutes; it is computed even if no request waits for it any longer.

        Args:
            make: Computes it, and returns it with its size in bytes.
            runs: The runs that it is about.

        Raises:
            InPreparationError: It takes longer than `PATIENCE`.
        """
        if (entry := snapshot.cached_result(key)) is not None:
            return cast("T", entry[0])
        of_state = snapshot.path.parent.name, key
        with self._lock:
            preparation = self._preparing.get(of_state)
            if preparation is None:
                snapshot.readers += 1
                self._number += 1
                preparation = self._preparing[of_state] = Preparation(self._number, runs)
                thread = Thread(target=self._prepare, args=(snapshot, of_state, make, preparation), daemon=True)
                self._threads.add(thread)
                thread.start()
        try:
            return cast("T", preparation.future.result(PATIENCE))
        except TimeoutError:
            raise InPreparationError(preparation) from None

    def cancel(self, number: int) -> None:
        """Stop computing a result, for everyone who waits for it."""
        with self._lock:
            for preparation in self._preparing.values():
                if preparation.number == number:
                    preparation.is_canceled = True
                    end_process(preparation.thread)

    def _prepare(
        self,
        snapshot: Snapshot,
        of_state: tuple[str, Hashable],
        make: Callable[[], tuple[T, int]],
        preparation: Preparation,
    ) -> None:
        try:
            with self._preparer:
                preparation.thread = current_thread()
                if preparation.is_canceled:
                    raise UrlsetError(CANCELED)
                result = snapshot.get_or_make(of_state[1], make)
        except BaseException as error:  # noqa: BLE001 - raised again where the result is awaited
            preparation.future.set_exception(UrlsetError(CANCELED) if preparation.is_canceled else error)
        else:
            preparation.future.set_result(result)
        with self._lock:
            del self._preparing[of_state]
            self._threads.discard(current_thread())
            snapshot.readers -= 1
            self._drop(snapshot)

    def replace(self, new_file: Path, basis: State | None) -> None:
        """Replace the store with a file.

        Args:
            new_file: The file, on the same file system.
            basis: The state of the store that it was made from; None if there was no store.

        Raises:
            InputError: Another program has changed the store since.
        """
        with self._lock:
            if state_of(self.store) != basis:
                raise InputError(
                    str(self.store), "was changed by another program while the job ran; start the job again"
                )
            if basis is not None:
                shutil.copymode(self.store, new_file)
            new_file.replace(self.store)

    def close(self) -> None:
        end_all()
        for thread in list(self._threads):
            thread.join(SECONDS_TO_END)
        with self._lock:
            if self._current is not None:
                self._current.close()
                self._current = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def _newest(self) -> Snapshot:
        state = state_of(self.store)
        if state is None:
            raise InputError(str(self.store), "no such store yet; it is created by the first audit")
        current = self._current
        if current is None or current.state != state:
            self._number += 1
            place = self._folder / str(self._number)
            place.mkdir()
            path = place / self.store.name
            try:
                os.link(self.store, path)
            except OSError:
                # A file system without hard links.
                shutil.copyfile(self.store, path)
            try:
                # To link a file changes no time that counts.
                self._current = Snapshot(path, state)
            except BaseException:
                shutil.rmtree(place, ignore_errors=True)
                raise
            if current is not None:
                current.is_old = True
                self._drop(current)
        assert self._current is not None
        return self._current

    @staticmethod
    def _drop(snapshot: Snapshot) -> None:
        if snapshot.is_old and not snapshot.readers:
            snapshot.close()


@contextmanager
def own_state(folder: Path) -> Iterator[None]:
    """Convert an error about what is next to the store, which somebody else may have put there.

    Raises:
        OutputError: It cannot be used.
    """
    try:
        yield
    except OSError as error:
        raise OutputError(f"{folder}: cannot be used: {reason_of(error)}") from None


def state_of(path: Path) -> State | None:
    """Return the state of a file; None if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _shared_lock(path: Path) -> int | None:
    """Keep other processes from writing a file, as DuckDB does; its lock ends as soon as this process closes the file.

    Linux has locks that belong to an open file instead: https://man7.org/linux/man-pages/man2/F_OFD_SETLK.2const.html
    """
    descriptor = None
    if sys.platform == "linux":
        import fcntl

        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0))
    return descriptor
