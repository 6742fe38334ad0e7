"""Name the earlier build that a site serves, by the runs of a store."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset.deployment.differences import GONE
from urlset.model.deploy_check import DeployCause, Difference, ServedKind
from urlset.store.earlier_builds import comparable_runs, runs_with_files, runs_with_pages, urls_of_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.deployment.differences import Found
    from urlset.store.earlier_builds import EarlierRun
    from urlset.store.file import Store

_OLD = (Difference.CONTENT, Difference.FILE, Difference.ROBOTS_FILE)
_EXPLAINED = (*_OLD, Difference.MISSING)
_OF_CONTENT = (*_OLD, Difference.CANONICAL, Difference.DIRECTIVES)
"""Differences that an old build explains."""


def with_earlier_builds(found: Sequence[Found], store: Store, base: str) -> list[Found]:
    """Return the differences, where an old build is served with its run as the cause.

    Of several runs with the same content, the one that explains most URLs is named, and of these, the newest.

    Args:
        base: The URL of the site.
    """
    runs = comparable_runs(store, base)
    pages = {each.url: each.content for each in found if each.kind is ServedKind.PAGE and each.content is not None}
    files = {each.url: each.sha256 for each in found if each.kind is not ServedKind.PAGE and each.sha256 is not None}
    had = {**runs_with_pages(store, pages), **runs_with_files(store, files)}
    had = {url: known for url, numbers in had.items() if (known := numbers & runs.keys())}
    old = {each.url for each in found if each.difference in _OLD and each.cause is None and each.url in had}
    votes = Counter(number for url in old for number in had[url])
    named = {url: runs[max(had[url], key=lambda number: (votes[number], number))] for url in old}
    named |= _missing_in(found, named, store)
    explained = [
        _of_run(each, named[each.url]) if each.url in named and each.difference in _EXPLAINED else each
        for each in found
    ]
    # What else differs in such a page belongs to the old build, too.
    return [
        each
        for each in explained
        if each.url not in named or each.cause is DeployCause.OLD_BUILD or each.difference not in _OF_CONTENT
    ]


def _missing_in(found: Sequence[Found], named: Mapping[str, EarlierRun], store: Store) -> dict[str, EarlierRun]:
    """Return the run that is served for URLs that are missing on the site, if that run does not have them either."""
    if len({run.run_id for run in named.values()}) != 1:
        return {}
    run = next(iter(named.values()))
    missing = [each.url for each in found if each.difference is Difference.MISSING and each.status in GONE]
    return dict.fromkeys(set(missing) - urls_of_run(store, run.run_id, missing), run)


def name_of(run: EarlierRun) -> str:
    return f"run {run.run_id} of {run.started_at:%Y-%m-%d}"


def _of_run(found: Found, run: EarlierRun) -> Found:
    about = f"{found.about}; this is {name_of(run)}"
    return replace(found, cause=DeployCause.OLD_BUILD, about=about, run=run.run_id)
