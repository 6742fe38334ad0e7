"""`robots --write-policy`: write what `[policy]` intends into a robots.txt, after showing what it changes."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from urlset.clients.policy_block import intent_of, with_policy
from urlset.errors import InputError, UsageError, reason_of
from urlset.fetch.response import MAX_ROBOTS_BYTES
from urlset.files.bounded import read_file
from urlset.files.publish import publish
from urlset.model.policy import CrawlerVerdicts, PolicyFile
from urlset.net.urlparts import split_url
from urlset.pipeline.robots import agents_of
from urlset.sources import url_of
from urlset.stages.named import trust_in
from urlset.stages.open_target import open_one
from urlset.stages.session import Session
from urlset.tables import SITEMAP_KINDS
from urlset.text.masking import without_user
from urlset.web.agents import KNOWN_AGENTS, age_of_list, known_agent
from urlset.web.robots_txt import Robots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset.options.verbs import WritePolicyOptions

MAX_SITEMAPS = 1_000
"""Sitemaps next to the robots.txt to read. Our choice."""


def write_policy(
    target: str,
    urls: Sequence[str],
    options: WritePolicyOptions,
    sitemaps: Sequence[str] = (),
    on_planned: Callable[[PolicyFile], object] = lambda _: None,
) -> PolicyFile:
    """Write the policy between markers into a robots.txt, and compare the verdicts for URLs before and after.

    Args:
        target: The robots.txt, or the directory that it is in. It need not exist.
        urls: URLs, or paths, to compare the verdicts for.
        sitemaps: Sitemaps whose URLs are compared as well. Without URLs and sitemaps, those that the robots.txt lists
            are read, if they are next to it.
        on_planned: Called with the result before anything is written.

    Raises:
        InputError: The file or a sitemap cannot be read, or the policy cannot be added to the file.
        OutputError: The file cannot be written.
        UsageError: `[policy]` states nothing, the target is not a file, or a URL is invalid.
    """
    if target == "-" or url_of(target) is not None:
        raise UsageError("--write-policy requires a robots.txt or its directory, not a URL or standard input")
    intent = intent_of(options)
    if intent is None:
        raise UsageError('[policy] states nothing; set, for example, `policy.training = "no"` in urlset.toml')
    path = Path(target) / "robots.txt" if Path(target).is_dir() else Path(target)
    content = _read(path)
    block = with_policy(content or b"", intent, options, str(path))
    before, after = Robots.parse(content or b""), Robots.parse(block.content)
    names = tuple(agent.name for agent in KNOWN_AGENTS) + tuple(
        name for name in agents_of(options) if known_agent(name) is None
    )
    counts = _Counts(before, after, names)
    for url in urls:
        counts.take_url(url_of(url) or url)
    read: list[str] = []
    with Session(options, trust_in(list(sitemaps), options, discover=False)) as session:
        for sitemap in sitemaps:
            if counts.take_sitemap(sitemap, session):
                raise InputError(sitemap, "is a sitemap index, which lists no pages; name the sitemaps that it lists")
            read.append(without_user(sitemap))
        if not urls and not sitemaps:
            read += _take_listed(path, before, session, counts)
    if not counts.urls:
        counts.take_url("/")
    chosen = {name.lower() for name in agents_of(options)}
    rows = tuple(
        CrawlerVerdicts(
            agent=name,
            operator="" if (known := known_agent(name)) is None else known.operator,
            before=counts.allowed_before(name),
            after=counts.allowed_after(name),
        )
        for name in names
    )
    result = PolicyFile(
        path=str(path),
        intent=intent,
        is_changed=block.content != content,
        is_new=content is None,
        groups=block.groups,
        unwritten=block.unwritten,
        urls=counts.urls,
        sitemaps=tuple(read),
        crawlers=tuple(row for row in rows if row.before != row.after or row.agent.lower() in chosen),
        unchanged=sum(1 for row in rows if row.before == row.after),
        notes=(*block.notes, *counts.notes, *([age] if (age := age_of_list(datetime.now(UTC).date())) else [])),
        block=block.text,
    )
    on_planned(result)
    if result.is_changed and not options.dry_run:
        publish(path, block.content)
    return result


def _read(path: Path) -> bytes | None:
    try:
        return read_file(path, 2 * MAX_ROBOTS_BYTES)
    except FileNotFoundError:
        if path.parent.is_dir():
            return None
        raise InputError(str(path), "its directory does not exist") from None
    except OSError as error:
        raise InputError(str(path), reason_of(error)) from error


class _Counts:
    """How many URLs the two files disallow for each crawler."""

    def __init__(self, before: Robots, after: Robots, agents: tuple[str, ...]) -> None:
        self.urls = 0
        self.notes: list[str] = []
        self._files = (before, after)
        self._agents = agents
        self._blocked: tuple[Counter[str], Counter[str]] = (Counter(), Counter())

    def take_url(self, url: str) -> None:
        """Count one URL or path.

        Raises:
            UsageError: It is neither.
        """
        self.urls += 1
        for robots, blocked in zip(self._files, self._blocked, strict=True):
            blocked.update(agent for agent in self._agents if not robots.is_allowed(agent, url))

    def take_sitemap(self, sitemap: str | Path, session: Session) -> list[str]:
        """Count the URLs of a sitemap or list, and return the children of an index.

        Raises:
            InputError: It cannot be read, or is not a sitemap.
        """
        children: list[str] = []
        reader = open_one(sitemap, session, hashed=False)
        for batch in reader:
            if "children" in batch:
                children += [loc for loc in batch["children"].column("loc") if loc is not None]
            if "urls" not in batch:
                continue
            listed = batch["urls"]
            self.urls += len(listed)
            for robots, blocked in zip(self._files, self._blocked, strict=True):
                for section in robots.access(listed, self._agents).values():
                    blocked.update(dict(zip(self._agents, section.forbidden, strict=True)))
        if reader.facts["kind"] not in SITEMAP_KINDS:
            raise InputError(str(sitemap), f"is not a sitemap but {reader.facts['kind']}")
        if not reader.facts["complete"]:
            self.notes.append(f"{sitemap} is damaged; only the URLs before the damage were compared")
        return children

    def allowed_before(self, agent: str) -> int:
        return self.urls - self._blocked[0][agent]

    def allowed_after(self, agent: str) -> int:
        return self.urls - self._blocked[1][agent]


def _take_listed(path: Path, robots: Robots, session: Session, counts: _Counts) -> Iterator[str]:
    """Count the URLs of the sitemaps that a robots.txt lists and that are next to it, and yield their paths."""
    waiting = [sitemap.url for sitemap in robots.sitemaps]
    seen: set[Path] = set()
    while waiting and len(seen) < MAX_SITEMAPS:
        file = _file_of(waiting.pop(0), path.parent)
        if file is not None and file not in seen:
            seen.add(file)
            waiting += counts.take_sitemap(str(file), session)
            yield str(file)
    left = {file for url in waiting if (file := _file_of(url, path.parent)) is not None} - seen
    if left:
        counts.notes.append(f"only the first {MAX_SITEMAPS:,} sitemaps next to {path.name} were compared")


def _file_of(url: str, folder: Path) -> Path | None:
    """Return the file at a URL in a directory; None if there is none, or if it is elsewhere."""
    try:
        file = (folder / unquote(split_url(url).path).lstrip("/")).resolve()
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except (OSError, ValueError):
        # The name can be anything, such as one with a null byte.
        return None
