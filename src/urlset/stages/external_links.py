"""Request the URLs outside of a site to which its pages link, and store the results in `external_links`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from urlset.links.external_links import MAX_PER_HOST, MAX_URLS, external_links
from urlset.net.origin import origin_of
from urlset.options.probing import ProbeMethod
from urlset.probe.facts import ProbeTarget
from urlset.probe.prober import Prober, one_after_another
from urlset.store.site_files import RESPONSE
from urlset.tables import EXTERNAL_LINKS
from urlset.text.progress import ProgressEvent
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.errors import Unreadable
    from urlset.options.probing import ProbingOptions
    from urlset.stages.session import Session
    from urlset.store.run import Run

RATE = 1.0
"""Maximum requests per second to the host of a link: a site has no say over the servers that it links to."""

_REASONS = {
    "robots": "robots.txt of the host disallows it",
    "private": "a page may not refer to private addresses; add --allow-private to request them",
}


class CheckedLinks(NamedTuple):
    """What was left out, as sentences, and URLs without a result because of an internal error."""

    notes: tuple[str, ...] = ()
    failures: tuple[Unreadable, ...] = ()


NOT_CHECKED = CheckedLinks()


def check_external_links(run: Run, homes: Sequence[str], options: ProbingOptions, session: Session) -> CheckedLinks:
    """Request each external URL once: with HEAD, and with GET if the response to HEAD is an error.

    Args:
        run: The run, with the links of its pages.
    """
    external = external_links(run, homes)
    if not external.rows:
        run.commit()
        return NOT_CHECKED
    asking = replace(options, method=ProbeMethod.HEAD, links=False, crawl=False, external=False)
    waiting = (ProbeTarget(str(row["url"]), {}, origin_of(str(row["linked_from"]))) for row in external.rows)
    results: dict[str, Mapping[str, object]] = {}
    fetcher = session.others(RATE)
    prober = Prober(fetcher, asking, one_after_another(waiting))
    for batch in prober:
        results |= {str(row["url"]): {name: row.get(name) for name in RESPONSE} for row in batch}
        if session.progress is not None:
            session.progress(ProgressEvent(len(results), len(external.rows), "external links", len(results)))
    none: Mapping[str, object] = {"skipped": "limit"}
    rows = [{"number": place, **row, **results.get(str(row["url"]), none)} for place, row in enumerate(external.rows)]
    run.add_rows(EXTERNAL_LINKS.name, rows)
    run.commit()
    notes = []
    if count := external.total - len(results):
        links = quantity(count, "external URL was", "external URLs were")
        notes.append(
            f"{links} not requested, of {external.total:,}: at most {MAX_PER_HOST:,} of a host and {MAX_URLS:,} of all "
            "are, within --max-time"
        )
    for skipped, reason in _REASONS.items():
        if count := sum(row["skipped"] == skipped for row in rows):
            links = quantity(count, "external URL was", "external URLs were")
            notes.append(f"{links} not requested because {reason}")
    return CheckedLinks(tuple(notes), tuple(prober.usage.failures))
