"""Merge differences that have one cause: an old build, another site, or a difference that all pages share."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset.deployment.built_urls import path_of
from urlset.deployment.differences import Found
from urlset.model.deploy_check import DeployCause, Difference, NotCompared, ServedKind
from urlset.net.origin import origin_url
from urlset.net.urlparts import host_of
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.deployment.built_urls import BuiltUrl
    from urlset.deployment.comparer import Outcome

FEW = 3
"""Pages from which a difference that all of them share is one difference."""

_INSTEAD = (Difference.MISSING, Difference.STATUS, Difference.REDIRECT, Difference.CONTENT_TYPE)
"""Differences of URLs whose page is not served."""


def summarized(outcomes: Mapping[BuiltUrl, Outcome], found: Sequence[Found], base: str) -> list[Found]:
    """Return the differences, with one in place of those that have one cause.

    Args:
        outcomes: The outcome for each URL.
        found: What differs, with the earlier builds as causes.
        base: The URL of the site.
    """
    compared = [url for url, outcome in outcomes.items() if outcome.unknown is None]
    pages = [url for url in compared if url.kind is ServedKind.PAGE]
    answered = [url for url in pages if not any(each.difference in _INSTEAD for each in outcomes[url].found)]
    if (other := _other_site(outcomes, found, base, len(pages))) is not None:
        return [other]
    if (old := _old_build(found, base, len(compared))) is not None:
        return old
    groups: dict[tuple[object, ...], list[Found]] = {}
    for each in found:
        groups.setdefault(_key(each), []).append(each)
    result: list[Found] = []
    for group in groups.values():
        of_pages = [each for each in group if each.kind is ServedKind.PAGE]
        # Pages that are not served cannot share what differs in the others.
        possible = pages if group[0].difference in _INSTEAD else answered
        if len(of_pages) == len(possible) >= FEW and group[0].difference is not Difference.NOT_BUILT:
            result += _shared(group, of_pages, base, are_all=len(possible) == len(pages))
        else:
            result += group
    return result


def _shared(group: Sequence[Found], of_pages: Sequence[Found], base: str, *, are_all: bool) -> Iterator[Found]:
    """Yield one difference in place of those that all pages share, and what else differs in their texts."""
    pages = f"all {len(of_pages):,} {'compared' if are_all else 'served'} pages"
    files = len(group) - len(of_pages)
    which = f"{pages} and {quantity(files, 'file')}" if files else pages
    first = next((each for each in of_pages if not each.of_text), of_pages[0])
    yield replace(first, url=base, about=f"{which}, such as {first.about}", urls=len(group))
    if first.title_change is not None:
        yield from (
            replace(each, about=f"{path_of(each.url)}: {each.of_text}", title_change=None)
            for each in of_pages
            if each.of_text
        )


def _key(found: Found) -> tuple[object, ...]:
    """Return what differences with one cause have in common."""
    target: object = None
    if found.difference is Difference.CANONICAL:
        target = host_of(found.served or "")
    elif found.difference is Difference.REDIRECT:
        target = origin_url(found.served or "")
    elif found.difference is Difference.CONTENT:
        target = found.title_change
    return found.difference, found.cause, found.run, target, found.status


def _other_site(outcomes: Mapping[BuiltUrl, Outcome], found: Sequence[Found], base: str, pages: int) -> Found | None:
    """Return that nothing of the directory is served, if pages with content are served in its place."""
    if pages < FEW or any(outcome.is_equal for outcome in outcomes.values()):
        return None
    of_pages = [each for each in found if each.kind is ServedKind.PAGE and each.difference is not Difference.NOT_BUILT]
    content = [each for each in of_pages if each.difference is Difference.CONTENT]
    kinds = {each.difference for each in of_pages} - {Difference.CANONICAL, Difference.DIRECTIVES}
    is_other = bool(content) and kinds <= {Difference.CONTENT, Difference.MISSING}
    is_built = (each.has_built_title or each.has_built_text or each.cause is DeployCause.OLD_BUILD for each in of_pages)
    if not is_other or any(is_built):
        return None
    title = content[0].served or ""
    about = (
        f"none of {pages:,} compared pages has the title or the text that was built; "
        f"{path_of(content[0].url)} has the title {title!r}"
    )
    urls = len({each.url for each in found if each.difference is not Difference.NOT_BUILT})
    return Found(url=base, file=base, kind=ServedKind.PAGE, difference=Difference.OTHER_SITE, about=about, urls=urls)


def _old_build(found: Sequence[Found], base: str, compared: int) -> list[Found] | None:
    """Return the differences with one for the old build that is served, if one explains all pages that differ.

    What that build had and the directory has not is served for the same reason.
    """
    old = [each for each in found if each.run is not None]
    urls = {each.url for each in old}
    others = [each for each in found if each.run is None and each.cause is not DeployCause.LEFT_OVER]
    is_all = not any(each.difference is Difference.CONTENT for each in others)
    if len(urls) < 2 or len({each.run for each in old}) != 1 or not is_all:
        return None
    first = next((each for each in old if each.difference is Difference.CONTENT), old[0])
    name = first.about.rpartition("; this is ")[2]
    which = "all" if len(urls) == compared else f"{len(urls):,} of"
    about = f"{which} {compared:,} compared URLs match {name}, such as {path_of(first.url)}"
    if not others and len(urls) < compared:
        rest = quantity(compared - len(urls), "other is", "others are")
        about += f"; the {rest} as built, and may not have changed since"
    return [replace(first, url=base, file=base, kind=ServedKind.PAGE, about=about, urls=len(urls)), *others]


def not_compared(reasons: Iterable[tuple[str, str]]) -> tuple[NotCompared, ...]:
    """Return what was not compared by reason, the most frequent first.

    Args:
        reasons: Reason and URL of each.
    """
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for reason, url in reasons:
        counts[reason] += 1
        examples.setdefault(reason, url)
    return tuple(NotCompared(reason, count, examples[reason]) for reason, count in counts.most_common())
