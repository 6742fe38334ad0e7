"""`check`: from origins to scores. Searches the locations of the specification and assesses one sitemap per site."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.documents import DocumentReader
from urlset.errors import internal_error
from urlset.net.urlparts import host_of
from urlset.options.verbs import ReadOptions, ValidateOptions
from urlset.rules.scored import scored_rules
from urlset.sources import Source, SourceKind
from urlset.sources.user_origin import SiteOrigin, parse_origin
from urlset.sources.well_known import CHECKED
from urlset.stages.buffered import BufferedDocument
from urlset.stages.candidates import rewind
from urlset.stages.discover import SearchPlan, discover
from urlset.stages.judge import engine_of
from urlset.stages.named import trust_in_sites
from urlset.stages.score import MAX_PLACES, AssessedCandidate, score
from urlset.stages.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.fetch.client import Client
    from urlset.fetch.response import Response
    from urlset.model.check import CheckResult
    from urlset.model.discovery import Candidate
    from urlset.net.trust import Trust
    from urlset.stages.discover import Discovered
    from urlset.text.progress import Progress

MAX_CANDIDATES = 100
"""Maximum candidates to request per site; a single valid one is enough to pass."""


def check(
    origins: Sequence[str],
    options: ReadOptions | None = None,
    progress: Progress | None = None,
    trust: Trust | None = None,
) -> list[CheckResult]:
    """Check sites concurrently.

    Args:
        origins: The sites as given; a path is ignored, which the evidence states.
        progress: Called after each site.
        trust: Trusted hosts; by default those of the sites.

    Returns:
        The result for each origin, in order. An unreachable site fails the check.

    Raises:
        UsageError: An origin is invalid; raised before anything is fetched.
    """
    read = options or ReadOptions()
    sites = [parse_origin(origin) for origin in origins]
    with Session(read, trust or trust_in_sites(sites, read)) as session:
        return check_in(session, sites, progress)


def check_in(session: Session, sites: Sequence[SiteOrigin], progress: Progress | None = None) -> list[CheckResult]:
    """Do the same in a session that may have requested some of the URLs."""
    read = session.options
    judge = _Judge(read, datetime.now(UTC))

    async def check_site(site: SiteOrigin, client: Client) -> CheckResult:
        discovered = await discover(site, client, read, WHERE_TO_LOOK)
        try:
            return score(discovered.without_responses(), await judge.choose(site, discovered, client))
        except Exception as error:  # noqa: BLE001 (errors of the whole run are raised again)
            return score(structs.replace(discovered.without_responses(), unreachable=internal_error(error)), None)
        finally:
            discovered.close()

    return session.each_site(sites, check_site, progress)


WHERE_TO_LOOK = SearchPlan(
    paths=tuple(known.path for known in CHECKED),
    fetches_home=False,
    only_full_urls=True,
    max_candidates=MAX_CANDIDATES,
)
"""The resources that the specification inspects: its four locations and robots.txt."""


@dataclass(frozen=True, slots=True)
class _Judge:
    """Judges documents by the rules of the specification."""

    read: ReadOptions
    now: datetime

    async def choose(self, site: SiteOrigin, discovered: Discovered, client: Client) -> AssessedCandidate | None:
        """Return the candidate to assess, with its findings; see the decisions in `score`."""
        first: AssessedCandidate | None = None
        answered = [attempt for attempt in discovered.tried if attempt.answered]
        for candidate in discovered.candidates or answered[:1]:
            answer = discovered.answers.get(candidate.url)
            # Not all responses are kept if a site has many large sitemaps.
            is_kept = answer is not None
            answer = answer or await client.get(
                candidate.url, via=discovered.via(candidate), max_bytes=self.read.max_document_bytes
            )
            try:
                assessment = await asyncio.to_thread(self.judge, candidate, answer, site)
            finally:
                if not is_kept:
                    answer.close()
            if assessment.parses:
                return assessment
            first = first or assessment
        return first

    def judge(self, candidate: Candidate, answer: Response, site: SiteOrigin) -> AssessedCandidate:
        """Judge one document; InputError if it cannot be read to the end."""
        source = Source(SourceKind.URL, candidate.url, candidate.url, found_by=candidate.found_by)
        reader = DocumentReader(source, replace(answer.as_fetched(), is_ours=False), 0, self.read, hashed=False)
        document = BufferedDocument(reader)
        absolute = 0

        def batches() -> Iterator[Mapping[str, Table]]:
            nonlocal absolute
            for batch in document.batches():
                absolute += _absolute(batch)
                yield batch

        def facts() -> Mapping[str, object]:
            # The rules compare with the host of the document; the specification, with the host of the origin.
            return {**reader.facts, "host": host_of(site.url)}

        judging = ValidateOptions(max_examples=MAX_PLACES, threads=1)
        with engine_of(scored_rules(), judging, self.now) as engine:
            findings = engine.check_document(batches(), facts) + engine.finish([facts()])
        rewind(answer)
        return AssessedCandidate(
            candidate=candidate,
            well_formed=reader.facts["well_formed"],
            complete=reader.facts["complete"],
            absolute=absolute,
            findings=findings,
        )


def _absolute(tables: Mapping[str, Table]) -> int:
    """Return the number of entries with an http or https URL."""
    listed = [tables[name] for name in ("urls", "children") if name in tables]
    return sum(scheme in ("http", "https") for table in listed for scheme in table.column("scheme"))
