"""Phrases and lines that several reports share."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.model.ranking import rank_rules
from urlset.model.reference import setting_value
from urlset.net.origin import origin_url
from urlset.options.storing import is_unnamed_store
from urlset.rules.queries import REPORTED_BY
from urlset.rules.rule import Severity
from urlset.rules.setting_kinds import setting_kinds
from urlset.tables import SERVED
from urlset.text.safe import safe
from urlset.text.sizes import enumeration, inflect, quantity
from urlset.web.indexability import PageReason
from urlset.web.systems import KINDS_OF_REASON, settings_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from urlset.model.audit import AuditResult
    from urlset.model.document import SkippedFile
    from urlset.model.host_redirects import HostRedirects
    from urlset.model.page_list import NotIndexable
    from urlset.model.ranking import RankedRule
    from urlset.model.report import Report, ReportSummary, SeverityCount
    from urlset.rules.rule import Rule
    from urlset.web.systems import SeenSystem, SettingKind

MAX_SKIPPED = 5
"""Maximum skipped files to name."""


def occurrences(number: int) -> str:
    """Return how often a rule is broken: `1 occurrence`, `1,204 occurrences`."""
    return quantity(number, "occurrence")


def severity_count(severity: Severity, count: SeverityCount) -> tuple[str, str]:
    """Return the number of findings, and of what they are made up: `3 warnings` and ` (2 rules, 9 places)`.

    Reports have a heading for each rule, and a finding is what is wrong with one document.
    """
    parts = [quantity(count.rules, "rule")] if count.rules < count.findings else []
    parts += [quantity(count.places, "place")] if count.places > count.findings else []
    noun = "info" if severity is Severity.INFO else severity.value
    return quantity(count.findings, noun), f" ({', '.join(parts)})" if parts else ""


def severity_counts(summary: ReportSummary) -> list[str]:
    """Return the numbers of findings of each severity that has any."""
    tallies = summary.tallies.items()
    return ["".join(severity_count(severity, tally)) for severity, tally in tallies if tally.findings]


def places_not_shown(rule: Rule, shown: int, total: int, noun: str = "", *, how: str = "") -> str:
    """Return that a report shows fewer places of a rule than there are: `and 19 more`; empty if it shows all.

    A difference of a deployment that pages share is one place to show, and no option shows more: `20 URLs in all`.

    Args:
        how: The options that show all: `and 19 more; -v shows all`.
    """
    if total <= shown:
        return ""
    if rule.table == SERVED.name:
        return f"{quantity(total, 'URL')} in all"
    more = quantity(total - shown, f"more {noun}") if noun else f"{total - shown:,} more"
    return f"and {more}; {how} shows all" if how else f"and {more}"


def checked_words(report: Report) -> str:
    """Return what was checked: `2 documents (300 URLs)`."""
    if report.compared is not None:
        return quantity(report.compared, "compared URL")
    return f"{quantity(report.summary.documents, 'document')} ({quantity(report.summary.urls, 'URL')})"


def causes_line(violation: RankedRule, names: Sequence[str]) -> str:
    """Return how many places of a rule other findings cause, and of which rules; empty if they cause none.

    Args:
        names: What to call the rules of `violation.because_of`.
    """
    if not violation.because_of:
        return ""
    what = "caused" if violation.is_effect else f"{violation.caused:,} of {quantity(violation.places, 'place')} caused"
    return f"{what} by {enumeration(names)}: fix that first"


def them(number: int) -> str:
    """Return the pronoun for a number of things: `it` or `them`."""
    return inflect(number, "it", "them")


def skipped_line(skipped: Sequence[SkippedFile]) -> str:
    """Return a sentence on the files in directories that are not sitemaps, naming the first few."""
    names = [f"{safe(Path(target.target).name)} ({safe(target.kind)})" for target in skipped[:MAX_SKIPPED]]
    if len(skipped) > len(names):
        names.append(f"and {len(skipped) - len(names):,} more")
    files = quantity(len(skipped), "file that is not a sitemap", "files that are not sitemaps")
    return f"Skipped {files}: {', '.join(names)}."


def stored_run_line(audited: AuditResult) -> str | None:
    """Return where the run is stored and how to view it; None if it is not stored."""
    if audited.store is None:
        return None
    store = "" if is_unnamed_store(audited.store) else f" {audited.store}"
    return (
        f"Saved as run {audited.run_id} in {audited.store}. Open it in a browser with `urlset report{store} --open`; "
        f"list all runs with `urlset history{store}`."
    )


def pages_command(store: Path) -> str:
    """Return the command that lists the pages of a store that cannot be indexed."""
    return "urlset pages" if is_unnamed_store(store) else f"urlset pages {safe(str(store))}"


def redirects_in_numbers(file: HostRedirects, show: Callable[[str], str]) -> str:
    """Return how many redirects a file of a host declares, and how many of them have no effect.

    Args:
        show: Makes the text of others safe for where it is shown.
    """
    host = "an unknown host" if file.host is None else show(file.host)
    text = f"{quantity(len(file.redirects), 'redirect')} of {host}"
    for effect, how in (("no", "without effect"), ("unknown", "with an unknown effect")):
        if count := len(file.having(effect)):
            text += f", {count:,} {how}"
    return text


def instant(at: datetime) -> str:
    """Return an instant in UTC, without a time of midnight: `2026-01-02`, `2026-01-02 03:04:05 UTC`."""
    if (at.hour, at.minute, at.second, at.microsecond) == (0, 0, 0, 0):
        return at.date().isoformat()
    return at.replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds" if at.microsecond else "seconds") + " UTC"


def shown_score(score: float) -> str:
    """Return a score or a part of it, from 0 to 1, as text: `1.00`, `0.95`, `0.125`."""
    return f"{score:.2f}" if round(score, 2) == round(score, 4) else f"{score:.3f}"


def limit_name(stopped_by: str) -> str:
    """Return what to call the budget that stopped a run."""
    return {"bytes": "traffic", "pages": "page"}.get(stopped_by, stopped_by)


def setting_text(value: object) -> str:
    """Return a value as text: `true`, `1,000`, `a, b`, `none`."""
    plain = setting_value(value)
    if plain is None or plain in ([], {}):
        return "none"
    if isinstance(plain, bool):
        return str(plain).lower()
    if isinstance(plain, list):
        return ", ".join(map(str, plain))
    if isinstance(plain, dict):
        return ", ".join(f"{key} = {setting_text(item)}" for key, item in plain.items())
    return f"{plain:,}" if isinstance(plain, int) else str(plain)


def rules_told_by(report: Report, counts: Mapping[str, int]) -> set[str]:
    """Return the codes of rules that report nothing but pages with a reason.

    Of a page that redirects, they may report more, which the rule on the redirect causes.

    Args:
        counts: The number of pages by the reason why they are not indexable, which are shown as well.
    """
    shown: Counter[str] = Counter()
    for reason, codes in REPORTED_BY.items():
        shown.update(dict.fromkeys(codes, counts.get(reason, 0)))
    return {
        violation.rule.code
        for violation in rank_rules(report)
        if shown[violation.rule.code]
        and violation.places - sum(cause.places for cause in violation.because_of if shown[cause.rule.code])
        <= shown[violation.rule.code]
    }


def counted_above(violation: RankedRule, pages: NotIndexable) -> str:
    """Return how many of the pages that a rule reports are counted with its reason, for a rule that reports more.

    It is empty for a rule of no reason, and of a reason that several rules report, since pages count with either.
    """
    counts = [pages.counts.get(reason, 0) for reason, codes in REPORTED_BY.items() if codes == (violation.rule.code,)]
    count = sum(counts)
    if not count or count >= violation.places - violation.caused:
        return ""
    return f"{count:,} of these {violation.places:,} pages {inflect(count, 'is', 'are')} counted above"


def settings_of_rule(violation: RankedRule, report: Report, pages: NotIndexable) -> list[str]:
    """Return where to change what a rule is about on the sites of its findings, a line each."""
    kinds = setting_kinds(violation.rule)
    if not kinds or not pages.systems:
        return []
    origins = {origin_url(report.document_url(finding.document_id)) for finding in violation.findings}
    return setting_lines(kinds, [system.name for system in pages.systems if system.origin in origins])


def setting_lines(kinds: Iterable[SettingKind], names: Sequence[str]) -> list[str]:
    """Return where to change settings on a site made with these systems: `noindex in Webflow: …`."""
    return [f"{kind.words} in {name}: {setting.where}" for kind in kinds for name, setting in settings_for(kind, names)]


def settings_of(pages: NotIndexable, reason: str) -> list[str]:
    """Return where to change what keeps the pages with a reason from being indexed, a line each."""
    origins = {origin_url(page.url) for page in pages.pages if page.reason == reason}
    return settings_of_reason(reason, [system.name for system in pages.systems if system.origin in origins])


def settings_of_reason(reason: str, names: Sequence[str]) -> list[str]:
    """Return where to change what a reason depends on, on a site made with these systems, a line each."""
    return setting_lines(KINDS_OF_REASON.get(PageReason(reason), ()), names)


def made_with(systems: Iterable[SeenSystem]) -> str:
    """Return what the site is made with, and what shows it, in a sentence without a period.

    Pages of several sites can show a system, which is named once.
    """
    evidence: dict[str, str] = {}
    for system in systems:
        evidence.setdefault(system.name, system.evidence)
    return f"Made with {enumeration([f'{name} (shown by {shown})' for name, shown in evidence.items()])}"
