"""The judge stage: from outcomes to a report, by the rules of the run."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from urlset import _core
from urlset.model.report import Report
from urlset.net.origin import origin_url
from urlset.options.judging import JudgingOptions
from urlset.sources import is_url
from urlset.stages.document_judge import EXAMPLES_FOR_EACH_ASKED, MAX_EXAMPLES, Judge
from urlset.stages.named import page_of
from urlset.stages.ruleset import blaming_own, limits_of, rules_of, without_ignored
from urlset.stages.url_lookup import UrlLookup
from urlset.tables import SITEMAP_KINDS
from urlset.web.html_page import is_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.engine.duckdb import Engine
    from urlset.engine.memory_database import MemoryConnection
    from urlset.engine.run_views import RunViews
    from urlset.engine.silencing import Silencing
    from urlset.model.finding import Finding
    from urlset.options.judging import AdjustedRuleOptions
    from urlset.options.verbs import ValidateOptions
    from urlset.rules.rule import Rule
    from urlset.stages.outcomes import Outcome, ReadSummary


class JudgePlan(Struct, frozen=True):
    """The rules of a run, and the options to read and judge with.

    Attributes:
        chosen_rules: The rules; None for the default rules, which are imported while the first documents are read.
        pages: Whether listed pages may be fetched.
    """

    options: ValidateOptions
    now: datetime
    chosen_rules: tuple[Rule, ...] | None
    pages: bool

    @classmethod
    def of(cls, options: ValidateOptions, *, pages: bool = False) -> JudgePlan:
        """Return the plan for these options.

        Raises:
            UsageError: A rule code prefix is unknown.
            ConfigError: A custom rule is invalid.
        """
        now = options.now or datetime.now(UTC)
        if not (options.select or options.ignore or options.rule or options.severity or options.profile):
            # The default rules need no validation, so they are imported later.
            return cls(options, now, None, pages)
        return cls(options, now, rules_of(options, now, pages=pages), pages)

    def with_rules(self) -> JudgePlan:
        """Return the plan with its rules chosen, for several runs."""
        return structs.replace(self, chosen_rules=self.rules())

    @property
    def example_limit(self) -> int:
        """Total examples of a rule after which further findings of it keep only one."""
        return max(MAX_EXAMPLES, EXAMPLES_FOR_EACH_ASKED * self.options.max_examples)

    def rules(self) -> tuple[Rule, ...]:
        return rules_of(self.options, self.now, pages=self.pages) if self.chosen_rules is None else self.chosen_rules


def judge(
    outcomes: Iterable[Outcome],
    plan: JudgePlan,
    url: str | None = None,
    connection: MemoryConnection | None = None,
) -> Report:
    """Run rules over documents.

    Args:
        url: The URL at which a single document is or will be published.
        connection: A connection to an empty database in memory for the rules; None to open one. Rules from elsewhere
            have a database of their own.

    Raises:
        ConfigError: A custom rule fails on a value.
    """
    with judging(plan, url, connection) as open_judge:
        for outcome in outcomes:
            open_judge.take(outcome)
        open_judge.finish()
    return report_of(open_judge, plan.options)


@contextmanager
def judging(plan: JudgePlan, url: str | None = None, connection: MemoryConnection | None = None) -> Iterator[Judge]:
    """Open the engine, which takes as long as reading a large sitemap, and yield the judge that uses it."""
    options, rules = plan.options, plan.rules()
    with engine_of(rules, options, plan.now, connection=connection) as engine, blaming_own(options.rule):
        yield Judge(rules, engine, options.agents, UrlLookup(plan.options), url, plan.example_limit)


def engine_of(
    rules: Iterable[Rule],
    options: AdjustedRuleOptions,
    now: datetime,
    stored: RunViews | None = None,
    connection: MemoryConnection | None = None,
) -> Engine:
    """Return the engine for some rules: no other code creates one, except on Spark.

    Args:
        options: Their limits, and the limits of rules from elsewhere.
        now: The time of the check.
        stored: The tables of a stored run, whose documents are judged, without rules from elsewhere; None if documents
            are passed to the engine.
        connection: As for `judge`.
    """
    from urlset.engine.duckdb import Engine
    from urlset.engine.statements import ResourceLimits

    bounds = None
    if isinstance(options, JudgingOptions) and options.rule and stored is None:
        own = frozenset(rule.code for rule in options.rule)
        bounds = ResourceLimits(own, options.rule_time, options.rule_memory)
    return Engine(
        rules,
        {**limits_of(options), "now": now},
        options.max_examples,
        options.threads,
        required_urls=options.required_urls if isinstance(options, JudgingOptions) else (),
        bounds=bounds,
        stored=stored,
        connection=connection if bounds is None else None,
    )


def report_of(judge: Judge, options: ValidateOptions) -> Report:
    """Return the report of a judge, without findings that the configuration ignores."""
    cuts = tuple(cut for _, robots in judge.robots for cut in robots.cuts)
    read = structs.replace(judge.summary, notes=(*judge.summary.notes, *cuts))
    report = report_on(judge.documents, judge.findings, read, judge.rules, judge.engine.silencing, options)
    return report if options.xsd is None else structs.replace(report, schema=tuple(judge.verdicts))


def web_pages(documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a note on each given URL that is a web page instead of a sitemap, with the command that checks it."""
    for row in documents:
        kind, content_type = row.get("kind"), row.get("content_type")
        is_page = kind == "html" or (kind not in SITEMAP_KINDS and content_type is not None and is_html(content_type))
        if not is_page or row.get("found_by") != "given" or not is_url(url := str(row["url"])):
            continue
        page = "" if page_of(url) is None else f"; to check this page: `urlset audit {shlex.quote(url)}`"
        yield f"{url} is a web page; to check the site: `urlset audit {shlex.quote(origin_url(url) or url)}`{page}"


def report_on(
    documents: Iterable[Mapping[str, object]],
    findings: Iterable[Finding],
    read: ReadSummary,
    rules: Sequence[Rule],
    silencing: Silencing,
    options: AdjustedRuleOptions,
) -> Report:
    """Return the report of a run, without findings that the configuration ignores."""
    rows = tuple(documents)
    report = Report(
        _core.__version__,
        rows,
        tuple(findings),
        read.unreadable,
        read.skipped,
        rules=rules,
        silenced={(finding.document_id, finding.rule.code): silencing.reason for finding in silencing.findings},
        cuts=read.cuts,
        notes=(*read.notes, *silencing.notes, *web_pages(rows)),
    )
    counting = without_ignored(report.findings, report.documents, options)
    return report.without(counting, "ignored for this document by the configuration")
