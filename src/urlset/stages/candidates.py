"""Requests the URLs at which a site may have sitemaps, and reads what they return."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import structs

from urlset import _core
from urlset.documents import DocumentReader
from urlset.errors import InputError, internal_error
from urlset.model.discovery import Candidate
from urlset.sources import Source, SourceKind
from urlset.tables import SITEMAP_KINDS
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from urlset.fetch.client import Client
    from urlset.fetch.response import Response
    from urlset.model.discovery import Find
    from urlset.net.origin import Origin
    from urlset.options.verbs import ReadOptions

MAX_BUFFERED = 64 * 1024 * 1024
"""Maximum bytes of responses to keep for the caller; others have to be fetched again."""

CONCURRENT_REQUESTS = 16
"""Maximum concurrent requests per site; the client's limit per host is lower."""

OVERLOADED = frozenset({429, 503})
"""Status codes of robots.txt, after all retries, that indicate an overloaded server."""

ENOUGH_REFUSALS = 2
"""Further refusals by an overloaded server after which requests stop."""

KINDS_IN_WORDS = {
    "html": "an HTML page",
    "robots": "a robots.txt",
    "xml": "XML of another kind",
    "json": "JSON",
    "empty": "an empty response",
    "product-feed": "a product feed for Google Merchant Center",
    "binary": "binary data",
    "unknown": "text without URLs",
}
"""Descriptions of documents that are not sitemaps."""


class Candidates:
    """The URLs at which a site may have sitemaps. Each is requested as soon as it is found.

    Args:
        max_candidates: Maximum number of URLs.

    Attributes:
        refusals: Number of further refusals by an overloaded server.
        refused_candidates: URLs that are not requested, with the reason.
    """

    def __init__(self, client: Client, options: ReadOptions, max_candidates: int) -> None:
        self._client = client
        self._options = options
        self._max_candidates = max_candidates
        self._finds: dict[str, tuple[str, list[Find]]] = {}
        self._probes: dict[str, asyncio.Task[tuple[Candidate, Response | None]]] = {}
        self._buffered_bytes = 0
        self._turn = asyncio.Semaphore(CONCURRENT_REQUESTS)
        self.is_overloaded = False
        self.refusals = 0
        self.refused_candidates: list[Candidate] = []

    def slow_down(self) -> None:
        """Send one request after the other, so that there are few if the server is unreachable."""
        self.is_overloaded = True
        self._turn = asyncio.Semaphore(1)

    def note(self, answer: Response) -> None:
        """Count a response if an overloaded server refuses it."""
        self.refusals += answer.status in OVERLOADED

    def take(self, url: str, find: Find, via: Origin | None, *, asks: bool, retries: int | None) -> None:
        """Add a way in which a URL was found; the first one causes the request.

        Args:
            via: The origin of the document that declares it.
            asks: Whether to request it; if not, the caller will.
            retries: Number of retries; None for the usual number.
        """
        key = _core.page_key(url)
        if key in self._finds:
            self._finds[key][1].append(find)
        elif len(self._finds) >= self._max_candidates:
            self.refuse(url, find, f"not requested: the limit of {quantity(self._max_candidates, 'URL')} was reached")
        else:
            self._finds[key] = url, [find]
            work = self._probe(url, via, retries) if asks else _unrequested_candidate(url)
            self._probes[key] = asyncio.create_task(work)

    def refuse(self, url: str, find: Find, why_not: str) -> None:
        self.refused_candidates.append(Candidate(url=url, finds=(find,), final_url=url, why_not=why_not))

    def stop(self) -> None:
        """Cancel pending requests."""
        for probe in self._probes.values():
            probe.cancel()

    async def results(self) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...], dict[str, Response]]:
        """Return the sitemaps, the other URLs, and the responses; sitemaps with the same final URL are merged."""
        outcomes = [await probe for probe in self._probes.values()]
        by_key: dict[str, Candidate] = {}
        tried: list[Candidate] = []
        answers: dict[str, Response] = {}
        for (_, finds), (outcome, answer) in zip(self._finds.values(), outcomes, strict=True):
            candidate = structs.replace(outcome, finds=tuple(finds))
            key = _core.page_key(candidate.final_url)
            if candidate.is_sitemap and (first := by_key.get(key)) is not None:
                elsewhere = (structs.replace(find, url=candidate.url) for find in candidate.finds)
                by_key[key] = structs.replace(first, finds=(*first.finds, *elsewhere))
                if answer is not None:
                    answer.close()
                continue
            if candidate.is_sitemap:
                by_key[key] = candidate
            else:
                tried.append(candidate)
            if answer is not None:
                answers[candidate.url] = answer
        return tuple(by_key.values()), tuple(tried), answers

    async def _probe(self, url: str, via: Origin | None, retries: int | None) -> tuple[Candidate, Response | None]:
        """Request a URL and read the response; an internal error only affects this candidate."""
        try:
            return await self._request(url, via, retries)
        except Exception as error:  # noqa: BLE001 (errors of the whole run are raised again)
            return Candidate(url=url, finds=(), final_url=url, why_not=internal_error(error)), None

    async def _request(self, url: str, via: Origin | None, retries: int | None) -> tuple[Candidate, Response | None]:
        async with self._turn:
            if self.is_overloaded and self.refusals >= ENOUGH_REFUSALS:
                return Candidate(
                    url=url, finds=(), final_url=url, why_not="not requested: the server is overloaded"
                ), None
            answer = await self._client.get(url, via=via, max_bytes=self._options.max_document_bytes, retries=retries)
            self.note(answer)
            candidate = Candidate(
                url=url,
                finds=(),
                final_url=answer.final_url,
                status=answer.status,
                error_kind=answer.error_kind,
                wire_bytes=answer.wire_bytes,
            )
            if not candidate.answered or (answer.error_kind is not None and answer.content is None):
                answer.close()
                return structs.replace(candidate, why_not=answer.reason or f"returned HTTP {answer.status}"), None
            try:
                facts = await asyncio.to_thread(read_facts, url, answer, self._options)
            except InputError as error:
                answer.close()
                return structs.replace(candidate, why_not=error.reason), None
        kind = str(facts["kind"])
        candidate = structs.replace(
            candidate,
            kind=kind,
            entries=facts["entries"],
            bytes=facts["bytes"],
            is_well_formed=facts["well_formed"],
        )
        if kind not in SITEMAP_KINDS:
            what = KINDS_IN_WORDS.get(kind, f"a {kind} file")
            candidate = structs.replace(candidate, why_not=f"returned HTTP {answer.status} with {what}")
        if self._buffered_bytes + answer.wire_bytes > MAX_BUFFERED:
            answer.close()
            return candidate, None
        self._buffered_bytes += answer.wire_bytes
        return candidate, answer


async def _unrequested_candidate(url: str) -> tuple[Candidate, Response | None]:
    """Return a candidate that the caller will request."""
    return Candidate(url=url, finds=(), final_url=url), None


def read_facts(url: str, answer: Response, options: ReadOptions) -> dict[str, Any]:
    """Read a response to the end and return its facts. The response can be read again after that.

    Raises:
        InputError: It cannot be read to the end.
    """
    fetched = replace(answer.as_fetched(), is_ours=False)
    reader = DocumentReader(Source(SourceKind.URL, url, url), fetched, 0, options, hashed=False)
    try:
        for _ in reader:
            # Only the facts are needed, which count the rows.
            continue
    finally:
        rewind(answer)
    return reader.facts


def rewind(answer: Response) -> None:
    """Rewind the temporary file of a large response."""
    seek = getattr(answer.content, "seek", None)
    if seek is not None:
        seek(0)
