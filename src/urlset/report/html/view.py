"""Prepare the values that the page shows: findings by rule, what to fix first, the document tree, and tables.

Everything that grows with the site is limited here, and the page states what was omitted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cache
from http import HTTPStatus
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from urlset.model.document import was_read
from urlset.model.finding import Example
from urlset.model.ranking import FIRST, CausedPlaces, rank_rules
from urlset.report.words import settings_of_rule, shown_score
from urlset.rules import explanation, registry
from urlset.rules.rule import Severity
from urlset.text.safe import safe
from urlset.text.sizes import quantity
from urlset.web.indexability import PageReason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.model.audit import AgentAccess
    from urlset.model.document import Row
    from urlset.model.finding import Finding
    from urlset.model.page_list import NotIndexable
    from urlset.model.report import Report
    from urlset.model.report_page import Page
    from urlset.rules.rule import Rule

MAX_PLACES = 20_000
"""Maximum rows in the table of places."""

MAX_DOCUMENTS = 5_000
"""Maximum rows in the table of documents."""

MAX_NODES = 500
"""Maximum documents in the tree."""

MAX_CHILDREN = 25
"""Maximum children of a document in the tree."""

MAX_EXAMPLES = 10
"""Maximum examples per rule."""

MAX_URLS = 3
"""Maximum URLs of an item under "What to fix first"."""


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """All findings of a rule, with paragraphs on what it checks, why a violation matters, and how to fix it.

    Attributes:
        rule: The rule, with its severity in this run.
        places: Number of places that break it.
        documents: Number of documents with such places.
        examples: Some of the places, from as many documents as possible, each with its document.
        reason: Why it has its place in the order (`urlset.model.ranking`).
        because_of: The rules that cause places of it, each with their number.
        is_effect: Whether these rules cause all of its places.
        settings: Where to change what the rule is about, on the sites of the findings.
    """

    rule: Rule
    places: int
    documents: int
    examples: Sequence[tuple[str, Example]]
    what: Sequence[str]
    why: Sequence[str]
    fix: Sequence[str]
    reason: str = ""
    because_of: Sequence[CausedPlaces] = ()
    is_effect: bool = False
    settings: Sequence[str] = ()

    @property
    def only(self) -> tuple[str, Example] | None:
        """The place, with its document, if there is only one and it is known."""
        return self.examples[0] if self.places == len(self.examples) == 1 else None

    @property
    def urls(self) -> Sequence[str]:
        """The URLs of the examples, or their documents if they have none, each once."""
        return list(dict.fromkeys(example.url or document for document, example in self.examples))


def by_rule(report: Report, pages: NotIndexable | None = None) -> list[RuleGroup]:
    """Return the findings by rule, in the order in which to fix them.

    Args:
        pages: The pages that are not indexable, with the systems that the sites are made with.
    """
    return [
        replace(
            _group(
                violation.rule,
                violation.places,
                len(violation.findings),
                _some_of_each(report, violation.findings),
            ),
            reason=violation.reason,
            because_of=violation.because_of,
            is_effect=violation.is_effect,
            settings=() if pages is None else settings_of_rule(violation, report, pages),
        )
        for violation in rank_rules(report)
    ]


def by_rule_of(checks: Iterable[Mapping[str, object]]) -> list[RuleGroup]:
    """Return the rules that the checks' evidence refers to, in the form of `by_rule`."""
    by_code: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for check in checks:
        for step in _steps(check):
            for item in step["evidence"]:
                if item["rule"] is not None:
                    by_code[item["rule"]].append(item)
    return _rank(
        _group(
            registry.rule(code),
            sum(item["count"] or 1 for item in evidence),
            len({item["url"] for item in evidence}),
            [
                (item["url"] or "", Example(None, item["line"], None, None, None, None, item["message"]))
                for item in evidence[:MAX_EXAMPLES]
            ],
        )
        for code, evidence in by_code.items()
    )


def _group(rule: Rule, places: int, documents: int, examples: Sequence[tuple[str, Example]]) -> RuleGroup:
    sections = explanation.sections(rule)
    what, why = sections.get(explanation.WHAT, f"{rule.message}."), sections.get(explanation.WHY, "")
    fix = sections.get(explanation.FIX, rule.fix)
    return RuleGroup(rule, places, documents, examples, _paragraphs(what), _paragraphs(why), _paragraphs(fix))


