"""Follow documents to the documents that they list, level by level."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from urlset.net.origin import document_origin, origin_url
from urlset.sources.frontier import Frontier, ListedDocument
from urlset.sources.targets import Source, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.net.origin import Origin
    from urlset.options.verbs import InspectOptions

MAX_WAITING_ENTRIES = 200_000
"""Maximum index entries that wait for the end of their level. With more, the limit on documents is close, and entries
of the first indexes are followed immediately."""

MAX_ROBOTS = 100
"""Maximum hosts whose robots.txt is requested because an index on another host lists their sitemaps."""


class Follower:
    """Passes the entries of documents to the frontier.

    It waits for the end of a level, so that the result does not depend on the order of the responses.

    Args:
        sources: The first documents.

    Attributes:
        frontier: The documents left to read.
        failures: The numbers of documents whose entries could not be followed, with the errors.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        options: InspectOptions,
    ) -> None:
        self.frontier = Frontier(sources, options if options.expand else None)
        self._asks_robots = options.discover or options.robots
        self.failures: list[tuple[int, Exception]] = []
        self._origins = {origin_url(str(source.place)) for source in sources if source.is_robots}
        self._robots_count = 0
        self._queue: deque[tuple[int, str, Sequence[Table]]] = deque()
        self._rows = 0

    def take(self, number: int, facts: Mapping[str, Any], children: Sequence[Table]) -> None:
        """Take a document, in order of number: its row of `tables.DOCUMENTS`, and its rows of `tables.CHILDREN`."""
        self.frontier.read(int(facts.get("bytes") or 0))
        if not children:
            return
        self._queue.append((number, str(facts["final_url"]), children))
        self._rows += sum(table.num_rows for table in children)
        while self._rows > MAX_WAITING_ENTRIES and len(self._queue) > 1:
            self._follow_first()

    def next_level(self) -> bool:
        """Continue with the entries of this level; return False if it has no entries."""
        while self._queue:
            self._follow_first()
        return self.frontier.advance()

    def _follow_first(self) -> None:
        number, base, tables = self._queue.popleft()
        self._rows -= sum(table.num_rows for table in tables)
        try:
            if self._asks_robots:
                self._ask_robots(base, tables)
            self.frontier.add_listed(number, base, _listed_documents(tables))
        except Exception as error:  # noqa: BLE001 (one document must not end the run)
            self.failures.append((number, error))

    def _ask_robots(self, base: str, tables: Sequence[Table]) -> None:
        """Request the robots.txt of hosts of listed sitemaps, which states whether an index may list them."""
        for table in tables:
            columns = (table.column(name) for name in ("scheme", "host", "port"))
            for scheme, host, port in dict.fromkeys(zip(*columns, strict=True)):
                if scheme not in ("http", "https") or not host or self._robots_count >= MAX_ROBOTS:
                    continue
                origin = origin_url(f"{scheme}://{host}{f':{port}' if port else ''}/")
                if not origin:
                    continue
                source = robots_of(origin, document_origin(base))
                if origin in self._origins:
                    self.frontier.prefer(source)
                else:
                    self._origins.add(origin)
                    self._robots_count += 1
                    self.frontier.add(source)


def robots_of(origin: str, via: Origin | None = None) -> Source:
    """Return the robots.txt of an origin such as `https://example.com`; `via` is the origin of the linking document."""
    url = f"{origin}/robots.txt"
    return Source(SourceKind.URL, url, url, found_by="well-known", is_robots=True, via=via)


def _listed_documents(tables: Sequence[Table]) -> Iterator[ListedDocument]:
    for table in tables:
        columns = (table.column(name) for name in ("ordinal", "loc", "line", "col", "lastmod"))
        for ordinal, loc, line, col, lastmod in zip(*columns, strict=True):
            if loc is not None:
                yield ListedDocument(ordinal, loc, line, col, lastmod)
