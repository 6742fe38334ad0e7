"""Say once what one cause explains: an old build, another site, or a difference that all pages share."""

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
    from collections.abc import Iterable, Mapping, Sequence

    from urlset.deployment.built_urls import BuiltUrl
    from urlset.deployment.comparer import Outcome

FEW = 3
"""Pages from which a difference that all of them share is one difference."""


def summarized(outcomes: Mapping[BuiltUrl, Outcome], found: Sequence[Found], base: str) -> list[Found]:
    """Return the differences, with one in place of those that have one cause.

    Args:
        outcomes: The outcome for each URL.
        found: What differs, with the earlier builds as causes.
        base: The URL of the site.
    """
    compared = [url for url, outcome in outcomes.items() if outcome.unknown is None]
    pages = [url for url in compared if url.kind is ServedKind.PAGE]
    if (other := _other_site(outcomes, found, base, len(pages))) is not None:
        return [other]
    if (old := _old_build(found, base, len(compared))) is not None:
        return [old]
    groups: dict[tuple[object, ...], list[Found]] = {}
    for each in found:
        groups.setdefault(_key(each), []).append(each)
    result = []
    for group in groups.values():
        of_pages = [each for each in group if each.kind is ServedKind.PAGE]
        if len(of_pages) == len(pages) >= FEW and group[0].difference is not Difference.NOT_BUILT:
            what = "URLs" if len(of_pages) < len(group) else "pages"
            about = f"all pages, {len(group):,} compared {what}, such as {of_pages[0].about}"
            result.append(replace(of_pages[0], url=base, about=about, urls=len(group)))
        else:
            result += group
    return result


def _key(found: Found) -> tuple[object, ...]:
    """Return what differences with one cause have in common."""
    target: object = None
    if found.difference is Difference.CANONICAL:
        target = host_of(found.served or "")
    elif found.difference is Difference.REDIRECT:
        target = origin_url(found.served or "")
    return found.difference, found.cause, found.run, target, found.status


def _other_site(outcomes: Mapping[BuiltUrl, Outcome], found: Sequence[Found], base: str, pages: int) -> Found | None:
    """Return that nothing of the directory is served, if pages with content are served in its place."""
    if pages < FEW or any(outcome.is_equal for outcome in outcomes.values()):
        return None
    of_pages = [each for each in found if each.kind is ServedKind.PAGE and each.difference is not Difference.NOT_BUILT]
    content = [each for each in of_pages if each.difference is Difference.CONTENT]
    kinds = {each.difference for each in of_pages} - {Difference.CANONICAL, Difference.DIRECTIVES}
    is_other = bool(content) and kinds <= {Difference.CONTENT, Difference.MISSING}
    if not is_other or any(each.has_built_title or each.cause is DeployCause.OLD_BUILD for each in of_pages):
        return None
    title = content[0].served or ""
    about = (
        f"none of {pages:,} compared pages has the title or the text that was built; "
        f"{path_of(content[0].url)} has the title {title!r}"
    )
    urls = len({each.url for each in found})
    return Found(url=base, file=base, kind=ServedKind.PAGE, difference=Difference.OTHER_SITE, about=about, urls=urls)


def _old_build(found: Sequence[Found], base: str, compared: int) -> Found | None:
    """Return that an old build is served, if that explains everything that differs, and more than one URL."""
    differing = [each for each in found if each.difference is not Difference.NOT_BUILT]
    urls = {each.url for each in differing}
    runs = {each.run for each in differing}
    if len(urls) < 2 or len(runs) != 1 or None in runs:
        return None
    first = next((each for each in differing if each.difference is Difference.CONTENT), differing[0])
    name = first.about.rpartition("; this is ")[2]
    if len(urls) == compared:
        about = f"all {compared:,} compared URLs are those of {name}, such as {path_of(first.url)}"
    else:
        rest = quantity(compared - len(urls), "other is", "others are")
        about = f"{len(urls):,} of {compared:,} compared URLs are those of {name}, such as {path_of(first.url)}"
        about += f"; the {rest} as built, and may not have changed since"
    return replace(first, url=base, file=base, kind=ServedKind.PAGE, about=about, urls=len(urls))


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