def _rank(groups: Iterable[RuleGroup]) -> list[RuleGroup]:
    return sorted(groups, key=lambda group: (group.rule.severity.rank, -group.places, group.rule.code))


def _some_of_each(report: Report, findings: Sequence[Finding]) -> list[tuple[str, Example]]:
    """Return the first example of each document, then the second, up to `MAX_EXAMPLES`."""
    rounds = zip_longest(
        *([(report.document_url(finding.document_id), example) for example in finding.examples] for finding in findings)
    )
    examples = [example for batch in rounds for example in batch if example is not None]
    return examples[:MAX_EXAMPLES]


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph)


@dataclass(frozen=True, slots=True)
class TopFix:
    """One item to fix first.

    Attributes:
        do: How to fix it.
        gain: What the fix achieves.
        kind: error, warning, or info; for a step of a check, fail or warn.
        target: ID of the element with the details.
        more: Number of places besides `urls`.
        settings: Where to change what it is about.
    """

    title: str
    do: str
    gain: str
    kind: str
    target: str
    urls: Sequence[str] = ()
    more: int = 0
    settings: Sequence[str] = ()


def to_fix_first(page: Page, groups: Sequence[RuleGroup]) -> list[TopFix]:
    """Return what to fix first: rules by rank, without those that others cause; then steps by what they can add."""
    steps: list[tuple[float, TopFix]] = []
    loss_of: dict[str, float] = {}
    for check in page.checks:
        for step in _steps(check):
            loss = step["weight"] - step["score"]
            if not loss or step["status"] == "not-run":
                continue
            codes = [item["rule"] for item in step["evidence"] if item["rule"] and item["effect"] != "none"]
            for code in codes:
                loss_of[code] = loss_of.get(code, 0) + loss
            after = sum(other["weight"] for other in _steps(check) if other["status"] == "not-run")
            gain = f"Raises the score by {shown_score(loss)}" + (
                f"; another {shown_score(after)} can then be earned" if after else ""
            )
            worst = next((item["message"] for item in step["evidence"] if item["effect"] == step["status"]), "")
            do = registry.rule(codes[0]).fix if codes else ""
            site = f"{check['origin']}: " if len(page.checks) > 1 else ""
            steps.append((loss + after, TopFix(f"{site}{step['title']}: {worst}", do, gain, step["status"], "score")))
    of_score = [first for _, first in sorted(steps, key=lambda pair: -pair[0])]
    # A check has no report, only steps.
    if page.report is None:
        return of_score[:FIRST]
    tasks = []
    for group in groups:
        rule = group.rule
        if rule.severity not in (Severity.ERROR, Severity.WARNING) or group.is_effect:
            continue
        gain = group.reason or f"found in {quantity(group.places, 'place')}"
        gain = gain[:1].upper() + gain[1:]
        if rule.code in loss_of:
            gain += f"; the fix raises the score by up to {shown_score(loss_of[rule.code])}"
        urls = group.urls[:MAX_URLS]
        more = max(0, group.places - len(urls))
        title, target = f"{rule.code} {rule.message}", f"rule-{rule.code}"
        tasks.append(TopFix(title, rule.fix, gain, rule.severity.value, target, urls, more, group.settings))
    return [*tasks, *of_score][:FIRST]


def score_gist(checks: Sequence[Mapping[str, Any]]) -> str:
    """Return the score of a site, or of how many sites there are."""
    if len(checks) > 1:
        return quantity(len(checks), "site")
    [check] = checks
    words = {"pass": "passed", "warn": "passed with warnings", "fail": "failed"}[check["status"]]
    return f"{shown_score(check['score'])} of 1 for its sitemaps: {words}"


def check_gist(check: Mapping[str, Any]) -> str:
    """Return the result of a check in a sentence: its score, and how many of its steps passed."""
    ran = [step for step in _steps(check) if step["status"] != "not-run"]
    passed = sum(step["status"] == "pass" for step in ran)
    steps = f"{passed} of {quantity(len(_steps(check)), 'step')} passed"
    return f"The score of the sitemaps is {shown_score(check['score'])} of 1; {steps}."


_ACCESS = (
    ("may fetch every listed URL", "all"),
    ("may fetch part of the listed URLs", "part"),
    ("may fetch no listed URL", "none"),
)
"""The phrase for what a crawler may fetch: for the first crawler, and for the next ones."""


