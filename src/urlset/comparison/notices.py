"""Find what `notify` sends: the differences of two sides, or the URLs on standard input, in a file of their own.

They are written to a file, since the store that holds the sides must be closed before its ledger can be written, and
since they can be millions.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.comparison.live_pages import MAX_PAGES, texts_of_directory
from urlset.comparison.removed_urls import request_removed_urls
from urlset.comparison.sides import open_sides, store_of, trust_in_sides
from urlset.errors import InputError, UsageError
from urlset.indexnow.keys import authority
from urlset.indexnow.urls import changes_of, url_to_send
from urlset.model.comparison import RemovedUrlStatus
from urlset.model.notification import Notice, NoticeKind, NotSent, UrlChange
from urlset.options.comparing import DiffOptions
from urlset.options.declare import options_of
from urlset.options.storing import DEFAULT_STORE
from urlset.options.verbs import InspectOptions
from urlset.stages.named import trust_in
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.comparison.sides import Sides
    from urlset.comparison.url_changes import UrlChanges
    from urlset.model.comparison import RemovedUrl
    from urlset.net.trust import Trust
    from urlset.options.notifying import NotifyOptions
    from urlset.stages.session import Session

STDIN = "-"

LONGEST_LINE = 8 * 1024
"""Maximum bytes of a line of standard input: a URL of 2,048 characters, escaped, and a version."""

MAX_WITHOUT_ALL = 10_000
"""Maximum number of URLs to send without `--all`."""

PARTS_OF_SITE = 5
"""Maximum share of a site to send without `--all`: the whole divided by this."""

SMALL_SITE = 50
"""Number of URLs below which a site has no such share: a usual day changes more than a fifth of it."""

GONE = frozenset({404, 410})
"""Status codes of a page that was removed. 301 and other redirects count, too."""


@dataclass(slots=True)
class Notices:
    """The differences to notify search engines of, in numbers.

    Attributes:
        path: The file with the URLs to send, as JSON lines.
        ledger: The store for the ledger, if the user gave none.
        listed: Number of URLs that the larger side lists; None for URLs from standard input.
        found: Number of URLs to send, by kind.
        not_sent: Number of URLs that are not sent, by reason.
        altered: Number of URLs that are sent in another form, by what differs.
        pages: The first new and changed pages, each as it is sent and as it is listed.
        texts: The hashes of the main text of these pages on the later side, by the URL that is sent.
    """

    path: Path
    ledger: Path = DEFAULT_STORE
    listed: int | None = None
    found: Counter[NoticeKind] = field(default_factory=Counter)
    not_sent: Counter[NotSent] = field(default_factory=Counter)
    altered: Counter[UrlChange] = field(default_factory=Counter)
    pages: dict[str, str] = field(default_factory=dict)
    texts: dict[str, frozenset[int]] = field(default_factory=dict)

    def write(self, notices: Iterable[Notice]) -> None:
        """Write URLs to the file as they are sent, each with its host. Those that are not http(s) URLs are counted."""
        with self.path.open("w", encoding="utf-8") as file:
            for notice in notices:
                try:
                    url = url_to_send(notice.url)
                except ValueError:
                    url = ""
                if (host := authority(url)) is None or any(map(str.isspace, notice.url)):
                    self.not_sent[NotSent.NOT_A_URL] += 1
                    continue
                self.found[notice.kind] += 1
                if notice.kind in (NoticeKind.NEW, NoticeKind.CHANGED) and len(self.pages) < MAX_PAGES:
                    self.pages[url] = notice.url
                if url != notice.url:
                    self.altered.update(changes_of(notice.url))
                file.write(json.dumps([host, url, notice.kind.value, notice.version]) + "\n")

    def take_texts(self, texts: Mapping[str, frozenset[int]]) -> None:
        """Take the hashes of the main text of pages, by the URL that is listed."""
        self.texts = {url: texts[listed] for url, listed in self.pages.items() if listed in texts}

    def __iter__(self) -> Iterator[tuple[str, Notice]]:
        with self.path.open(encoding="utf-8") as file:
            for line in file:
                host, url, kind, version = json.loads(line)
                yield host, Notice(url, NoticeKind(kind), version)


def trust_in_notices(sides: Sequence[str], options: NotifyOptions) -> Trust:
    """Return the trusted hosts: those of the sides, and of the key files."""
    if tuple(sides) == (STDIN,):
        return trust_in(options.key_location, options, discover=False)
    return trust_in_sides([*sides, *options.key_location], options)


def find_notices(
    sides: Sequence[str], options: NotifyOptions, folder: Path, session: Session, listed: int | None = None
) -> Notices:
    """Find the URLs to send.

    Args:
        sides: The earlier and the later side; or only `-`, for URLs from standard input.
        listed: Number of URLs of the site, if the sides are only a part of it.

    Raises:
        InputError: A side cannot be read.
        UsageError: A side is invalid, or too much would be sent.
    """
    path = folder / "notices.jsonl"
    if tuple(sides) == (STDIN,):
        notices = Notices(path)
        notices.write(_input_notices(notices))
        return notices
    reading = DiffOptions(
        rules=False, **{option.name: getattr(options, option.name) for option in options_of(InspectOptions)}
    )
    store_path = store_of(sides[1])
    notices = Notices(path, DEFAULT_STORE if store_path is None else store_path[0], listed)
    with open_sides(sides[0], sides[1], reading, session) as compared:
        _compare(compared, notices, options, session)
    if notices.pages and store_path is None and Path(sides[1]).is_dir():
        notices.take_texts(texts_of_directory(sides[1], [*notices.pages.values()], options))
    return notices


def sides_of(text: str) -> tuple[str, str]:
    """Return the two sides that `--from` names: `STORE@7..8`, or `STORE` for its last two finished runs.

    Raises:
        UsageError: It names no store, or no two runs.
        InputError: The store cannot be read, or has too few runs.
    """
    from urlset.store.file import Store
    from urlset.store.sites import finished_runs, is_same_site, name_of, of_one_site

    name, _, runs = text.rpartition("@")
    first, dots, last = runs.partition("..")
    if name and dots and first.isdecimal() and last.isdecimal():
        sides = f"{name}@{first}", f"{name}@{last}"
        if all(store_of(side) is not None for side in sides):
            with Store.read(Path(name)) as store:
                earlier, later = store.run(int(first)), store.run(int(last))
            if not is_same_site(earlier, later):
                raise UsageError(
                    f"--from: run {first} is of {name_of(earlier)}, and run {last} of {name_of(later)}; "
                    "name two runs of one site"
                )
            return sides
    if (source := store_of(text)) is None or source[1] is not None:
        raise UsageError(f"--from: must be written as STORE@7..8, with the numbers of two runs, not {text!r}")
    with Store.read(source[0]) as store:
        ended = [
            run.run_id
            for run in of_one_site(
                source[0],
                finished_runs(store.runs()),
                lambda earlier, later: f"--from {text}@{earlier}..{later}",
                least=2,
            )
        ]
    if len(ended) < 2:
        raise InputError(text, f"has {quantity(len(ended), 'finished run')}; a comparison needs two of one site")
    return f"{text}@{ended[-2]}", f"{text}@{ended[-1]}"


def check_share(urls: int, listed: int | None, what: str) -> None:
    """Check that a notification is not much larger than the changes of a day usually are.

    Args:
        urls: Number of URLs to send.
        listed: Number of URLs of the site; None if it is not known.
        what: What the URLs are, to follow their number.

    Raises:
        UsageError: It is larger.
    """
    if urls > MAX_WITHOUT_ALL:
        raise UsageError(
            f"{quantity(urls, 'URL')} {what}, more than {MAX_WITHOUT_ALL:,}; pass --all if this is intended"
        )
    if listed is not None and max(listed, urls) >= SMALL_SITE and urls * PARTS_OF_SITE > listed:
        raise UsageError(
            f"{quantity(urls, 'URL')} {what}, more than a fifth of the {quantity(listed, 'URL')} of the site; "
            "pass --all if this is intended"
        )


def _compare(sides: Sides, notices: Notices, options: NotifyOptions, session: Session) -> None:
    from urlset.comparison.url_changes import UrlChanges

    before, after = sides.before, sides.after
    changes = UrlChanges(sides.database, before.run, after.run)
    gaps = [gap.target for gap in before.summary.unreadable if gap not in after.summary.unreadable]
    incomplete = gaps[0] if gaps else changes.once_incomplete()
    if incomplete is not None and not options.send_all:
        raise InputError(
            before.name,
            f"{incomplete} could not be read completely, so that its URLs would count as new; compare with an "
            "earlier run, or pass --all to send them",
        )
    notices.listed = max(notices.listed or 0, changes.url_total)
    removed = changes.find_removed()
    if not options.send_all:
        check_share(removed, notices.listed, "are no longer listed")
    notices.not_sent.update(changes.unsent_counts())
    notices.write(_differences(changes, removed, notices, session))
    texts = changes.texts([*notices.pages.values()])
    notices.take_texts({url: frozenset({text}) for url, text in texts.items()})


def _differences(changes: UrlChanges, removed: int, notices: Notices, session: Session) -> Iterator[Notice]:
    yield from changes.notices()
    if removed:
        for removal in request_removed_urls(changes, None, session.site):
            if (reason := _why_not(removal)) is None:
                yield Notice(removal.url, NoticeKind.REMOVED, NoticeKind.REMOVED.value)
            else:
                notices.not_sent[reason] += 1


def _why_not(removed: RemovedUrl) -> NotSent | None:
    """Return why a URL that is no longer listed is not sent; None if it is gone."""
    if removed.outcome is RemovedUrlStatus.STILL_THERE:
        return NotSent.STILL_THERE
    is_gone = removed.outcome is RemovedUrlStatus.REDIRECTED or (
        removed.outcome is RemovedUrlStatus.LOST and removed.status in GONE
    )
    if is_gone:
        return None
    return NotSent.UNKNOWN if removed.reason is None else NotSent.NO_RESPONSE


def _input_notices(notices: Notices) -> Iterator[Notice]:
    """Yield the URLs on standard input: one per line, optionally followed by a tab and a version.

    Without a version, the current date is the version, so that a URL can be sent once a day.
    """
    today = datetime.now(UTC).date().isoformat()
    while line := sys.stdin.buffer.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            notices.not_sent[NotSent.NOT_A_URL] += 1
            while line and not line.endswith(b"\n"):
                line = sys.stdin.buffer.readline(LONGEST_LINE)
            continue
        url, _, version = line.decode("utf-8", "replace").strip("\ufeff \r\n").partition("\t")
        if url:
            yield Notice(url, NoticeKind.GIVEN, version.strip() or today)
