"""Following: from the documents that were read to those that they list, level by level."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from urlset.net.origin import document_origin, origin_url
from urlset.sources.frontier import Frontier, Listed
from urlset.sources.given import Source, SourceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.net.origin import Origin
    from urlset.options.verbs import InspectOptions

MOST_HELD = 200_000
"""Entries of indexes that wait for the end of their level, at most; with more than that the bound on documents is close
and those of the first indexes are followed at once."""

MOST_ROBOTS = 100
"""Hosts whose robots.txt is asked for, since an index elsewhere lists their sitemaps, at most."""


class Follower:
    """Takes what was read, and tells the frontier what that lists.

    Not before the end of a level: what a document is depends then on the lists alone, and not on which answer came
    first.

    Attributes:
        frontier: What is still to be read.
        failures: The number of each document whose list could not be followed, and the error.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        options: InspectOptions,
        settled: Callable[[int], bool | None] | None = None,
    ) -> None:
        """Begins with the first documents.

        Args:
            sources: Those.
            options: How far to follow what they list.
            settled: Whether an earlier reading took a document: see `Frontier`.
        """
        self.frontier = Frontier(sources, options if options.expand else None, settled)
        self._asks_robots = options.discover or options.robots
        self.failures: list[tuple[int, Exception]] = []
        self._origins = {origin_url(str(source.place)) for source in sources if source.is_robots}
        self._asked = 0
        self._held: deque[tuple[int, str, Sequence[Table]]] = deque()
        self._rows = 0

    def take(self, number: int, facts: Mapping[str, Any], children: Sequence[Table]) -> None:
        """Takes a document, in the order of their numbers.

        Args:
            number: Its number.
            facts: Its row of `tables.DOCUMENTS`.
            children: Its rows of `tables.CHILDREN`.
        """
        self.frontier.read(int(facts.get("bytes") or 0))
        if not children:
            return
        self._held.append((number, str(facts["final_url"]), children))
        self._rows += sum(table.num_rows for table in children)
        while self._rows > MOST_HELD and len(self._held) > 1:
            self._follow_first()

    def next_level(self) -> bool:
        """Goes on to what the documents of this level list; False if that is nothing."""
        while self._held:
            self._follow_first()
        return self.frontier.advance()

    def _follow_first(self) -> None:
        number, base, tables = self._held.popleft()
        self._rows -= sum(table.num_rows for table in tables)
        try:
            if self._asks_robots:
                self._ask_robots(base, tables)
            self.frontier.found(number, base, _listed(tables))
        except Exception as error:  # noqa: BLE001 (one document must not end the run)
            self.failures.append((number, error))

    def _ask_robots(self, base: str, tables: Sequence[Table]) -> None:
        """Has robots.txt of hosts that sitemaps are listed of asked for: it says whether they may be listed there."""
        for table in tables:
            columns = (table.column(name) for name in ("scheme", "host", "port"))
            for scheme, host, port in dict.fromkeys(zip(*columns, strict=True)):
                if scheme not in ("http", "https") or not host or self._asked >= MOST_ROBOTS:
                    continue
                origin = origin_url(f"{scheme}://{host}{f':{port}' if port else ''}/")
                if not origin:
                    continue
                source = robots_of(origin, document_origin(base))
                if origin in self._origins:
                    self.frontier.prefer(source)
                else:
                    self._origins.add(origin)
                    self._asked += 1
                    self.frontier.add(source)


def robots_of(origin: str, via: Origin | None = None) -> Source:
    """The robots.txt of an origin, `https://example.com`; `via` is the origin of the document that leads there."""
    url = f"{origin}/robots.txt"
    return Source(SourceKind.URL, url, url, found_by="well-known", is_robots=True, via=via)


def _listed(tables: Sequence[Table]) -> Iterator[Listed]:
    """The rows of `children` as the frontier takes them."""
    for table in tables:
        columns = (table.column(name) for name in ("ordinal", "loc", "line", "col"))
        for ordinal, loc, line, col in zip(*columns, strict=True):
            if loc is not None:
                yield Listed(ordinal, loc, line, col)