def access_gist(agents: Sequence[AgentAccess]) -> str:
    """Return how many crawlers may fetch all, part, or none of the listed URLs."""
    counts = Counter(0 if not access.blocked else 2 if access.blocked == access.urls else 1 for access in agents)
    shares = [f"{counts[kind]} {_ACCESS[kind][bool(number)]}" for number, kind in enumerate(sorted(counts))]
    return f"{quantity(len(agents), 'crawler')}: {', '.join(shares)}"


def _steps(check: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    steps: Sequence[Mapping[str, object]] = check["steps"]
    return steps


@dataclass(frozen=True, slots=True)
class OverallResult:
    """The overall result: its color and a sentence."""

    kind: str
    sentence: str


def verdict_of(page: Page) -> OverallResult:
    """Return the verdict, based on the findings, or on the scores if there are no findings."""
    summary = None if page.report is None else page.report.summary
    if page.report is not None and page.report.unreadable and summary is not None and not summary.documents:
        return OverallResult("fail", "Nothing could be read")
    if summary is not None and summary.errors:
        places = summary.tallies[Severity.ERROR].places
        where = f" in {quantity(places, 'place')}" if places > summary.errors else ""
        return OverallResult("fail", f"{quantity(summary.errors, 'error')}{where}")
    statuses = {check["status"] for check in page.checks}
    if "fail" in statuses:
        return OverallResult("fail", "The check fails" if len(page.checks) == 1 else "A check fails")
    if summary is not None and summary.warnings:
        return OverallResult("warn", f"No errors, {quantity(summary.warnings, 'warning')}")
    if "warn" in statuses:
        return OverallResult("warn", "The check passes with warnings")
    return OverallResult("pass", "No errors or warnings" if summary is not None else "The check passes")


@dataclass(slots=True)
class Node:
    """A document in the tree.

    Attributes:
        row: Its row of `documents`.
        errors: Number of places with errors.
        warnings: Number of places with warnings.
        children: Documents that it lists, up to `MAX_CHILDREN`.
        more: Number of further documents that it lists.
    """

    row: Row
    errors: int
    warnings: int
    children: list[Node] = field(default_factory=list)
    more: int = 0


def tree_of(report: Report) -> list[Node]:
    """Return the root documents, which no other document lists, each with its children."""
    counts = places_of_documents(report)
    below: dict[object, list[Row]] = defaultdict(list)
    numbers = {row["document_id"] for row in report.documents}
    for row in in_order(report.documents):
        parent = row.get("parent_id")
        below[parent if parent in numbers and parent != row["document_id"] else None].append(row)
    budget = MAX_NODES

    def nodes(parent: object, ancestors: frozenset[object]) -> tuple[list[Node], int]:
        nonlocal budget
        rows = [row for row in below[parent] if row["document_id"] not in ancestors]
        first_rows = rows[: min(MAX_CHILDREN if parent is not None else MAX_NODES, budget)]
        budget -= len(first_rows)
        branches = []
        for row in first_rows:
            count = counts[row["document_id"]]
            node = Node(row, count[Severity.ERROR], count[Severity.WARNING])
            node.children, node.more = nodes(row["document_id"], ancestors | {row["document_id"]})
            branches.append(node)
        return branches, len(rows) - len(first_rows)

    tree, _ = nodes(None, frozenset())
    return tree


def places_of_documents(report: Report) -> Mapping[object, Counter[Severity]]:
    """Return the number of places per severity for each document number."""
    counts: dict[object, Counter[Severity]] = defaultdict(Counter)
    for finding in report.findings:
        counts[finding.document_id][finding.severity] += finding.count
    return counts


def places_table(report: Report) -> dict[str, object]:
    """Return the data of the table of places.

    Each row has the index in `rules`, the index in `documents`, the line, the URL, and the message.
    """
    rules: dict[str, tuple[int, Rule]] = {}
    documents: dict[int, int] = {}
    rows = []
    total = sum(finding.count for finding in report.findings)
    for finding, examples in _cap_examples(report.findings):
        rule = rules.setdefault(finding.rule.code, (len(rules), finding.rule))[0]
        document = documents.setdefault(finding.document_id, len(documents))
        rows += [[rule, document, example.line, _text(example.url), _text(example.message)] for example in examples]
        if not finding.examples:
            rows.append([rule, document, None, None, finding.rule.message])
    return {
        "rules": [[rule.code, rule.name, rule.severity.value] for _, rule in rules.values()],
        "documents": [safe(report.document_url(number)) for number in documents],
        "rows": rows,
        "total": total,
    }


def _cap_examples(findings: Sequence[Finding]) -> Iterator[tuple[Finding, Sequence[Example]]]:
    """Yield each finding with as many examples as `MAX_PLACES` allows, the same maximum for every finding."""
    sizes = [max(1, len(finding.examples)) for finding in findings]
    maximum = max(sizes, default=0)
    while maximum > 1 and sum(min(size, maximum) for size in sizes) > MAX_PLACES:
        maximum -= 1
    for finding in findings[:MAX_PLACES]:
        yield finding, finding.examples[:maximum]


def pages_table(verdicts: NotIndexable) -> dict[str, object]:
    """Return the data of the table of pages that are not indexable.

    Each row has the index in `reasons`, the URL, what the page has, the index in `documents`, and the line.
    """
    reasons = list(verdicts.counts)
    documents: dict[str, int] = {}
    rows = [
        [
            reasons.index(str(page.reason)),
            safe(page.url),
            _text(page.value),
            documents.setdefault(page.document, len(documents)),
            page.line,
        ]
        for page in verdicts.pages
    ]
    return {
        "reasons": [
            [reason, one.words, one.value_name, one.is_known, one.fix]
            for reason in reasons
            for one in (PageReason(reason),)
        ],
        "documents": list(map(safe, documents)),
        "rows": rows,
        "total": verdicts.total,
    }


def documents_table(report: Report) -> dict[str, object]:
    """Return the data of the table of documents; if there are too many, those with most findings and URLs.

    Each row has the URL, kind, entries, size in bytes, newest lastmod, places with errors, places with warnings, and
    the status of the fetch.
    """
    counts = places_of_documents(report)

    def weight(row: Row) -> tuple[int, int, int]:
        count = counts[row["document_id"]]
        return (-count[Severity.ERROR], -count[Severity.WARNING], -int(str(row.get("entries") or 0)))

    rows = in_order(report.documents)
    if len(rows) > MAX_DOCUMENTS:
        rows = sorted(rows, key=weight)[:MAX_DOCUMENTS]
    return {
        "rows": [
            [
                safe(str(row["url"])),
                row.get("kind") or "not read",
                row.get("entries"),
                row.get("bytes"),
                None if row.get("lastmod_newest") is None else str(row["lastmod_newest"])[:10],
                counts[row["document_id"]][Severity.ERROR],
                counts[row["document_id"]][Severity.WARNING],
                fetch_status(row),
            ]
            for row in rows
        ],
        "total": len(report.documents),
    }


def in_order(documents: Sequence[Row]) -> list[Row]:
    """Return the documents by number, because the order in which they were read differs from run to run."""
    return sorted(documents, key=lambda row: int(str(row["document_id"])))


def fetch_status(row: Row) -> str:
    """Return the HTTP status of a document, or the error that prevented reading it."""
    if row.get("error_kind") is not None:
        return safe(str(row["error_kind"]))
    if row.get("http_status") is not None:
        return str(row["http_status"])
    return "read" if was_read(row) else "not read"


def responses(statuses: Mapping[str, int]) -> list[tuple[str, int, str]]:
    """Return statuses with their reason phrase, count, and color: `404 Not Found`, 12, `warn`."""
    rows = []
    for status, count in statuses.items():
        kind, name = "fail", status
        if status.isdecimal():
            kind = {"2": "pass", "3": "info", "4": "warn"}.get(status[0], "fail")
            name = f"{status} {_phrases().get(int(status), '')}".rstrip()
        rows.append((name, count, kind))
    return rows


@cache
def _phrases() -> Mapping[int, str]:
    return {status.value: status.phrase for status in HTTPStatus}


def urls_of(page: Page, groups: Sequence[RuleGroup]) -> Iterator[str]:
    """Yield URLs that the page shows: of its documents, of pages that are not indexable, and of examples."""
    if page.report is not None:
        yield from (str(row["url"]) for row in page.report.documents)
    if page.not_indexable is not None:
        yield from (verdict.url for verdict in page.not_indexable.pages)
    for group in groups:
        yield from group.urls


def _text(value: str | None) -> str | None:
    return None if value is None else safe(value)
