"""Fetches and reads everything that one run of a verb needs."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import replace
from enum import Enum
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from msgspec import structs

from urlset.fetch import fetch
from urlset.sources import SourceKind
from urlset.stages.buffered import BufferedDocument
from urlset.stages.named import at_sites, trust_in, trust_in_others, with_previews
from urlset.stages.outcomes import ReadSummary
from urlset.stages.read import read
from urlset.stages.seeds import find_seeds

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from types import TracebackType
    from typing import Self

    from urlset.documents import DocumentReader
    from urlset.fetch.client import Client
    from urlset.fetch.fetched_source import FetchedSource
    from urlset.fetch.fetcher import Fetcher
    from urlset.net.trust import Trust
    from urlset.options.verbs import InspectOptions, ReadOptions
    from urlset.sources import Source, Target
    from urlset.sources.user_origin import SiteOrigin
    from urlset.stages.outcomes import Outcome
    from urlset.stages.previous import PreviousRun
    from urlset.text.progress import Progress

Result = TypeVar("Result")


class _Asked(Enum):
    """The destinations of requests. Each has its own trust, and therefore its own fetcher."""

    SITE = "site"
    ENGINES = "engines"
    SINKS = "sinks"
    OTHERS = "others"


class Session:
    """The fetchers of a run, and the way it reads documents. Use it as a context manager.

    A verb creates a session and passes it to the functions that it calls, including other verbs. A fetcher is created
    when it is first needed, and closed at the end, even after an interrupt. Because there is only one fetcher for each
    kind of trust, rate limits apply to all uses of a host, and no URL is requested twice. The credentials of the user
    are sent to the site only.

    Args:
        options: How to fetch.
        trust: The hosts that may be contacted, and those that may receive credentials.
        progress: Called after each document.
    """

    def __init__(self, options: ReadOptions, trust: Trust, progress: Progress | None = None) -> None:
        self.options = options
        self.trust = with_previews(trust, options)
        self.progress = progress
        self._fetchers: dict[_Asked, Fetcher] = {}
        self._direct: Session | None = None
        self._resources = ExitStack()
        self._lock = Lock()

    @classmethod
    def over(
        cls,
        targets: Sequence[Target],
        options: InspectOptions,
        progress: Progress | None = None,
        trust: Trust | None = None,
    ) -> Self:
        """Return the session of a verb that reads targets; by default, it trusts their hosts."""
        return cls(options, trust or trust_in(targets, options, discover=options.discover), progress)

    @property
    def site(self) -> Fetcher:
        """The fetcher for the targets, and for what they list and link to."""
        return self._fetcher(_Asked.SITE, self.trust, self.options)

    def engines(
        self, endpoints: Sequence[str], *, rate: float | None = None, concurrency: int | None = None
    ) -> Fetcher:
        """Return the fetcher for the endpoints of search engines.

        Args:
            endpoints: The endpoints that the user named, which may be private; the same in each call.
            rate: Maximum requests per second.
            concurrency: Maximum concurrent requests.
        """
        options = self._without_credentials(rate, concurrency)
        return self._fetcher(_Asked.ENGINES, trust_in(endpoints, options, discover=False), options)

    def sinks(self, urls: Sequence[str], timeout: float) -> Fetcher:
        """Return the fetcher for webhooks, at URLs that the user named."""
        options = replace(self._without_credentials(), timeout=timeout)
        return self._fetcher(_Asked.SINKS, trust_in(urls, options, discover=False), options)

    def others(self, rate: float) -> Fetcher:
        """Return the fetcher for other sites that pages link to, with a maximum rate per host."""
        options = self._without_credentials(rate)
        return self._fetcher(_Asked.OTHERS, trust_in_others(self.trust, options), options)

    def without_previews(self) -> Session:
        """Return a session that requests sites themselves, without credentials, which only their previews receive."""
        with self._lock:
            if self._direct is None:
                options = self._without_credentials()
                direct = Session(options, replace(self.trust, previews=()), self.progress)
                self._direct = self._resources.enter_context(direct)
            return self._direct

    def fetch(self, source: Source) -> FetchedSource:
        """Open a source.

        Raises:
            InputError: It cannot be read at all. An invalid document is not an error.
        """
        return fetch(source, self.options, self.site if source.kind is SourceKind.URL else None)

    @contextmanager
    def read(
        self,
        targets: Sequence[Target],
        options: InspectOptions,
        buffer: Callable[[DocumentReader], BufferedDocument] = BufferedDocument,
        previous: PreviousRun | None = None,
    ) -> Iterator[Iterator[Outcome]]:
        """Find the documents of targets, and read them and what they list: targets ─> seeds ─> read.

        Args:
            buffer: Called for each document in a separate thread; reads it and buffers its first rows.
            previous: The run whose documents are reused if their index says that they did not change; None to read all.

        Yields:
            The outcomes of the documents in the order of their numbers, then a summary.

        Raises:
            UsageError: A target is not a site, although sites are searched.
        """
        seeds = find_seeds(at_sites(targets, self.trust), options, lambda: self.site)
        with read(seeds, options, self.progress, buffer, previous) as outcomes:
            yield self._with_notes(outcomes)

    def each_site(
        self,
        sites: Sequence[SiteOrigin],
        work: Callable[[SiteOrigin, Client], Awaitable[Result]],
        progress: Progress | None = None,
    ) -> list[Result]:
        """Process several sites concurrently, and return the results in the order of the sites.

        Args:
            progress: Called after each site.
        """
        # Imported only for sites, because the import of asyncio is slow.
        from urlset.stages.many_sites import for_each_site

        return self.site.run(lambda client: for_each_site(sites, client, work, progress))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resources.close()

    def _with_notes(self, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
        """Yield outcomes, and say in their summary which previews were read in place of sites."""
        for outcome in outcomes:
            if isinstance(outcome, ReadSummary) and self.trust.previews:
                of_previews = [note for preview in self.trust.previews for note in preview.notes()]
                outcome = structs.replace(outcome, notes=(*of_previews, *outcome.notes))
            yield outcome

    def _fetcher(self, asked: _Asked, trust: Trust, options: ReadOptions) -> Fetcher:
        """Return the fetcher for a kind of trust. No other code creates fetchers."""
        with self._lock:
            if asked not in self._fetchers:
                # Imported only to fetch, because the import is slow.
                from urlset.fetch.fetcher import Fetcher

                self._fetchers[asked] = fetcher = self._resources.enter_context(Fetcher(options, trust))
                if asked is _Asked.SITE and trust.previews:
                    from urlset.stages.examine_preview import examine

                    examine(fetcher, trust.previews)
            return self._fetchers[asked]

    def _without_credentials(self, rate: float | None = None, concurrency: int | None = None) -> ReadOptions:
        own = self.options
        return replace(
            own,
            header=(),
            auth=None,
            sign=None,
            map=(),
            rate=own.rate if rate is None else min(own.rate or rate, rate),
            concurrency=own.concurrency if concurrency is None else min(own.concurrency, concurrency),
        )
