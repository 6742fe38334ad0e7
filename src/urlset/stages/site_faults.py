"""Store what is wrong with a site as a whole: what a directory was opened with, and what its documents show."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from urlset.hosting.base_url import UNKNOWN_BASE
from urlset.hosting.generators import SETTING
from urlset.hosting.identity import SiteFault, SiteProblem
from urlset.hosting.site import NAMED_NOWHERE
from urlset.model.document import was_read
from urlset.stages.seeds import is_without_sitemap
from urlset.store.site_files import relative_entries
from urlset.tables import SITE_FAULTS, SITEMAP_KINDS
from urlset.text.sizes import enumeration, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.errors import Unreadable
    from urlset.hosting.site import FolderSite
    from urlset.store.run import Run

MISSING = (404, 410)
"""Status codes of a sitemap that does not exist; others leave that open."""

RELATIVE_SHARE = 0.5
"""Share of entries without a host from which the URL of the site is not set."""

_TEMPLATE = re.compile(r"sitemap[^/]*[.](njk|liquid|erb|ejs|hbs|j2|jinja2?|twig|tmpl|gotmpl|mustache)$", re.IGNORECASE)


def record_site_faults(
    run: Run,
    documents: Sequence[Mapping[str, object]],
    unreadable: Sequence[Unreadable],
    site: FolderSite | None,
    given: Sequence[str],
) -> bool:
    """Store the faults of the sites of a run, and return whether there are any.

    Args:
        documents: The documents of the run.
        unreadable: The targets that could not be read.
        site: The directory that is audited, if one is.
        given: The targets.
    """
    faults = [(site.base, fault) for fault in site.faults] if site is not None else []
    is_built = all(fault.problem is not SiteProblem.NOT_BUILT for _, fault in faults)
    if is_built and not any(was_read(row) and not _is_about_sitemaps(row) for row in documents):
        faults += _missing(documents, unreadable, site, given)
    elif is_built and site is not None:
        faults += _unnamed(site)
    if is_built:
        faults += _relative(run, documents, site)
    rows = [
        {
            "document_id": 0,
            "ordinal": ordinal,
            "url": url,
            "problem": fault.problem.value,
            "value": fault.value,
            "about": fault.about,
        }
        for ordinal, (url, fault) in enumerate(faults)
    ]
    run.add_rows(SITE_FAULTS.name, rows)
    run.commit()
    return bool(rows)


def _is_about_sitemaps(row: Mapping[str, object]) -> bool:
    """Return whether a document is only about sitemaps, such as robots.txt."""
    return row.get("kind") == "robots"


def _missing(
    documents: Sequence[Mapping[str, object]],
    unreadable: Sequence[Unreadable],
    site: FolderSite | None,
    given: Sequence[str],
) -> Iterator[tuple[str, SiteFault]]:
    """Yield that a site has no sitemap, if that is known."""
    sitemaps = [row for row in documents if not _is_about_sitemaps(row) and not _is_robots(row)]
    if any(row.get("http_status") not in MISSING for row in sitemaps):
        return
    folder = shlex.quote(given[0]) if site is not None and given else "DIR"
    named = [str(row["url"]) for row in sitemaps]
    without = [target for target in unreadable if is_without_sitemap(target)]
    bases = [site.base] if site is not None else [target.target for target in without]
    for base in bases:
        if not named and not without:
            return
        reason = next((why for target in without if (why := target.reason.partition("; run")[0])), "")
        about = f"robots.txt names {named[0]}, which does not exist" if named else reason.partition(": ")[2]
        if site is not None:
            if site.is_below_path and not named:
                about = f"the directory has none at a usual path; {site.unread_robots}"
            about = _other_files(site, documents) or about
        url = base if "://" in base else f"https://{base}/"
        command = f"`urlset build {folder} --base-url {'URL' if url == UNKNOWN_BASE else url}` makes one"
        yield url, SiteFault(SiteProblem.NO_SITEMAP, url, f"{command}: {about}")


def _unnamed(site: FolderSite) -> Iterator[tuple[str, SiteFault]]:
    """Yield the sitemaps that nothing names, and that list pages which no other sitemap lists."""
    for url, pages in site.unnamed.items():
        about = f"{url} lists {quantity(len(pages), 'page')} that no other sitemap lists; {NAMED_NOWHERE}"
        yield url, SiteFault(SiteProblem.UNNAMED, url, about)


def _is_robots(row: Mapping[str, object]) -> bool:
    return str(row["url"]).endswith("/robots.txt")


def _other_files(site: FolderSite, documents: Sequence[Mapping[str, object]]) -> str:
    """Return what the directory has instead of a sitemap; empty for nothing."""
    names = sorted(site.folder.files)
    if templates := [name for name in names if _TEMPLATE.search(name)]:
        return f"{templates[0]} is the template of one that was not built"
    if unread := [url.removeprefix(site.base) for url in site.unread_sitemaps(documents)]:
        were, them = ("was", "it") if len(unread) == 1 else ("were", "them")
        return f"{enumeration(unread[:3])} {were} not read, as nothing names {them}"
    return ""


def _relative(
    run: Run, documents: Sequence[Mapping[str, object]], site: FolderSite | None
) -> Iterator[tuple[str, SiteFault]]:
    """Yield that most entries have no host."""
    total, relative, files, first = relative_entries(run)
    if not relative or relative < RELATIVE_SHARE * total:
        return
    urls = next((str(row["final_url"]) for row in documents if row.get("kind") in SITEMAP_KINDS), "")
    base = site.base if site is not None else urls
    setting = SETTING if site is None or site.identity is None else site.identity.setting
    about = f"{relative:,} of {quantity(total, 'entry', 'entries')} in {quantity(files, 'sitemap')}, such as {first}"
    yield base, SiteFault(SiteProblem.RELATIVE, str(first), f"{about}; set {setting}")
