"""`lastmod`: a site ─> audit ─> run of a store ─> compare its dates with what is known about the pages."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.comparison.sides import store_of
from urlset.errors import InputError, Unreadable
from urlset.files.scratch import Scratch
from urlset.model.lastmod import DateTrust
from urlset.options.storing import DEFAULT_STORE
from urlset.pipeline.audit import audit
from urlset.store.date_trust import crawlers_following, dates_of_sitemaps, sum_counts, text_dates
from urlset.store.file import Store
from urlset.store.results import read_report, read_results
from urlset.text.masking import mask_target

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.options.trusting import LastmodOptions
    from urlset.text.progress import Progress


def lastmod(target: str, options: LastmodOptions, progress: Progress | None = None) -> DateTrust:
    """Compare the dates in sitemaps with what is known about their pages.

    Args:
        target: A run of a store, as for `diff`; or a site or sitemap, which is audited first.
        progress: Called while it is audited.

    Raises:
        InputError: The target cannot be read, or lists no pages.
        OutputError: The store cannot be written.
        UsageError: The target is invalid.
    """
    if (run := store_of(target)) is not None:
        return _of_run(target, *run)
    with ExitStack() as resources:
        if options.no_store:
            options = replace(options, store=resources.enter_context(Scratch()).path / DEFAULT_STORE)
        audited = audit([target], options, progress)
        if audited.run_id is None:
            reasons = [document.reason for document in audited.report.unreadable]
            raise InputError(mask_target(target), (*reasons, "it has no sitemap that can be read")[0])
        stored = _of_run(target, options.store, audited.run_id)
        trust = structs.replace(stored, mapping=audited.mapping, notes=audited.notes_on_dates)
    return structs.replace(trust, store=None, run_id=None, earlier_run=None) if options.no_store else trust


def _of_run(target: str, path: Path, run_number: int | None) -> DateTrust:
    with Store.read(path) as store:
        run = store.run_of_site(run_number, lambda run_id: f"{path}@{run_id}")
        if run.finished_at is None:
            raise InputError(mask_target(target), f"run {run.run_id} is unfinished")
        sitemaps = dates_of_sitemaps(store, run)
        results = read_results(store, run.run_id)
        report = read_report(store, run, results)
        failed = (document for document in report.documents if document["error"] is not None)
        missing = tuple(Unreadable(str(document["url"]), str(document["error"])) for document in failed)
        unreadable = tuple(report.unreadable)
        if not sitemaps:
            reasons = [document.reason for document in (*unreadable, *missing)]
            raise InputError(mask_target(target), (*reasons, f"run {run.run_id} has no sitemap that lists pages")[0])
        return DateTrust(
            target=mask_target(target),
            store=path,
            run_id=run.run_id,
            earlier_run=results.earlier_run,
            pages=run.pages or 0,
            total=sum_counts(sitemaps),
            sitemaps=sitemaps,
            crawlers=crawlers_following(store, run.run_id),
            texts=text_dates(store, run.run_id),
            missing=missing,
            unreadable=unreadable,
        )
