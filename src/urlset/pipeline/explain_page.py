"""`audit URL-OF-A-PAGE`: page ─> sitemaps of its site ─> request the page, then what it refers to ─> verdict.

The pages of the site are not requested, apart from the language versions and the canonical of the page.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from msgspec import structs

from urlset import _core
from urlset.engine.examples import integer_of
from urlset.errors import InputError, Unreadable, UsageError
from urlset.fetch.request_url import address_of
from urlset.fetch.response import FetchError
from urlset.files.scratch import Scratch
from urlset.model.document import was_read
from urlset.model.page_explanation import OtherPage, PageExplanation
from urlset.net.origin import origin_of, origin_url
from urlset.net.urlparts import split_url
from urlset.options.probing import ProbeMethod
from urlset.options.storing import DEFAULT_STORE, is_unnamed_store
from urlset.probe.facts import PAGE_VERSIONS, ProbeTarget
from urlset.probe.prober import Prober
from urlset.stages.folder_audit import NOT_CHECKED, folder_options
from urlset.stages.named import at_sites, page_of, trust_in, trust_in_folder, with_previews
from urlset.stages.outcomes import ReadSummary, RobotsTxt, Unfetched, UnreadableDocument, read_to_end
from urlset.stages.session import Session
from urlset.stages.tee import tee
from urlset.store.page_evidence import entries_of, evidence_run, stored_page, verdicts_of, versions_in_sitemaps
from urlset.store.page_rows import PageRows, judge_pages
from urlset.tables import LIMITS_REACHED, PAGES, SITEMAP_KINDS
from urlset.text.masking import mask_target, mask_url
from urlset.text.sizes import quantity
from urlset.web.agents import DEFAULT_AGENTS, KNOWN_AGENTS, Purpose, names_for
from urlset.web.html_page import is_html
from urlset.web.indexability import COPIES, OF_OTHERS, PageReason
from urlset.web.robots_txt import Robots

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.hosting.site import FolderSite
    from urlset.model.page_explanation import Listing, StoredPage
    from urlset.model.page_list import PageVerdict
    from urlset.net.trust import Trust
    from urlset.options.auditing import AuditOptions
    from urlset.probe.facts import Row
    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.text.progress import Progress

MAX_VERSIONS = 100
"""Maximum language versions to request; the rest is reported."""


def explain_page(
    url: str,
    options: AuditOptions,
    progress: Progress | None = None,
    *,
    trust: Trust | None = None,
    site: FolderSite | None = None,
) -> PageExplanation:
    """Explain one page: where it is listed, who may fetch it, what it returns, and who refers to it.

    Nothing is requested twice.

    Args:
        options: How to fetch and read, the crawlers to check, and the store to search for the page.
        progress: Called after each sitemap.
        trust: What the URL is trusted with; by default what follows from it.
        site: The directory that has the page, which answers all requests.

    Raises:
        UsageError: It is not the URL of a page, or of none of this site.
        InputError: The store cannot be read, and is not the default one.
    """
    if site is not None:
        if not site.serves(url):
            raise UsageError(
                f"{mask_target(url)} is not below {site.base}, the base URL of {site.folder.root}; "
                "set it with --base-url"
            )
        trust, options = trust_in_folder(site), folder_options(options, site)
    trust = with_previews(trust or trust_in([url], options, discover=False), options)
    if (page := page_of(at_sites([url], trust)[0], home=True)) is None:
        raise UsageError(f"{mask_target(url)}: not the URL of a page; it must start with http:// or https://")
    # The page is read, whatever its name says, and as it is now.
    method = ProbeMethod.AUTO if options.method is ProbeMethod.HEAD else options.method
    search_options = replace(options, discover=True, expand=True, cache=False, method=method, links=False, crawl=False)
    page = page.partition("#")[0]
    # First, so that a store that cannot be read is reported before anything is requested.
    stored, why_not = _stored_page(page, options, site)
    home = f"{origin_url(page)}/"
    with (
        Scratch() as scratch,
        evidence_run(scratch.path / DEFAULT_STORE.name, home) as (store, run),
        Session(search_options, trust, progress) as session,
    ):
        search = _Search.of(home, session, search_options, run)
        probing = _Probing(session.site, search_options, run, search.robots)
        row = probing.page(page)
        verdict = verdicts_of(store, run.run_id)[page]
        explainer = _PageExplainer(page, row, verdict, store, run, search, probing, search_options)
        explanation = explainer.explanation(stored, why_not)
    on_pages = [note for preview in trust.previews for note in preview.notes_on_pages()]
    of_folder = [] if site is None else [*site.about, NOT_CHECKED]
    return structs.replace(explanation, notes=(*of_folder, *explanation.notes, *on_pages))


def _stored_page(url: str, options: AuditOptions, site: FolderSite | None) -> tuple[StoredPage | None, str | None]:
    """Return what the store knows about a page, and why it knows nothing."""
    if options.no_store:
        return None, "no store was searched (--no-store)"
    if not options.store.exists():
        return None, f"there is no store {options.store}; name it with --store, or create it with `urlset audit`"
    try:
        return stored_page(options.store, url, None if site is None else site.folder.root), None
    except InputError as error:
        if not is_unnamed_store(options.store):
            raise
        return None, str(error)


@dataclass
class _Search:
    """Results of reading the sitemaps of the site.

    Attributes:
        robots: The robots.txt files that were read, by origin.
        sitemaps: Number of sitemaps that were read.
    """

    robots: dict[str, Robots] = field(default_factory=dict)
    sitemaps: int = 0
    unreadable: list[Unreadable] = field(default_factory=list)
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, home: str, session: Session, options: AuditOptions, run: Run) -> _Search:
        """Read all sitemaps into the run."""
        search = cls()
        with session.read([home], options) as outcomes:
            for outcome in tee(outcomes, run):
                facts = read_to_end(outcome)
                match outcome:
                    case RobotsTxt(robots=robots) if robots.url is not None:
                        search.robots[origin_url(robots.url)] = robots
                    case Unfetched(facts=row):
                        search.unreadable.append(Unreadable(str(row["url"]), str(row["error"] or "was not fetched")))
                    case UnreadableDocument(unreadable=why):
                        search.unreadable.append(why)
                    case ReadSummary():
                        search._end(outcome)
                if facts is not None:
                    run.add_documents([facts])
                    search._take(facts)
        run.commit()
        return search

    def _take(self, facts: Mapping[str, object]) -> None:
        """Count a document, and note what may be missing of it."""
        if not was_read(facts) or facts["kind"] == "robots":
            return
        is_sitemap = facts["kind"] in SITEMAP_KINDS
        self.sitemaps += is_sitemap
        if not is_sitemap or not facts["complete"]:
            why = "was only read in part" if is_sitemap else f"is not a sitemap but {facts['kind']}"
            self.unreadable.append(Unreadable(str(facts["url"]), why))

    def _end(self, summary: ReadSummary) -> None:
        self.unreadable += [document for document in summary.unreadable if document not in self.unreadable]
        beyond = [cut for cut in summary.cuts if cut["duplicate_of"] is None]
        for cut in beyond:
            others = integer_of(cut["count"]) - 1
            more = f", like {quantity(others, 'other')} that the same document lists" if others else ""
            limit = LIMITS_REACHED[str(cut["kind"])]
            self.unreadable.append(Unreadable(str(cut["url"]), f"was not read{more}: {limit} reached"))
        self.notes = tuple(summary.notes)


class _Probing:
    """Requests pages, and keeps their rows in the run."""

    def __init__(self, fetcher: Fetcher, options: AuditOptions, run: Run, robots: dict[str, Robots]) -> None:
        self._fetcher = fetcher
        self._options = options
        self._run = run
        self._robots = robots
        self._count = 0
        self.rows: dict[str, Row] = {}
        self.versions: dict[str, list[tuple[str, str]]] = {}

    def page(self, url: str) -> Row:
        """Request the page itself."""
        origin = origin_url(url)
        # A site that could not be searched has none; it is not requested again.
        self._robots.setdefault(origin, Robots.of_answer(None, None, f"{origin}/robots.txt"))
        self.pages([url], None)
        return self.rows[url]

    def pages(self, urls: Sequence[str], via: str | None) -> None:
        """Request pages, and store their verdicts."""
        origin = None if via is None else origin_of(via)
        places = range(self._count, self._count + len(urls))
        self._count += len(urls)
        targets = [
            ProbeTarget(url, {"document_id": 0, "ordinal": place}, origin)
            for place, url in zip(places, urls, strict=True)
        ]
        rows = PageRows(self._run, PAGES)
        prober = Prober(
            self._fetcher,
            self._options,
            lambda _: [targets.pop(0)] if targets else [],
            self._robots,
            keeps_versions=True,
        )
        for batch in prober:
            for row in batch:
                self.versions[row["url"]] = row.pop(PAGE_VERSIONS, [])
                self.rows[row["url"]] = row
            rows.add(batch)
        rows.finish()
        judge_pages(self._run)


@dataclass
class _PageExplainer:
    url: str
    row: Row
    verdict: PageVerdict
    store: Store
    run: Run
    search: _Search
    probing: _Probing
    options: AuditOptions
    unknown_facts: list[str] = field(default_factory=list)

    def explanation(self, stored: StoredPage | None, why_not: str | None) -> PageExplanation:
        """Request the pages that the page refers to, and return everything."""
        self._compare(stored)
        own = _spellings(self.url)
        listings, entries = entries_of(self.store, self.run.run_id, own)
        similar: tuple[Listing, ...] = ()
        if not listings:
            similar, _ = entries_of(self.store, self.run.run_id, _similar(self.url, self.row))
        in_sitemaps = versions_in_sitemaps(self.store, self.run.run_id, own)
        canonical, versions = self._other_pages(in_sitemaps)
        unread = tuple(self.search.unreadable)
        is_listed = True if listings else None if unread else False
        robots = self.search.robots[origin_url(self.url)]
        agents = self.options.agents
        every = agents if agents != DEFAULT_AGENTS else (*agents, *(agent.name for agent in KNOWN_AGENTS))
        access = {agent: robots.verdict(agent, self.url) for agent in dict.fromkeys(every)}
        self._note_unknown(stored, why_not)
        notes = list(self.search.notes)
        if "xml" in (self.row.get("content_type") or "") and not is_html(self.row.get("content_type")):
            notes.append(f"if this is a sitemap, check it with `urlset validate {shlex.quote(mask_url(self.url))}`")
        known_keys = {_core.page_key(version.url) for version in versions} | {_core.page_key(self.url)}
        return PageExplanation(
            url=mask_url(self.url),
            is_indexable=self.verdict.is_indexable,
            reason=self.verdict.reason,
            value=self.verdict.value,
            page=self.row,
            robots=robots,
            access=access,
            closed_to=tuple(agent for agent in _of_search(agents) if not access[agent].allowed),
            is_listed=is_listed,
            listings=listings,
            entries=entries,
            similar=similar,
            sitemaps=self.search.sitemaps,
            unread=unread,
            canonical=canonical,
            versions=versions,
            referring=tuple(dict.fromkeys(loc for loc, _, _ in in_sitemaps if _core.page_key(loc) not in known_keys)),
            stored=stored,
            unknown=tuple(self.unknown_facts),
            notes=tuple(notes),
        )

    def _compare(self, stored: StoredPage | None) -> None:
        """Take the verdict of the run in the store if it compared the page, as it still is, with the others."""
        if (
            stored is not None
            and stored.reason in OF_OTHERS
            and stored.content_hash == self.row.get("content_hash")
            and self.verdict.reason in (None, PageReason.EMPTY)
        ):
            same = {"is_indexable": stored.is_indexable, "reason": stored.reason, "value": stored.value}
            self.verdict = structs.replace(self.verdict, **same)

    def _other_pages(
        self, in_sitemaps: Sequence[tuple[str, str, str]]
    ) -> tuple[OtherPage | None, tuple[OtherPage, ...]]:
        """Request the canonical and the language versions, and return both."""
        own = {_core.page_key(self.url), _core.page_key(self.row.get("final_url") or self.url)}
        by_url: dict[str, _Version] = {}
        of_entry = [(code, href) for loc, code, href in in_sitemaps if _core.page_key(loc) in own]
        for where, links in (("page", self.probing.versions[self.url]), ("sitemap", of_entry)):
            for code, href in links:
                if _core.page_key(href) not in own and _is_http(href):
                    by_url.setdefault(_core.page_key(href), _Version(href)).add(code, where)
        urls = [version.url for version in by_url.values()]
        if len(urls) > MAX_VERSIONS:
            more = quantity(len(urls) - MAX_VERSIONS, "language version was", "language versions were")
            self.unknown_facts.append(f"{more} not requested, after the first {MAX_VERSIONS}")
            urls = urls[:MAX_VERSIONS]
        elsewhere = self._elsewhere()
        if elsewhere is not None and _core.page_key(elsewhere) not in by_url:
            urls.append(elsewhere)
        verdicts = {}
        if urls:
            self.probing.pages(urls, self.row.get("final_url") or self.url)
            verdicts = verdicts_of(self.store, self.run.run_id)
        back = {_core.page_key(loc) for loc, _, href in in_sitemaps if _core.page_key(href) in own}
        canonical = None
        if elsewhere is not None:
            requested = by_url[_core.page_key(elsewhere)].url if _core.page_key(elsewhere) in by_url else elsewhere
            canonical = self._other_page(_Version(elsewhere), verdicts.get(requested), None)
        versions = (
            self._other_page(version, verdicts.get(version.url), self._links_back(version, key in back, own))
            for key, version in by_url.items()
        )
        return canonical, tuple(versions)

    def _elsewhere(self) -> str | None:
        """Return the canonical of the page if it is another page."""
        canonical: str | None = self.row.get("canonical")
        is_other = self.row.get("canonical_is_self") is False and canonical is not None and _is_http(canonical)
        return canonical if is_other else None

    def _links_back(self, version: _Version, is_in_sitemap: bool, own: set[str]) -> bool | None:
        """Return whether a language version refers to the page; None if it was not read."""
        if is_in_sitemap or any(_core.page_key(href) in own for _, href in self.probing.versions.get(version.url, ())):
            return True
        row = self.probing.rows.get(version.url, {})
        is_read = row.get("words") is not None
        return False if is_read else None

    def _other_page(self, version: _Version, verdict: PageVerdict | None, links_back: bool | None) -> OtherPage:
        """Return another page with its verdict; duplicates of it do not count, since few pages were compared."""
        reason = None if verdict is None or verdict.reason == PageReason.DUPLICATE else verdict.reason
        is_indexable = None if verdict is None else verdict.is_indexable if reason is not None else True
        value = None if verdict is None or reason is None else verdict.value
        return OtherPage(
            mask_url(version.url), tuple(version.codes), tuple(version.places), links_back, is_indexable, reason, value
        )

    def _note_unknown(self, stored: StoredPage | None, why_not: str | None) -> None:
        """Say what is not known, and how to find out."""
        notes, row = self.unknown_facts, self.row
        site = origin_url(self.url)
        reason = self.verdict.reason
        if row.get("skipped") == "robots" and reason == PageReason.BLOCKED_BY_ROBOTS:
            notes.append(
                "what the page returns: robots.txt blocks urlset from it; use --ask-forbidden on your own site"
            )
        elif row.get("status") is None:
            notes.append("what the page returns, since there was no response")
        elif row.get("complete") is False and row.get("error_kind") in (None, FetchError.TOO_LARGE):
            notes.append("what follows after the limit on the size of a page (audit.max-page-bytes)")
        if stored is not None and stored.reason in COPIES and reason not in OF_OTHERS:
            notes.append(
                f"whether it still has the same content as another listed page, as in run {stored.run_id} of the "
                "store: search engines index one of such pages"
            )
        elif reason not in OF_OTHERS:
            notes.append("whether another page has the same content, which only an audit of the site compares (--site)")
        if stored is None:
            notes.append(f"links to the page, requests of crawlers, and its index state: {why_not}")
            return
        if stored.links is None:
            notes.append(f"links to the page: run `urlset audit {site} --links`")
        if stored.crawls is None:
            notes.append("requests of crawlers: the store has no access logs of the site; run `urlset logs`")
        if stored.reports is None:
            notes.append("its index state: the store has no reports; run `urlset coverage import` or `inspect`")


@dataclass
class _Version:
    """A URL to which the page refers with hreflang."""

    url: str
    codes: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)

    def add(self, code: str, where: str) -> None:
        for word, words in ((code, self.codes), (where, self.places)):
            if word not in words:
                words.append(word)


def _of_search(agents: Iterable[str]) -> Iterable[str]:
    search = {name.lower() for name in names_for(Purpose.SEARCH)}
    return (agent for agent in agents if agent.lower() in search)


def _is_http(url: str) -> bool:
    return split_url(url).scheme in ("http", "https")


def _spellings(url: str) -> list[str]:
    """Return a URL as written, and as it is requested."""
    try:
        return list(dict.fromkeys((url, address_of(url).url)))
    except ValueError:
        return [url]


def _similar(url: str, row: Mapping[str, Any]) -> list[str]:
    """Return URLs that are easily confused with another: with a slash, www., http, and where the page leads."""
    similar = []
    for start in _spellings(url):
        scheme, _, rest = start.partition("://")
        host, slash, path = rest.partition("/")
        before, mark, query = path.partition("?")
        for host_form in (host, host.removeprefix("www."), f"www.{host.removeprefix('www.')}"):
            for path_form in {before, before.rstrip("/"), f"{before.rstrip('/')}/"}:
                similar += [
                    f"{protocol}://{host_form}{slash}{path_form}{mark}{query}" for protocol in {scheme, "http", "https"}
                ]
    similar += [other for name in ("final_url", "canonical") if (other := row.get(name))]
    own = set(_spellings(url))
    return [spelling for spelling in dict.fromkeys(similar) if spelling not in own]
