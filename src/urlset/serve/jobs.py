"""Jobs of the workbench: what they do, how far they are, and the processes that do it.

Each job has a folder with its state, its files, and the copy of the store that it works on. A server that starts finds
them there, and shows unfinished jobs, which only the user can resume: someone else may have put them there.
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from threading import Lock, Thread, Timer
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field, structs

from urlset.database.interrupts import SECONDS_TO_END
from urlset.errors import ExitCode, InputError, UrlsetError, UsageError
from urlset.files.bounded import read_own
from urlset.files.own_files import check_tree, make_own_folder
from urlset.processes.children import child_environment, module_command
from urlset.serve.snapshots import own_state, state_of
from urlset.text.sizes import GiB, MiB, quantity, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from urlset.net.origin import Origin
    from urlset.net.trust import HeaderPairs
    from urlset.options.auditing import AuditOptions
    from urlset.serve.snapshots import Snapshots

MAX_WAITING = 20
"""Maximum jobs that wait or run."""

MAX_RUNNING = 2
"""Maximum jobs that run at the same time; one of them may write the store."""

MAX_JOBS = 100
"""Maximum jobs to keep; the oldest that ended are removed."""

MAX_FILES = 5_000
"""Maximum files of an upload."""

MAX_UPLOADED = 200 * MiB
"""Maximum bytes of an upload, which is in memory until it is written."""

MAX_SECONDS = 6 * 3600.0
"""Maximum time of a job."""

MAX_TRAFFIC = 20 * GiB
"""Maximum bytes that a job requests of pages; of sitemaps, a tenth of it."""

MAX_PAGES = 1_000_000
"""Maximum pages that a job requests."""

LONGEST_LINE = 1 * MiB
"""Maximum bytes of a message of a job."""

MAX_STATE = 1 * MiB
"""Maximum bytes of the state of a job."""

NUMBER = re.compile("[1-9][0-9]{0,8}")
"""The name of the folder of a job."""

STATE = "job.json"
FILES = "files"
WORKING = "working.duckdb"
RESULT = "result.json"
LOG = "log.txt"


class JobKind(StrEnum):
    """What a job does."""

    AUDIT = "audit"
    VALIDATE = "validate"
    CHECK = "check"
    PAGE = "page"

    @property
    def writes_store(self) -> bool:
        """Whether it ends with a run in the store."""
        return self in (JobKind.AUDIT, JobKind.VALIDATE)


class JobState(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    CANCELED = "canceled"

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens by itself."""
        return self not in (JobState.WAITING, JobState.RUNNING)


class JobProgress(Struct):
    """The progress of a running job.

    Attributes:
        documents: Number of sitemaps read.
        urls: Number of page URLs that they list.
        pages: Number of pages requested.
        pages_chosen: Number of pages to request.
        name: What was done last.
    """

    documents: int = 0
    urls: int = 0
    pages: int = 0
    pages_chosen: int = 0
    name: str = ""


class Job(Struct):
    """A job.

    Attributes:
        id: Its number, from 1.
        kind: What it does.
        target: The site, URL, or what to call the uploaded files.
        state: How far it is.
        created_at: Time at which it was requested.
        options: What was chosen: `sample`, `base_url`, `host`.
        files: Number of uploaded files; 0 if the target is an address.
        started_at: Time at which it began, or was resumed.
        ended_at: Time at which it ended.
        progress: How far it is.
        message: Why it failed, or what to know about its result.
        run: The run in the store that it ended with.
        basis: The state of the store that its copy was made from; None if there was no store.
        before: The last run in that store, 0 without one; None until the copy is made.
    """

    id: int
    kind: JobKind
    target: str
    state: JobState
    created_at: datetime
    options: dict[str, Any] = field(default_factory=dict)
    files: int = 0
    started_at: datetime | None = None
    ended_at: datetime | None = None
    progress: JobProgress = field(default_factory=JobProgress)
    message: str | None = None
    run: int | None = None
    basis: tuple[int, int, int] | None = None
    before: int | None = None

    @property
    def is_resumable(self) -> bool:
        """Whether it can continue where it stopped."""
        return self.state in (JobState.CANCELED, JobState.FAILED, JobState.INTERRUPTED)


