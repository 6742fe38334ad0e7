"""Request the llms.txt files of audited sites and their links, and store the results in `llms_…`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from urlset.model.audit import LlmsCounts, LlmsSection
from urlset.net.origin import origin_of, origin_url
from urlset.probe.facts import ProbeTarget
from urlset.probe.prober import Prober, one_after_another
from urlset.sources.sitemap_links import absolute_url
from urlset.stages.site_files import may_request, request_llms
from urlset.store.site_files import (
    RESPONSE,
    described_by,
    listed_among,
    llms_sections,
    responses_among,
    twins_among,
)
from urlset.tables import LLMS_FILES, LLMS_LINKS, LLMS_PROBLEMS
from urlset.text.sizes import quantity
from urlset.web.llms_txt import ABOUT, covers
from urlset.web.markdown_twin import pages_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.errors import Unreadable
    from urlset.fetch.client import Client
    from urlset.fetch.fetcher import Fetcher
    from urlset.model.discovery import LlmsFile
    from urlset.options.probing import ProbingOptions
    from urlset.stages.site_files import LlmsAnswer
    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.web.robots_txt import Robots

MAX_FILES = 20
"""Maximum number of llms.txt files to request: one at the root of each site, and those that most pages name."""


class CheckedLlms(NamedTuple):
    """Counts, notes on what was left out, and links without a result because of an internal error."""

    counts: LlmsCounts | None = None
    notes: tuple[str, ...] = ()
    failures: tuple[Unreadable, ...] = ()


class _Place(NamedTuple):
    """The URL of an llms.txt, and the pages that name it."""

    url: str
    pages: Sequence[str]


def check_llms(
    store: Store,
    run: Run,
    homes: Sequence[str],
    robots: Sequence[tuple[int, Robots]],
    options: ProbingOptions,
    fetcher: Fetcher,
) -> CheckedLlms:
    """Check the llms.txt files of each site: their form, and their links. Nothing is requested if pages are not.

    Args:
        robots: Every requested robots.txt, with its number.
    """
    known = {
        origin_url(robots_txt.url): (number, robots_txt) for number, robots_txt in robots if robots_txt.url is not None
    }
    if not options.pages or not known:
        return CheckedLlms()
    places, left_out = _places(store, run, homes, known)
    failures: list[Unreadable] = []
    files: dict[str, LlmsFile] = {}
    for ordinal, place in enumerate(places):
        number, rules = known[origin_url(place.url)]
        is_allowed = may_request(rules, place.url, options)
        found = _request(place, fetcher) if is_allowed else None
        file = None if found is None else found.file
        if file is not None or place.pages:
            run.add_rows(LLMS_FILES.name, [_file_row(place, found, number, ordinal)])
        if file is None or file.url in files:
            continue
        files[file.url] = file
        rows = _link_rows(store, run, file, number)
        targets = {str(row["target"]): None for row in rows if row["target"] is not None}
        results: dict[str, Mapping[str, object]] = {**responses_among(store, run.run_id, targets)}
        via = origin_of(file.url)
        waiting = [ProbeTarget(target, {}, via) for target in targets if target not in results]
        prober = Prober(fetcher, options, one_after_another(waiting), {origin_url(place.url): rules})
        results |= {str(row["url"]): row for batch in prober for row in batch}
        failures += prober.usage.failures
        run.add_rows(LLMS_LINKS.name, [_with_result(row, results.get(str(row["target"]))) for row in rows])
        run.add_rows(LLMS_PROBLEMS.name, _problem_rows(file, number))
    run.commit()
    notes = [] if not left_out else [f"{quantity(left_out, 'llms.txt')} beyond the first {MAX_FILES} not requested"]
    return CheckedLlms(_counts(store, run, files), tuple(notes), tuple(failures))


def _places(
    store: Store, run: Run, homes: Sequence[str], known: Mapping[str, tuple[int, Robots]]
) -> tuple[list[_Place], int]:
    """Return where to look for an llms.txt, and how many more there are."""
    named = dict(described_by(store, run.run_id))
    urls = [f"{origin_url(home)}/llms.txt" for home in homes]
    # A directory below a path has its llms.txt there.
    urls += [url for home in homes if (url := absolute_url(home, "llms.txt")) is not None]
    urls += named
    urls = [url for url in dict.fromkeys(urls) if origin_url(url) in known]
    return [_Place(url, named.get(url, ())) for url in urls[:MAX_FILES]], max(0, len(urls) - MAX_FILES)


def _request(place: _Place, fetcher: Fetcher) -> LlmsAnswer:
    via = origin_of(place.pages[0]) if place.pages else None

    async def request(client: Client) -> LlmsAnswer:
        return await request_llms(client, place.url, via)

    return fetcher.run(request)


def _file_row(place: _Place, found: LlmsAnswer | None, document_id: int, ordinal: int) -> dict[str, Any]:
    outside = [page for page in place.pages if not covers(place.url, page)]
    row: dict[str, Any] = {
        "document_id": document_id,
        "ordinal": ordinal,
        "url": place.url,
        "declared_by": place.pages[0] if place.pages else None,
        "declarations": len(place.pages),
        "uncovered": len(outside),
        "uncovered_page": outside[0] if outside else None,
    }
    if found is None:
        return row | {"skipped": "robots"}
    answer, file = found.answer, found.file
    row |= {
        "status": answer.status,
        "error_kind": answer.error_kind,
        "error": answer.reason,
        "final_url": answer.final_url,
        "is_html": found.is_html,
    }
    return row if file is None else row | {"links": len(file.text.links), "is_cut": file.text.is_cut}


def _counts(store: Store, run: Run, files: Mapping[str, LlmsFile]) -> LlmsCounts | None:
    if not files:
        return None
    links = sum(len(file.text.links) for file in files.values())
    if any(file.text.is_cut for file in files.values()):
        return LlmsCounts(len(files), links, None)
    return LlmsCounts(len(files), links, tuple(LlmsSection(*each) for each in llms_sections(store, run.run_id)))


def _problem_rows(file: LlmsFile, document_id: int) -> list[dict[str, object]]:
    return [
        {
            "document_id": document_id,
            "ordinal": number,
            "url": file.url,
            "line": fault.line,
            "problem": fault.problem.value,
            "about": ABOUT[fault.problem],
            "evidence": fault.evidence,
        }
        for number, fault in enumerate(file.text.faults)
    ]


def _link_rows(store: Store, run: Run, file: LlmsFile, document_id: int) -> list[dict[str, object]]:
    targets = [_target(file.url, link.target) for link in file.text.links]
    known = {target for target in targets if target is not None}
    of_twin, of_page = twins_among(store, run.run_id, known)
    # A twin is the page in another form, whether the page declares it or its name says so.
    pages = {target: (*filter(None, [of_twin.get(target)]), *pages_of(target), target) for target in known}
    listed = listed_among(store, run.run_id, {url for each in pages.values() for url in each})
    rows: list[dict[str, object]] = []
    for number, (link, target) in enumerate(zip(file.text.links, targets, strict=True)):
        page = None if target is None else next((url for url in pages[target] if url in listed), None)
        rows.append(
            {
                "document_id": document_id,
                "ordinal": number,
                "url": file.url,
                "line": link.line,
                "section": link.section,
                "written": link.target,
                "target": target,
                "is_internal": target is not None and origin_url(target) == origin_url(file.url),
                "is_listed": page is not None,
                "page": page,
                "twin": None if target is None else of_page.get(target),
            }
        )
    return rows


def _target(base: str, written: str) -> str | None:
    url = absolute_url(base, written) if written else None
    return None if url is None else url.partition("#")[0]


def _with_result(row: dict[str, object], result: Mapping[str, object] | None) -> dict[str, object]:
    if row["target"] is None:
        return row
    if result is None:
        return row | {"skipped": "limit"}
    return row | {name: result.get(name) for name in RESPONSE}
