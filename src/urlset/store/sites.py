"""Tells the runs of a store apart by their sites, so that runs of different sites are never compared or confused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.errors import UsageError
from urlset.net.origin import origin_url
from urlset.sources.bare_hosts import url_of
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from urlset.model.run import RunRow


def site_of_url(url: str) -> str | None:
    """Return the host of a URL, with a port that is not the default one, and without `www.`; None if it has no host."""
    return origin_url(url).partition("://")[2].removeprefix("www.") or None


def sites_of(targets: Iterable[str]) -> frozenset[str]:
    """Return the sites of the targets of a run. Local files belong to no site."""
    urls = (url_of(target) for target in targets)
    return frozenset(site for url in urls if url is not None and (site := site_of_url(url)) is not None)


def is_same_site(run: RunRow, other: RunRow) -> bool:
    """Return whether two runs can be compared: they have a site in common, or one of them is on local files."""
    first, second = sites_of(run.targets), sites_of(other.targets)
    return not first or not second or not first.isdisjoint(second)


def finished_runs(runs: Iterable[RunRow]) -> list[RunRow]:
    """Return the finished runs that read something, oldest first."""
    return [run for run in runs if run.finished_at is not None and run.documents != 0]


def by_site(runs: Sequence[RunRow]) -> list[list[RunRow]]:
    """Return the runs of each site, oldest first; the site with the newest run comes last."""
    groups: list[list[RunRow]] = []
    for run in runs:
        own = next((group for group in groups if _is_alike(sites_of(run.targets), sites_of(group[-1].targets))), None)
        if own is not None:
            groups.remove(own)
        groups.append([*(own or ()), run])
    return groups


def by_subject(runs: Sequence[RunRow]) -> list[list[RunRow]]:
    """Return the runs of each site, and those of local files by their targets; the newest run is in the last group."""
    groups: list[list[RunRow]] = []
    for of_site in by_site(runs):
        parts: dict[tuple[str, ...], list[RunRow]] = {}
        for run in of_site:
            parts.setdefault(() if sites_of(run.targets) else run.targets, []).append(run)
        groups += parts.values()
    return sorted(groups, key=lambda group: group[-1].run_id)


def _is_alike(sites: frozenset[str], other: frozenset[str]) -> bool:
    return not sites.isdisjoint(other) if sites else not other


def of_one_site(
    path: Path, runs: Sequence[RunRow], how: Callable[..., str], hosts: Collection[str] = (), least: int = 1
) -> list[RunRow]:
    """Return the runs of the only site that is possible, oldest first.

    Args:
        runs: The finished runs.
        how: Returns how to choose runs, by their numbers, for messages.
        hosts: Sites to choose from; those without a run do not count, and none stands for all.
        least: Number of runs that are needed.

    Raises:
        UsageError: Several sites are possible.
    """
    groups = by_site(runs)
    if matches := [group for group in groups if not sites_of(group[-1].targets).isdisjoint(hosts)]:
        groups = matches
    groups = [group for group in groups if len(group) >= least] or groups[-1:]
    if len(groups) > 1:
        choices = [f"{name_of(group[-1])}: {how(*(run.run_id for run in group[-least:]))}" for group in groups]
        raise UsageError(
            f"{path}: has runs of {quantity(len(groups), 'site')}, so choose one of them: {'; '.join(choices)}"
        )
    return groups[0] if groups else []


def name_of(run: RunRow) -> str:
    """Return what to call the site of a run: its hosts, or for a directory, the host and path of its URL."""
    if run.site is not None:
        return run.site.partition("://")[2].removeprefix("www.").removesuffix("/")
    return ", ".join(sorted(sites_of(run.targets)) or run.targets)