class Limits(Struct, frozen=True):
    """The limits of jobs.

    Attributes:
        allow_private: Whether they may request private addresses.
        headers: Headers with credentials, by the origin that receives them.
        seconds: Maximum time of each.
    """

    allow_private: bool = False
    seconds: float = MAX_SECONDS
    headers: Mapping[Origin, HeaderPairs] = {}


class Task(Struct):
    """The input of a worker.

    Attributes:
        job: The job.
        folder: Its folder.
        store: The current store; None if there is none.
        options: The options of an audit, from the configuration.
        limits: What it may do.
    """

    job: Job
    folder: Path
    store: Path | None
    options: AuditOptions
    limits: Limits


class Jobs:
    """The jobs of a server. `folder` contains the folders of all jobs."""

    def __init__(self, folder: Path, snapshots: Snapshots, options: AuditOptions, limits: Limits) -> None:
        self._folder = folder
        self._snapshots = snapshots
        self._options = options
        self._limits = limits
        self._lock = Lock()
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._threads: dict[int, Thread] = {}
        self._is_closed = False
        with own_state(folder):
            make_own_folder(folder)
            check_tree(folder)
        self._jobs = {job.id: job for job in sorted(_stored_jobs(folder), key=lambda stored: stored.id)}
        self._number = max(map(int, _numbered(folder)), default=0)
        for job in self._jobs.values():
            if not job.state.is_over:
                job.state = JobState.INTERRUPTED

    def list(self) -> list[Job]:
        """Return the jobs, newest first."""
        with self._lock:
            return [structs.replace(job) for job in sorted(self._jobs.values(), key=lambda job: -job.id)]

    def get(self, number: int) -> Job | None:
        with self._lock:
            job = self._jobs.get(number)
            return None if job is None else structs.replace(job)

    def folder_of(self, number: int) -> Path:
        return self._folder / str(number)

    def new_folder(self) -> int:
        """Reserve a number, and make its folder, in which files may be placed before `start`.

        Raises:
            UsageError: Too many jobs wait.
        """
        with self._lock:
            if sum(not job.state.is_over for job in self._jobs.values()) >= MAX_WAITING:
                raise UsageError(f"{quantity(MAX_WAITING, 'job')} wait or run already; cancel one, or wait for it")
            self._number += 1
            number = self._number
        self.folder_of(number).mkdir(mode=0o700)
        return number

    def drop_folder(self, number: int) -> None:
        """Remove a folder that no job uses."""
        shutil.rmtree(self.folder_of(number), ignore_errors=True)

    def start(
        self, number: int, kind: JobKind, target: str, options: Mapping[str, object] | None = None, files: int = 0
    ) -> Job:
        """Start a job as soon as there is room for it.

        Args:
            number: What `new_folder` returned.
            target: The site, URL, or what to call the files.
            files: Number of files in its folder.
        """
        job = Job(number, kind, target, JobState.WAITING, datetime.now(UTC), dict(options or {}), files)
        with self._lock:
            self._write(job)
            self._jobs[number] = job
            self._forget_old()
            self._begin_next()
            return structs.replace(job)

    def cancel(self, number: int) -> None:
        """Stop a job; what it has done stays for `resume`."""
        with self._lock:
            job = self._jobs.get(number)
            if job is None or job.state.is_over:
                return
            job.state, job.ended_at = JobState.CANCELED, datetime.now(UTC)
            self._keep(job)
            process = self._processes.get(number)
        if process is not None:
            _stop(process)

    def resume(self, number: int) -> None:
        """Resume a job that was canceled, was interrupted, or failed.

        Raises:
            UsageError: Its target is not an address, so the workbench did not start it.
        """
        with self._lock:
            job = self._jobs.get(number)
            if job is None or not job.is_resumable or number in self._processes:
                return
            if not job.files:
                check_target(job.target, job.kind)
            job.state, job.message, job.ended_at = JobState.WAITING, None, None
            self._keep(job)
            self._begin_next()

    def remove(self, number: int) -> None:
        """Remove a job that is over, with its files."""
        with self._lock:
            job = self._jobs.get(number)
            if job is not None and job.state.is_over and number not in self._processes:
                del self._jobs[number]
                self.drop_folder(number)

    def close(self) -> None:
        """Stop all processes; the next server can resume their jobs."""
        with self._lock:
            self._is_closed = True
            processes, threads = list(self._processes.values()), list(self._threads.values())
        _stop(*processes)
        for thread in threads:
            thread.join(SECONDS_TO_END * 3)

    def _begin_next(self) -> None:
        for job in self._jobs.values():
            if self._is_closed or len(self._threads) >= MAX_RUNNING:
                return
            if job.state is not JobState.WAITING or job.id in self._threads:
                continue
            if job.kind.writes_store and any(self._jobs[number].kind.writes_store for number in self._threads):
                continue
            job.state, job.started_at, job.message = JobState.RUNNING, datetime.now(UTC), None
            self._keep(job)
            thread = Thread(target=self._run, args=(job,), name=f"job-{job.id}", daemon=True)
            self._threads[job.id] = thread
            thread.start()

    def _run(self, job: Job) -> None:
        try:
            self._work(job)
        except UrlsetError as error:
            self._end(job, JobState.FAILED, str(error))
        except Exception as error:  # noqa: BLE001 - a job must end, whatever happened
            self._end(job, JobState.FAILED, f"{type(error).__name__}: {error}")
        finally:
            with self._lock:
                self._processes.pop(job.id, None)
                self._threads.pop(job.id, None)
                if job.state is JobState.RUNNING and not self._is_closed:
                    job.state, job.message = JobState.FAILED, job.message or "the process ended without a result"
                    job.ended_at = datetime.now(UTC)
                    self._keep(job)
                self._begin_next()

    def _work(self, job: Job) -> None:
        """Run the process of a job until it ends, and take its result."""
        folder = self.folder_of(job.id)
        working = folder / WORKING
        if job.run is not None:
            # The last server ended while the store was being replaced.
            self._publish(job, working)
            return
        if job.kind.writes_store and not (working.exists() and job.basis == state_of(self._snapshots.store)):
            self._copy_store(job, working)
        store = self._snapshots.store if self._snapshots.store.exists() else None
        task = Task(structs.replace(job), folder, store, self._options, self._limits)
        with (folder / LOG).open("wb") as log:
            process = subprocess.Popen(
                module_command("urlset.serve.worker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=child_environment(),
                start_new_session=True,
            )
        with self._lock:
            self._processes[job.id] = process
            is_stopped = self._is_closed or job.state is not JobState.RUNNING
        if is_stopped:
            _stop(process)
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            # It stays open: the worker ends when the server does.
            process.stdin.write(pickle.dumps(task))
            process.stdin.flush()
        late = Timer(self._limits.seconds + SECONDS_TO_END, _stop, (process,))
        late.daemon = True
        late.start()
        result: dict[str, object] = {}
        try:
            while line := process.stdout.readline(LONGEST_LINE):
                message = msgspec.json.decode(line, type=dict[str, object])
                if "progress" in message:
                    with self._lock:
                        job.progress = msgspec.convert(message["progress"], JobProgress)
                else:
                    result = message
            code = process.wait()
        finally:
            late.cancel()
            with suppress(OSError):
                # What a process that ended did not read.
                process.stdin.close()
            process.stdout.close()
            if process.poll() is None:
                process.kill()
        self._take(job, result, code, working)

    def _take(self, job: Job, result: dict[str, Any], code: int, working: Path) -> None:
        """Handle the last message of the process of a job."""
        if job.state is not JobState.RUNNING:
            return
        if "error" in result:
            self._end(job, JobState.FAILED, result["error"])
        elif "done" in result:
            run, job.message = result["done"].get("run"), result["done"].get("message")
            if run is not None:
                with self._lock:
                    job.run = run
                    self._write(job)
                self._publish(job, working)
            else:
                _remove_store(working)
                self._end(job, JobState.FAILED if job.kind.writes_store else JobState.FINISHED, job.message)
        elif code not in (ExitCode.INTERRUPTED, -signal.SIGINT, -signal.SIGTERM):
            self._end(job, JobState.FAILED, f"the process ended with code {code} and without a result; see its log")

    def _publish(self, job: Job, working: Path) -> None:
        """Replace the store with the copy of a job that has its run, unless that was done already."""
        try:
            if working.exists():
                self._snapshots.replace(working, job.basis)
            self._end(job, JobState.FINISHED, job.message)
        except InputError as error:
            _remove_store(working)
            job.run = None
            self._end(job, JobState.FAILED, str(error))

    def _copy_store(self, job: Job, place: Path) -> None:
        """Copy the store for a job. The state that it had is recorded first: a copy is of no use without it."""
        _remove_store(place)
        job.basis, job.before = None, 0
        with suppress(InputError), self._snapshots.current() as snapshot:
            needed, free = snapshot.state[1] * 2 + 256 * MiB, shutil.disk_usage(place.parent).free
            if free < needed:
                raise UsageError(f"not enough disk space next to the store: {size(free)} free, {size(needed)} needed")
            with snapshot.reading() as store:
                job.before = max((run.run_id for run in store.runs()), default=0)
            job.basis = snapshot.state
            half = place.with_suffix(".half")
            shutil.copyfile(snapshot.path, half)
            with self._lock:
                self._write(job)
            half.replace(place)
            return
        with self._lock:
            self._write(job)

    def _end(self, job: Job, state: JobState, message: str | None) -> None:
        with self._lock:
            if job.state is JobState.RUNNING:
                job.state, job.message, job.ended_at = state, message, datetime.now(UTC)
                self._keep(job)

    def _keep(self, job: Job) -> None:
        """Store a job. On a full disk, it goes on, and only the next server does not know how far it was."""
        with suppress(OSError):
            self._write(job)

    def _write(self, job: Job) -> None:
        path = self.folder_of(job.id) / STATE
        half = path.with_suffix(".half")
        with half.open("wb") as file:
            file.write(msgspec.json.encode(job))
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)

    def _forget_old(self) -> None:
        over = [job.id for job in self._jobs.values() if job.state.is_over and job.id not in self._threads]
        for number in over[: max(0, len(self._jobs) - MAX_JOBS)]:
            del self._jobs[number]
            self.drop_folder(number)


