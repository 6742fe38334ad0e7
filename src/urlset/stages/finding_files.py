"""Find the files that findings on a directory of pages are about, so that CI systems can annotate them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.build.layouts.page_sources import PageSources
from urlset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.hosting.site import FolderSite
    from urlset.model.report import Report


def with_files(report: Report, site: FolderSite, content: Path | None) -> Report:
    """Return the report with the files of its documents, and of the pages in its examples.

    A page has the file that it is generated from, if that is known, and else its own.

    Args:
        content: The directory of source files; None to look for the one of the generator.

    Raises:
        InputError: There is no such directory.
    """
    root = site.folder.root
    urls = [*report.document_urls.values(), *_pages_of(report)]
    files = {url: str(root / name) for url in urls if (name := site.file_of(url)) is not None}
    return structs.replace(report, files=files | dict(_sources(report, site, content)))


def _pages_of(report: Report) -> Iterator[str]:
    """Yield the pages that examples are about, or that have the link which they are about."""
    for finding in report.findings:
        for example in finding.examples:
            page = example.linked_from or (example.url if finding.rule.needs_pages else None)
            if page is not None:
                yield page


def _sources(report: Report, site: FolderSite, content: Path | None) -> Iterator[tuple[str, str]]:
    """Yield the pages that examples are about, each with the file that it is generated from."""
    try:
        sources = PageSources.find(content, site.folder.root, site.page_urls(), site.base)
    except InputError:
        # Nobody asked for the source files.
        if content is not None:
            raise
        sources = None
    if sources is None:
        return
    for url in dict.fromkeys(_pages_of(report)):
        page = site.page_of(url)
        if page is not None and (names := sources.files(page)):
            yield url, str(_relative(sources.source.top / names[0]))


def _relative(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
