"""`robots`: parse a robots.txt, and test which URLs it blocks for which crawlers, and by which line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.errors import InputError, UsageError, reason_of
from urlset.fetch import read_bytes
from urlset.fetch.response import MAX_ROBOTS_BYTES
from urlset.model.robots import BlockedUrl, RobotsReport, SitemapAccess, UrlAccess
from urlset.net.origin import origin_of
from urlset.net.urlparts import site_of, split_url
from urlset.sources import is_url, sources_of, url_of
from urlset.stages.named import trust_in
from urlset.stages.open_target import open_one
from urlset.stages.session import Session
from urlset.tables import SITEMAP_KINDS
from urlset.text.masking import mask_target, without_user
from urlset.web.agents import DEFAULT_AGENTS, KNOWN_AGENTS, Obedience, obedience_of
from urlset.web.robots_txt import Availability, Robots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset._core import Table
    from urlset.options.verbs import RobotsOptions
    from urlset.web.robots_txt import Verdict

MAX_EXAMPLES = 10
"""Blocked URLs of a sitemap to list per crawler."""


def robots(
    target: str,
    urls: Sequence[str],
    options: RobotsOptions,
    sitemaps: Sequence[str] = (),
) -> RobotsReport:
    """Read a robots.txt and test URLs against it.

    Args:
        target: The robots.txt: a file, its directory, `-`, its URL, or any URL of the site.
        urls: URLs, or paths, to test.
        sitemaps: Sitemaps whose URLs are tested.

    Raises:
        InputError: The file or a sitemap cannot be read. A missing or unreachable robots.txt is not an error.
        UsageError: A URL is invalid.
    """
    with Session(options, trust_in([target, *sitemaps], options, discover=False)) as session:
        return robots_in(session, target, urls, agents_of(options), sitemaps)


def robots_in(
    session: Session, target: str, urls: Sequence[str], agents: Sequence[str], sitemaps: Sequence[str] = ()
) -> RobotsReport:
    """Do the same in a session that may have requested some of the files; the arguments and errors are the same."""
    name, robots_txt, status, reason = _read(target, session)
    is_default = tuple(agents) == DEFAULT_AGENTS and robots_txt.availability is Availability.READ
    known = [agent.name for agent in KNOWN_AGENTS] if is_default else []
    others = [name for name in known if name not in agents]
    accesses = tuple(_ask(robots_txt, url, agents, others) for url in urls)
    home = {} if urls or sitemaps else _verdicts(robots_txt, "/", known)
    listed = tuple(_ask_all(robots_txt, sitemap, agents, session) for sitemap in sitemaps)
    return RobotsReport(name, robots_txt, status, reason, tuple(agents), accesses, listed, home)


def agents_of(options: RobotsOptions) -> tuple[str, ...]:
    """Return the crawlers to test: the given ones, followed with `all_agents` by all known ones."""
    if not options.all_agents:
        return tuple(dict.fromkeys(options.agents)) or DEFAULT_AGENTS
    agents = () if options.agents == DEFAULT_AGENTS else options.agents
    return tuple(dict.fromkeys((*agents, *(known.name for known in KNOWN_AGENTS))))


def robots_url(url: str) -> str:
    """Return the robots.txt for a URL: the URL itself if it is a text file, otherwise the robots.txt of its site.

    Example:
        >>> robots_url("https://example.com/shop/shoes?id=1")
        'https://example.com/robots.txt'
        >>> robots_url("http://localhost:8000/drafts/robots.txt")
        'http://localhost:8000/drafts/robots.txt'
    """
    return url if split_url(url).path.endswith(".txt") or not site_of(url) else f"{site_of(url)}/robots.txt"


def _read(target: str, session: Session) -> tuple[str, Robots, int | None, str | None]:
    if (url := url_of(target)) is not None:
        return _fetch(robots_url(url), session)
    path = Path(target)
    name = str(path / "robots.txt") if target != "-" and path.is_dir() else target
    source = next(iter(sources_of(name)))
    fetched = session.fetch(source)
    try:
        content = read_bytes(fetched.content, MAX_ROBOTS_BYTES)
    except OSError as error:
        raise InputError(source.name, reason_of(error)) from error
    finally:
        fetched.close()
    return source.name, Robots.parse(content), None, None


def _fetch(url: str, session: Session) -> tuple[str, Robots, int | None, str | None]:
    answer = session.site.get(url, via=None, max_bytes=MAX_ROBOTS_BYTES)
    robots_txt = answer.robots(without_user(url))
    answer.close()
    return answer.url, robots_txt, answer.status, robots_txt.problem


def _ask(robots_txt: Robots, url: str, agents: Sequence[str], others: Sequence[str]) -> UrlAccess:
    url = url_of(url) or url
    if is_url(url) and origin_of(url) is None:
        raise UsageError(f"{mask_target(url)} is not a valid URL")
    if is_url(url) and not robots_txt.covers(url):
        return UrlAccess(mask_target(url), None)
    return UrlAccess(mask_target(url), _verdicts(robots_txt, url, agents), _verdicts(robots_txt, url, others))


def _verdicts(robots_txt: Robots, url: str, agents: Sequence[str]) -> dict[str, Verdict]:
    return {agent: robots_txt.verdict(agent, url) for agent in agents}


def _ask_all(robots_txt: Robots, sitemap: str, agents: Sequence[str], session: Session) -> SitemapAccess:
    """Test every URL of a sitemap, in batches."""
    reader = open_one(sitemap, session, hashed=False)
    listed, covered = 0, 0
    counts: Counter[str] = Counter(dict.fromkeys(agents, 0))
    examples: dict[str, list[BlockedUrl]] = {agent: [] for agent in agents}
    for batch in reader:
        if "urls" not in batch:
            continue
        urls = batch["urls"]
        here = sum(1 for loc in urls.column("loc") if loc is not None and robots_txt.covers(loc))
        listed += len(urls)
        covered += here
        if robots_txt.availability is Availability.UNREACHABLE:
            counts.update(
                dict.fromkeys((agent for agent in agents if obedience_of(agent) is not Obedience.IGNORES), here)
            )
            continue
        table = robots_txt.blocked_urls(urls, agents, 0)
        counts.update(table.column("agent"))
        _take_examples(table, urls, examples)
    name, kind, complete = str(reader.facts.get("url", sitemap)), reader.facts["kind"], bool(reader.facts["complete"])
    if kind == "sitemapindex":
        raise InputError(name, "is a sitemap index, which lists no pages; name the sitemaps that it lists")
    if kind not in SITEMAP_KINDS:
        raise InputError(name, f"is not a sitemap but {kind}")
    blocked = {agent: tuple(blocked_urls) for agent, blocked_urls in examples.items()}
    return SitemapAccess(name, listed, complete, listed - covered, dict(counts), blocked)


def _take_examples(table: Table, urls: Table, examples: dict[str, list[BlockedUrl]]) -> None:
    incomplete = {agent for agent, blocked_urls in examples.items() if len(blocked_urls) < MAX_EXAMPLES}
    if not incomplete or not table.num_rows:
        return
    locs = dict(zip(urls.column("ordinal"), urls.column("loc"), strict=True))
    for row in table.to_dicts():
        blocked_urls = examples[row["agent"]]
        if len(blocked_urls) < MAX_EXAMPLES:
            blocked_urls.append(BlockedUrl(locs[row["ordinal"]], row["line"], row["robots_line"], row["pattern"]))
