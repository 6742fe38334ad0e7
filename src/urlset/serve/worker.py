"""The process of a job: gets its task on standard input, writes its progress and result to standard output.

It ends when standard input does, because the server is gone then.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import msgspec

from urlset.database.interrupts import end_on_interrupt
from urlset.errors import ExitCode, UrlsetError
from urlset.serve.jobs import FILES, MAX_PAGES, MAX_TRAFFIC, RESULT, WORKING, JobKind, JobProgress, Task
from urlset.text.safe import safe

if TYPE_CHECKING:
    from urlset.model.audit import AuditResult
    from urlset.model.run import RunRow
    from urlset.net.trust import Trust
    from urlset.options.auditing import AuditOptions
    from urlset.text.progress import ProgressEvent

BETWEEN = 0.25
"""Seconds between two reports on the progress."""


def main() -> int:
    """Do the job on standard input, and write its progress and result to standard output, as JSON lines."""
    task: Task = pickle.load(sys.stdin.buffer)
    end_on_interrupt()
    server = os.dup(0)
    # Whatever reads standard input, such as a target named `-`, would wait for the server.
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    Thread(target=_end_with_server, args=(server,), daemon=True).start()
    progress = _Reporting()
    try:
        result = _do(task, progress)
        progress.tell()
        _tell({"done": result})
    except UrlsetError as error:
        _tell({"error": str(error)})
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    return ExitCode.CLEAN


def _end_with_server(server: int) -> None:
    # Not with a file object, whose lock the process would need to end while this waits.
    while os.read(server, 4_096):
        pass
    os.kill(os.getpid(), signal.SIGINT)


def _tell(members: dict[str, object]) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(members) + b"\n")
    sys.stdout.buffer.flush()


class _Reporting:
    """A `Progress` callback that tells the server."""

    def __init__(self) -> None:
        self._progress = JobProgress()
        self._reported_at = 0.0

    def __call__(self, event: ProgressEvent) -> None:
        progress = self._progress
        if event.name in ("pages", "images", "links"):
            progress.pages, progress.pages_chosen = event.done, event.known
        else:
            progress.documents, progress.urls = event.done, event.urls or 0
        progress.name = safe(event.name[:300])
        if (now := time.monotonic()) - self._reported_at >= BETWEEN:
            self._reported_at = now
            self.tell()

    def tell(self) -> None:
        _tell({"progress": msgspec.to_builtins(self._progress)})


def _do(task: Task, progress: _Reporting) -> dict[str, object]:
    match task.job.kind:
        case JobKind.AUDIT | JobKind.VALIDATE:
            return _audit(task, progress)
        case JobKind.CHECK:
            from urlset.pipeline.check import check

            [result] = check([task.job.target], _limit_options(task), progress, trust=_trust(task))
            return _write_result(task.folder, {"targets": [result.origin], "check": result.to_dict()})
        case JobKind.PAGE:
            from urlset.pipeline.explain_page import explain_page
            from urlset.serve.explained_page import ExplainedPage

            options = _limit_options(task)
            options = replace(options, no_store=task.store is None, store=task.store or options.store)
            page = explain_page(task.job.target, options, progress, trust=_trust(task))
            return _write_result(task.folder, ExplainedPage.of(page))


def _write_result(folder: Path, result: object) -> dict[str, object]:
    (folder / RESULT).write_bytes(msgspec.json.encode(result))
    return {"run": None}


def _audit(task: Task, progress: _Reporting) -> dict[str, object]:
    """Audit the target, in the copy of the store."""
    from urlset.pipeline.audit import audit

    job, working = task.job, task.folder / WORKING
    begun = _begun_run(working, job.before)
    if begun is not None and begun.finished_at is not None:
        # The server ended before it had the result.
        return {"run": begun.run_id, "message": None}
    resume = begun is not None
    options = replace(_limit_options(task), store=working, pages=job.kind is JobKind.AUDIT, resume=resume)
    target = job.target
    if job.files:
        # As the names of files, paths below the upload say more than those on the server.
        os.chdir(task.folder / FILES)
        target = _upload()
        options = replace(options, base_url=job.options.get("base_url"), host=job.options.get("host"))
    return _result(audit([target], options, progress, trust=_trust(task)))


def _upload() -> str:
    """Return what was uploaded: its only file or folder, or else all of it."""
    names = sorted(file.name for file in Path().iterdir())
    # Otherwise, `-` is standard input.
    return "." if len(names) > 1 else "./-" if names[0] == "-" else names[0]


def _result(audited: AuditResult) -> dict[str, object]:
    report = audited.report
    notes = [f"{gap.target}: {gap.reason}" for gap in report.unreadable]
    return {"run": audited.run_id, "message": "; ".join([*notes, *report.notes][:5]) or None}


def _begun_run(store: Path, before: int | None) -> RunRow | None:
    """Return the run that this job began in its copy of the store; None if it began none.

    Args:
        before: The last run before it.
    """
    from urlset.store.file import Store

    if before is None or not store.exists():
        return None
    # For writing: what a killed process left in the log of DuckDB gets into the file.
    with Store.create(store) as database:
        return next((run for run in database.runs()[-1:] if run.run_id > before), None)


def _limit_options(task: Task) -> AuditOptions:
    """Return the options of the configuration, within the limits of jobs."""
    options, limits = task.options, task.limits
    sample = task.job.options.get("sample") or options.sample
    return replace(
        options,
        sample=sample,
        crawl=bool(task.job.options.get("crawl")) or options.crawl,
        max_pages=min(options.max_pages or MAX_PAGES, MAX_PAGES),
        max_traffic=min(options.max_traffic or MAX_TRAFFIC, MAX_TRAFFIC),
        max_total_bytes=min(options.max_total_bytes, MAX_TRAFFIC // 10),
        # The rest of the time is for the rules.
        max_time=min(options.max_time or limits.seconds, limits.seconds * 0.8),
        allow_private=limits.allow_private,
    )


def _trust(task: Task) -> Trust:
    """Return what addresses are trusted with: what the command line says, since a browser can name any of them."""
    from urlset.stages.named import trust_in_given

    return trust_in_given(task.limits.headers, allow_private=task.limits.allow_private)


if __name__ == "__main__":
    sys.exit(main())
