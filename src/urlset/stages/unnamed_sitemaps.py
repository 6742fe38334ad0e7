"""Read the sitemaps of a directory that nothing names, for the pages that no other sitemap lists."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from urlset import _core
from urlset.documents import DocumentReader
from urlset.errors import InputError
from urlset.fetch import fetch
from urlset.sources import Source, SourceKind
from urlset.store.site_files import listed_among
from urlset.tables import SITEMAP_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.hosting.site import FolderSite
    from urlset.options.verbs import InspectOptions
    from urlset.store.run import Run


def unnamed_sitemaps(
    run: Run,
    site: FolderSite,
    documents: Iterable[Mapping[str, object]],
    options: InspectOptions,
    fetcher: Fetcher,
) -> Mapping[str, Sequence[str]]:
    """Return the URLs of sitemaps that nothing names, each with the pages of the directory that only they list.

    A page is listed under the index of its sitemap, if that is one of them. It may be listed by its file as well.
    """
    urls = list(islice(site.unread_sitemaps(documents), options.max_documents))
    index_of: dict[str, str] = {}
    listed: dict[str, list[str]] = {}
    for url in urls:
        for table, locs in _entries(url, options, fetcher):
            if table == "children":
                index_of |= {_core.page_key(loc): url for loc in locs}
            else:
                listed.setdefault(url, []).extend(locs)
    found: dict[str, list[str]] = {}
    seen: set[str] = set()
    for url, locs in listed.items():
        # Pages are read for their canonical URL, so only those of unlisted URLs.
        listed_locs = listed_among(run.store, run.run_id, locs)
        asked = (site.page_of(loc) for loc in locs if loc not in listed_locs)
        own = dict.fromkeys(page for page in asked if page is not None and page not in seen)
        files = {page: site.file_url(page) for page in own}
        known = listed_among(run.store, run.run_id, [*files, *files.values()])
        pages = [page for page, file in files.items() if page not in known and file not in known]
        seen.update(pages)
        if pages:
            found.setdefault(index_of.get(_core.page_key(url), url), []).extend(pages)
    return found


def _entries(url: str, options: InspectOptions, fetcher: Fetcher) -> Iterator[tuple[str, list[str]]]:
    """Yield the locs of a sitemap in batches, each with the name of its table; nothing if it is not a sitemap."""
    source = Source(SourceKind.URL, url, url)
    try:
        reader = DocumentReader(source, fetch(source, options, fetcher), 0, options, hashed=False)
        batches = [
            (name, [loc for loc in batch[name].column("loc") if loc])
            for batch in reader
            for name in ("urls", "children")
            if name in batch
        ]
    except InputError:
        return  # As the notes on the directory say, it was not read.
    if reader.facts["kind"] in SITEMAP_KINDS:
        yield from batches