def _numbered(folder: Path) -> Iterator[str]:
    for place in folder.iterdir():
        if NUMBER.fullmatch(place.name):
            yield place.name


def _stored_jobs(folder: Path) -> Iterator[Job]:
    """Yield the jobs of an earlier server, and remove folders that a killed one had just made."""
    for name in _numbered(folder):
        state = folder / name / STATE
        try:
            job = msgspec.json.decode(read_own(state, MAX_STATE, folder), type=Job)
        except FileNotFoundError:
            shutil.rmtree(folder / name, ignore_errors=True)
        except (OSError, ValueError, RecursionError):
            # Not a state that this urlset wrote.
            continue
        else:
            if str(job.id) == name:
                yield job


def _remove_store(path: Path) -> None:
    """Remove the copy of a store, with the log of DuckDB."""
    for each in (path, path.with_name(f"{path.name}.wal")):
        each.unlink(missing_ok=True)


def _stop(*processes: subprocess.Popen[bytes]) -> None:
    """Ask processes to end, and end those that do not."""
    for process in processes:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
    for process in processes:
        try:
            process.wait(SECONDS_TO_END * 2)
        except subprocess.TimeoutExpired:
            process.kill()


def check_target(target: str, kind: JobKind) -> None:
    """Check an address: a server requests sites and URLs for others, and never reads its own files for them.

    Raises:
        UsageError: It is neither.
    """
    from urlset.sources import is_url
    from urlset.stages.named import page_of, site_of

    if not target:
        raise UsageError("enter an address, such as example.com, or choose files")
    if kind is JobKind.PAGE:
        if not is_url(target) or page_of(target, home=True) is None:
            raise UsageError(f"{target}: not the URL of a page; it must start with http:// or https://")
    elif not is_url(target) and not re.fullmatch(
        r"[\w.-]+\.[\w-]+(:\d{1,5})?|localhost(:\d{1,5})?|\[[\da-fA-F:.]+\](:\d{1,5})?", target
    ):
        raise UsageError(f"{target}: not a site or URL; enter example.com or https://example.com/sitemap.xml")
    elif is_url(target) and not target.lower().startswith(("http://", "https://")):
        raise UsageError(f"{target}: only http:// and https:// are supported here")
    elif kind is JobKind.CHECK and site_of(target) is None:
        raise UsageError(f"{target}: not a site; enter example.com or https://example.com")
