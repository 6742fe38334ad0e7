"""Look up one URL in a run of a store, and read the stored result of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.audit import AuditResult
from urlset.store.file import Store
from urlset.store.page_list import not_indexable
from urlset.store.results import read_report, read_results
from urlset.store.url_facts import url_facts

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.model.url_facts import UrlFacts


def facts_of(path: Path, url: str, run_id: int | None = None) -> tuple[int, list[UrlFacts]]:
    """Return the run, and what it has about a URL, or about a path on each host.

    Args:
        url: The URL as listed, or a path that starts with a slash.
        run_id: The run; None for the newest complete one.

    Raises:
        InputError: The store cannot be read, or the run does not exist.
    """
    with Store.read(path) as store:
        run = store.run_of_site(run_id)
        return run.run_id, url_facts(store, run.run_id, url)


def stored_audit(path: Path, run_id: int | None = None) -> AuditResult:
    """Return the stored result of a run, without the scored checks of its sites.

    Raises:
        InputError: The store cannot be read, or the run does not exist.
    """
    with Store.read(path) as store:
        run = store.run_of_site(run_id)
        results = read_results(store, run.run_id)
        return AuditResult(
            report=read_report(store, run, results),
            pages=results.pages,
            agents=results.access,
            inventory=results.inventory,
            store=path,
            run_id=run.run_id,
            earlier_run=results.earlier_run,
            media=results.media,
            links=results.links,
            llms=results.llms,
            twins=results.twins,
            not_indexable=not_indexable(store, run.run_id),
        )
