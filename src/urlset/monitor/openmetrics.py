"""Renders the last round of each site as OpenMetrics, for the textfile collector of Prometheus.

https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.monitoring import AlarmKind
from urlset.text.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from urlset.model.monitoring import RoundFacts


def openmetrics(rounds: Mapping[str, tuple[datetime, RoundFacts, bool]], waiting: int) -> str:
    """Return the text.

    Args:
        rounds: When the last round of each site began, its numbers, and whether it was complete.
        waiting: Number of messages that could not be sent so far.
    """
    return "\n".join([*_lines(rounds, waiting), "# EOF", ""])


def _lines(rounds: Mapping[str, tuple[datetime, RoundFacts, bool]], waiting: int) -> Iterator[str]:
    yield from _family("round_timestamp_seconds", "When the last round began")
    for site, (at, _, _) in rounds.items():
        yield _sample("round_timestamp_seconds", at.timestamp(), site=site)
    yield from _family("round_complete", "Whether the last round ended without reaching a limit")
    for site, (_, _, is_complete) in rounds.items():
        yield _sample("round_complete", int(is_complete), site=site)
    for name, about in _NUMBERS.items():
        yield from _family(name, about)
        for site, (_, facts, _) in rounds.items():
            if (value := getattr(facts, _FIELDS.get(name, name))) is not None:
                yield _sample(name, value, site=site)
    yield from _family("findings", "Findings of the last round")
    for site, (_, facts, _) in rounds.items():
        for severity, count in facts.findings.items():
            yield _sample("findings", count, site=site, severity=severity)
    yield from _family("open_alarms", "Open alarms after the last round")
    for site, (_, facts, _) in rounds.items():
        for kind in AlarmKind:
            yield _sample("open_alarms", facts.open.get(kind.value, 0), site=site, kind=kind.value)
    yield from _family("undelivered_messages", "Messages that could not be sent so far")
    yield _sample("undelivered_messages", waiting)


_NUMBERS = {
    "round_duration_seconds": "Duration of the last round",
    "listed_urls": "Distinct listed URLs; absent if not every sitemap was read",
    "documents": "Documents read",
    "unreadable_documents": "Documents that could not be read",
    "requested_pages": "Pages requested",
    "indexable_pages": "Requested pages that are indexable at their listed URL",
}

_FIELDS = {
    "round_duration_seconds": "seconds",
    "listed_urls": "listed",
    "unreadable_documents": "unreadable",
    "requested_pages": "pages",
    "indexable_pages": "indexable",
}


def _family(name: str, about: str) -> Iterator[str]:
    yield f"# TYPE urlset_{name} gauge"
    if name.endswith("_seconds"):
        yield f"# UNIT urlset_{name} seconds"
    yield f"# HELP urlset_{name} {about}."


def _sample(name: str, value: float, **labels: str) -> str:
    pairs = ",".join(f'{key}="{_escape(text)}"' for key, text in labels.items())
    return f"urlset_{name}{{{pairs}}} {value:.10g}" if pairs else f"urlset_{name} {value:.10g}"


def _escape(text: str) -> str:
    return safe(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
