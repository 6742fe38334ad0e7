"""Request the llms.txt of audited sites and its links, and store the results in `llms_problems` and `llms_links`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.net.origin import origin_of, origin_url
from urlset.probe.facts import ProbeTarget
from urlset.probe.prober import Prober, one_after_another
from urlset.sources.sitemap_links import absolute_url
from urlset.stages.site_files import find_llms, may_request
from urlset.store.site_files import RESPONSE, listed_among, responses_among
from urlset.tables import LLMS_LINKS, LLMS_PROBLEMS
from urlset.web.llms_txt import ABOUT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.errors import Unreadable
    from urlset.fetch.client import Client
    from urlset.fetch.fetcher import Fetcher
    from urlset.model.discovery import LlmsFile
    from urlset.options.auditing import AuditOptions
    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.web.robots_txt import Robots


def check_llms(
    store: Store,
    run: Run,
    homes: Sequence[str],
    robots: Sequence[tuple[int, Robots]],
    options: AuditOptions,
    fetcher: Fetcher,
) -> tuple[Unreadable, ...]:
    """Check the llms.txt of each site: its form, and its links. Nothing is requested if pages are not.

    Args:
        robots: Every requested robots.txt, with its number.

    Returns:
        Links without a result because of an internal error.
    """
    known_urls = {
        origin_url(robots_txt.url): (number, robots_txt) for number, robots_txt in robots if robots_txt.url is not None
    }
    sites = [origin for home in homes if (origin := origin_url(home)) in known_urls]
    if not options.pages or not sites:
        return ()
    failures: list[Unreadable] = []
    for origin in sites:
        number, rules = known_urls[origin]
        file = _find_llms(origin, rules, fetcher, options)
        if file is None:
            continue
        rows = _link_rows(store, run, file, number)
        targets = {str(row["target"]): None for row in rows if row["target"] is not None}
        results: dict[str, Mapping[str, object]] = {**responses_among(store, run.run_id, targets)}
        via = origin_of(file.url)
        waiting = [ProbeTarget(target, {}, via) for target in targets if target not in results]
        prober = Prober(fetcher, options, one_after_another(waiting), {origin: rules})
        results |= {str(row["url"]): row for batch in prober for row in batch}
        failures += prober.usage.failures
        run.add_rows(LLMS_LINKS.name, [_with_result(row, results.get(str(row["target"]))) for row in rows])
        run.add_rows(LLMS_PROBLEMS.name, _problem_rows(file, number))
        run.commit()
    return tuple(failures)


def _find_llms(origin: str, robots: Robots, fetcher: Fetcher, options: AuditOptions) -> LlmsFile | None:
    """Return the llms.txt of a site; None if it does not exist, or if robots.txt does not allow requesting it."""
    if not may_request(robots, f"{origin}/llms.txt", options):
        return None

    async def find(client: Client) -> LlmsFile | None:
        return await find_llms(client, origin)

    return fetcher.run(find)


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
    listed = listed_among(store, run.run_id, {target for target in targets if target is not None})
    return [
        {
            "document_id": document_id,
            "ordinal": number,
            "url": file.url,
            "line": link.line,
            "section": link.section,
            "written": link.target,
            "target": target,
            "is_internal": target is not None and origin_url(target) == origin_url(file.url),
            "is_listed": target in listed,
        }
        for number, (link, target) in enumerate(zip(file.text.links, targets, strict=True))
    ]


def _target(base: str, written: str) -> str | None:
    url = absolute_url(base, written) if written else None
    return None if url is None else url.partition("#")[0]


def _with_result(row: dict[str, object], result: Mapping[str, object] | None) -> dict[str, object]:
    if row["target"] is None:
        return row
    if result is None:
        return row | {"skipped": "limit"}
    return row | {name: result.get(name) for name in RESPONSE}
