"""The error for a set without URLs because everything was left out: why, and what to do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from urlset import _core
from urlset.errors import EmptySetError
from urlset.model.build import ABOUT, NO_FAULT, Reason
from urlset.net.origin import origin_url
from urlset.net.placeholders import is_placeholder
from urlset.net.urlparts import host_of, split_url
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.build.options import BaseUrl
    from urlset.model.build import LeftOutPage, Refusal

WAYS_OUT: Mapping[str, str] = {
    Reason.EXCLUDED: "change --exclude",
    Reason.NOINDEX: "remove noindex from the pages that you want to list",
    Reason.ROBOTS: "change robots.txt, or use --no-obey-robots",
    Reason.DRAFT: "publish the pages in their front matter",
    Reason.TEMPLATE: "build the site first, and name the directory of its output",
    Reason.PARTIAL: "build the site if this is its source, and name the directory of the pages",
    Reason.TOOLING: "name the directory of the pages",
    Reason.EMPTY: "build the site first, and name the directory of its output",
    Reason.UNKNOWN_URL: "build the site first, and name the directory of its output",
    "url-bare": "write full URLs, or use --bare-paths if they are paths",
    "url-schemeless": "add https:// to the URLs",
    "url-doubtful": "correct the URLs, or use --set build.doubtful=keep",
    "lastmod-missing": "add dates, or omit --require-lastmod",
    "date-future": "correct the dates",
}
"""The advice for a reason, if nothing is known about the single pages."""

UNSET = "unset-variable"

PLACEHOLDER = (
    "set the URL of the site in the configuration of the program that writes them, and run it again, since the host is "
    "a placeholder or that of a development server"
)
"""The advice on URLs whose host must not be published."""


def empty_set_error(
    empty: str,
    written: int,
    base: BaseUrl,
    left_out: Mapping[str, int],
    pages: Sequence[LeftOutPage],
    refused: Mapping[str, int],
    entries: Sequence[Refusal],
) -> EmptySetError | None:
    """Return the error, with the reason of the largest group and the way out; None if the set can be published.

    Args:
        empty: What to do with an empty set; only `refuse` gives an error.
        written: Number of entries of the set.
        left_out: Number of pages that the sources left out, by reason.
        pages: The first of them.
        refused: Number of entries that the writer left out, by reason.
        entries: The first of them.
    """
    if empty != "refuse" or written or not (left_out or refused):
        return None
    counts = Counter({reason: count for reason, count in refused.items() if reason not in NO_FAULT})
    counts.update(left_out)
    [(reason, count)] = counts.most_common(1)
    total = counts.total()
    of_reason = [(page.what, page.detail) for page in pages if page.reason == reason]
    of_reason += [(entry.url, entry.detail) for entry in entries if entry.reason == reason and entry.whole]
    why, way_out = _explain(base, reason, count, of_reason)
    what = f"all {total:,} pages and entries were" if total > 1 else "the only page or entry was"
    share = "" if count == total else f", {count:,} of them"
    first = "" if not of_reason or reason == Reason.CANONICAL else f", such as {_example_text(*of_reason[0])}"
    text = f"refusing to publish an empty sitemap for {base.text}: {what} left out{share}"
    text = f"{text} because of {reason} ({why}{first})"
    return EmptySetError(f"{text}; {way_out}, or use --empty write if this is intended", dict(counts))


def _explain(base: BaseUrl, reason: str, count: int, examples: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return what is known about the group, and the way out."""
    details = [detail for _, detail in examples]
    if reason in (Reason.CANONICAL, Reason.REDIRECT):
        origins = Counter(origin for detail in details if (origin := origin_url(detail)))
        if origins:
            [(origin, on_it)] = origins.most_common(1)
            noun = "canonical" if reason == Reason.CANONICAL else "target"
            if origin != origin_url(base.text):
                share = _share(on_it, count, len(examples), noun)
                return f"{share} on {origin}", f"use --base-url {origin}{split_url(base.text).path}"
    if reason == "other-host":
        origins = Counter(origin for url, _ in examples if (origin := origin_url(url)))
        if origins:
            [(origin, on_it)] = origins.most_common(1)
            host = split_url(origin).netloc
            share = _share(on_it, count, len(examples), "URL")
            if is_placeholder(host_of(origin) or "", also_reserved=False):
                return f"{share} on {origin}", PLACEHOLDER
            return f"{share} on {origin}", f"use --base-url {origin}/, or --hosts {host}"
    if details and all(detail == UNSET for detail in details):
        return (
            "a variable has no value in the URLs",
            "set the base URL, or the variable, in the program that writes the list",
        )
    about = ABOUT[Reason(reason)] if reason in ABOUT else _core.refusal_reasons().get(reason, reason)
    return about.rstrip("."), WAYS_OUT.get(reason, "correct them")


def _share(part: int, count: int, example_count: int, noun: str) -> str:
    if part == count:
        return f"the only {noun} is" if count == 1 else f"all {count:,} {noun}s are"
    of = (
        f"{part:,} of {quantity(example_count, noun)}"
        if example_count == count
        else f"{part:,} of the first {quantity(example_count, noun)}"
    )
    return f"{of} {'is' if part == 1 else 'are'}"


def _example_text(what: str, detail: str) -> str:
    text = f"{what or 'an entry without a URL'}: {detail}" if detail else what
    return text if len(text) <= 200 else f"{text[:200]}…"
