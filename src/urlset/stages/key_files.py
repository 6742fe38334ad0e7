"""Request the IndexNow key files that audited sites declare, and store the results in `key_files`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from urlset.indexnow.keys import KeyFileFault, KeyFileProblem, authority, key_in, published_key_file
from urlset.net.origin import origin_of, origin_url
from urlset.stages.site_files import may_request
from urlset.tables import KEY_FILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.model.discovery import KeyHint
    from urlset.options.probing import ProbingOptions
    from urlset.store.run import Run
    from urlset.web.robots_txt import Robots


def check_key_files(
    run: Run,
    keys: Sequence[KeyHint],
    robots: Sequence[tuple[int, Robots]],
    options: ProbingOptions,
    fetcher: Fetcher,
) -> None:
    """Request each declared key file once, and store the results; nothing is requested if no site declares one.

    Args:
        robots: Every requested robots.txt, with its number.
    """
    if not keys:
        return
    by_origin = {
        origin_url(robots_txt.url): (number, robots_txt) for number, robots_txt in robots if robots_txt.url is not None
    }
    run.add_rows(KEY_FILES.name, list(_rows(keys, by_origin, fetcher, options)))
    run.commit()


def _rows(
    keys: Sequence[KeyHint], robots: Mapping[str, tuple[int, Robots]], fetcher: Fetcher, options: ProbingOptions
) -> Iterator[dict[str, object]]:
    contents: dict[str, bytes | KeyFileFault] = {}
    declared = {authority(hint.page): hint.key for hint in reversed(keys) if hint.key is not None}
    ordinals: Counter[int] = Counter()
    for hint in keys:
        document_id, rules = robots.get(origin_url(hint.page), (0, None))
        fault = _unusable(hint)
        is_blocked = False
        if fault is None and hint.url is not None:
            is_blocked = rules is not None and not may_request(rules, hint.url, options)
            if not is_blocked and hint.url not in contents:
                contents[hint.url] = published_key_file(hint.url, fetcher, origin_of(hint.page))
            if not is_blocked:
                fault = _fault(contents[hint.url], hint.key or declared.get(authority(hint.page)))
        yield {
            "document_id": document_id,
            "ordinal": ordinals[document_id],
            "line": hint.line,
            "col": hint.column,
            "declared_by": hint.way.value,
            "page": hint.page,
            "written": hint.written,
            "key": hint.key,
            "url": hint.url,
            "skipped": "robots" if is_blocked else None,
            "problem": None if fault is None else fault.problem.value,
            "reason": None if fault is None else fault.reason,
        }
        ordinals[document_id] += 1


def _unusable(hint: KeyHint) -> KeyFileFault | None:
    """Return why a declared key file is not requested."""
    if hint.url is None:
        return KeyFileFault(KeyFileProblem.NOT_URL, "is not an http(s) URL")
    if authority(hint.url) != authority(hint.page):
        return KeyFileFault(KeyFileProblem.OTHER_HOST, f"is not on {authority(hint.page)}, whose key it should hold")
    return None


def _fault(content: bytes | KeyFileFault, key: str | None) -> KeyFileFault | None:
    """Return what is wrong with a key file; `key` is the key that it should hold, if known."""
    if isinstance(content, KeyFileFault):
        return content
    other = key_in(content)
    if other is None:
        return KeyFileFault(KeyFileProblem.NOT_A_KEY, "does not hold a key alone")
    if key is not None and other != key:
        return KeyFileFault(KeyFileProblem.OTHER_KEY, f"holds {other}, not {key}")
    return None
