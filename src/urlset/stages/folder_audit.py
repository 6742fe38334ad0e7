"""Audits of a directory: the files answer the requests that an audit of the site would send."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.errors import Unreadable, UsageError
from urlset.fetch.response import FetchError
from urlset.hosting.identity import SiteProblem
from urlset.hosting.opening import open_site
from urlset.hosting.published_files import PublishedFolder
from urlset.net.urlparts import without_surrogates
from urlset.options.probing import ProbeMethod
from urlset.rules.registry import rule_templates
from urlset.sources import url_of
from urlset.stages.host_redirects import redirect_notes
from urlset.tables import SITE_FAULTS
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from urlset.hosting.identity import SiteFault
    from urlset.hosting.site import FolderSite
    from urlset.model.report import Report
    from urlset.options.auditing import AuditOptions
    from urlset.options.publishing import FolderOptions

FOLDER_CRAWL_DEPTH = 1_000
"""Number of links to follow: reading files costs little."""

ROBOTS_FAMILY = "ROB"
"""The rules on robots.txt, which is not in a directory that is published below the root of a host."""

NOT_CHECKED = "nothing was requested: TLS, response times, compression, and validators of the server were not checked"


def folder_site(targets: Sequence[str], options: FolderOptions) -> FolderSite | None:
    """Return the site of a directory of pages, if a target is one; None for other targets.

    Raises:
        InputError: The directory cannot be read, or has no pages although a base URL or a host is given.
        UsageError: There are other targets, or the base URL is invalid.
    """
    if not targets:
        return None
    paths = [Path(target) for target in targets if url_of(target) is None and Path(target).is_dir()]
    folders = [PublishedFolder.of(path) for path in paths]
    if options.asked is None:
        folders = [folder for folder in folders if folder.has_pages]
    if not folders:
        if options.asked is not None:
            raise UsageError(f"{options.asked} applies to a directory of pages, and {targets[0]} is not a directory")
        return None
    if len(targets) > 1:
        raise UsageError(
            f"{folders[0].root} is a directory of pages, which is audited alone; give it as the only target"
        )
    return open_site(folders[0], options.base_url, options.host)


def directories_without_pages(targets: Sequence[str]) -> list[str]:
    """Return a note on each target that is a directory without pages, if none is audited as a site."""
    paths = [Path(target) for target in targets if url_of(target) is None]
    return [
        f"{path}: no file in this directory ends in .html, so listed pages are requested from their hosts"
        for path in paths
        if path.is_dir()
    ]


def folder_report(report: Report, site: FolderSite, listed: Iterable[str]) -> Report:
    """Return the report of an audit of a directory, with what was assumed and what was not read.

    Args:
        listed: The listed URLs.
    """
    unreadable = list(report.unreadable)
    failed: dict[str, list[Mapping[str, object]]] = {
        kind: [] for kind in (FetchError.OUTSIDE, FetchError.UNDECIDED, FetchError.UNREADABLE)
    }
    for row in report.documents:
        if row["error_kind"] in failed:
            failed[row["error_kind"]].append(row)
    unreadable += [Unreadable(str(row["url"]), str(row["error"])) for row in failed[FetchError.UNREADABLE]]
    unbuilt = _unbuilt(site)
    if unbuilt is not None and all(finding.rule.table != SITE_FAULTS.name for finding in report.findings):
        # The rule that says so was not selected, or is ignored.
        unreadable.append(Unreadable("the pages of the site", f"{unbuilt.value} ({unbuilt.about})"))
    redirects = map(without_surrogates, redirect_notes(site, listed))
    notes = [*site.notes(report.documents), *redirects, NOT_CHECKED, *report.notes]
    if undecided := failed[FetchError.UNDECIDED]:
        documents = quantity(len(undecided), "document is", "documents are")
        notes.insert(0, f"{documents} unknown, such as {undecided[0]['url']}: {undecided[0]['error']}")
    if outside := failed[FetchError.OUTSIDE]:
        documents = quantity(len(outside), "document was", "documents were")
        notes.insert(0, f"{documents} not read, which are not in the directory, such as {outside[0]['url']}")
    return structs.replace(report, notes=tuple(notes), unreadable=tuple(unreadable))


def rules_of_server(site: FolderSite) -> tuple[str, ...]:
    """Return the codes of rules that the audit of a directory leaves out, since only a server shows what they need."""
    is_known = site.host.name is not None
    return tuple(
        rule.code for rule in rule_templates() if rule.needs_server and not (is_known and rule.table == "linked")
    )


def _unbuilt(site: FolderSite) -> SiteFault | None:
    """Return that a directory is the source of a site, whose templates are not its pages; None if it is not."""
    return next((fault for fault in site.faults if fault.problem is SiteProblem.NOT_BUILT), None)


def folder_options(options: AuditOptions, site: FolderSite) -> AuditOptions:
    """Return the options of an audit of a directory.

    Links are always read, and followed to all pages, because files cost little. What only a server shows is left out:
    the score of a site, validators of responses, and if the host is unknown, the redirects of links.
    """
    of_server: tuple[str, ...] = rules_of_server(site)
    if site.is_below_path:
        of_server = (*of_server, ROBOTS_FAMILY)
    is_built = _unbuilt(site) is None
    follows = options.pages and options.method is not ProbeMethod.HEAD and is_built
    return replace(
        options,
        # Templates are not the pages of the site.
        pages=options.pages and is_built,
        links=options.links and is_built,
        external=options.external and is_built,
        crawl=follows,
        crawl_depth=FOLDER_CRAWL_DEPTH,
        score=False,
        map=(),
        rate=None,
        cache=False,
        ignore=tuple(dict.fromkeys((*options.ignore, *of_server))),
    )
