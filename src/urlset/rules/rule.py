"""The definition of a rule: frozen data, without code, that the engine runs and the report explains.

A rule module defines only `RULE`. Its docstring explains the rule, `RULE` contains everything else, and
`rules.explanation` builds the published page from both, so each fact is written once. The module is named
`<code in lowercase>_<what>.py` and is in the folder of its family, where the registry finds it.
"""

from __future__ import annotations

import re
from enum import StrEnum
from string import Formatter
from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta, Struct

from urlset.tables import PAGES, TABLES

# The patterns are for JSON Schemas alone: every run decodes all rules.
KebabCase: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"})]
"""Name of a rule or an anomaly."""

RuleCode: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[A-Z]+[0-9]{3}$"})]
"""Code of a rule."""


class Severity(StrEnum):
    """How serious a finding is. Reports use the order of the members."""

    ERROR = "error"
    """Violates the protocol; a search engine may drop the file or the entry."""
    WARNING = "warning"
    """Valid, but harmful or ignored."""
    INFO = "info"
    """Worth knowing."""
    HINT = "hint"
    """A matter of style; fails a run only with `--fail-on hint`."""

    @property
    def rank(self) -> int:
        """Place in the order of reports: 0 for errors."""
        return _SEVERITIES.index(self)

    def is_at_least(self, least: str) -> bool:
        """Return whether this severity is `least` or a more serious one."""
        return self.rank <= Severity(least).rank


_SEVERITIES = list(Severity)


class Consequence(StrEnum):
    """What a violation leads to. Reports use the order of the members (`urlset.model.ranking`)."""

    FILE = "file"
    """Search engines may not be able to read the file, or reject it, with all of its URLs."""
    ENTRIES = "entries"
    """They may drop the entry: its URL is lost."""
    PAGES = "pages"
    """They cannot index the page at its listed URL."""
    SIGNALS = "signals"
    """They are misled, or ignore what the entry says."""
    NOTES = "notes"
    """Nothing that is lost: worth knowing."""


class RuleScope(StrEnum):
    """How much data a set rule sees at once."""

    DOCUMENT = "document"
    """Whole documents, but not all of the run at once: each document is checked separately."""
    RUN = "run"
    """All documents of the run at once; only the columns that its query names are kept for it."""


class CheckStep(StrEnum):
    """The steps of the scored check that findings decide."""

    PARSE = "parse"
    FIELD_QUALITY = "field-quality"
    SCOPE = "scope"


class CheckEffect(StrEnum):
    """The effect of a finding on the scored check (specification `sitemap` 1.0.0)."""

    FAIL = "fail"
    WARN = "warn"
    NONE = "none"


class Lifecycle(StrEnum):
    """The lifecycle stage of a rule. Codes are never reused."""

    PREVIEW = "preview"
    """Runs only with `--preview` or if its full code is selected, because it is not yet proven on many sites."""
    STABLE = "stable"
    DEPRECATED = "deprecated"
    REMOVED = "removed"


class Fixable(StrEnum):
    """Whether `urlset fix` fixes violations of a rule in a sitemap or sitemap index. It does not modify feeds."""

    ALWAYS = "always"
    """Fixes every violation or removes what it cannot fix: the result has no finding of the rule."""
    SOMETIMES = "sometimes"
    """Fixes a violation if there is exactly one correct result, and leaves the others unchanged."""
    NEVER = "never"
    """Only a person can decide what is correct."""


_SOURCE = re.compile(r"\b(?:from|join)\s+([a-z_]+)", re.IGNORECASE)
"""The name of a table that a query reads, or of one of its subqueries."""

_OF_PAGES = frozenset(name for name, table in TABLES.items() if table.source == "pages")
"""The tables that have rows only if listed pages are fetched."""

_CONSEQUENCES = {
    **{(family, Severity.ERROR): Consequence.FILE for family in ("FET", "ROB", "ENC", "XML", "STR", "LIM", "IDX")},
    **{("SIT", severity): Consequence.FILE for severity in (Severity.ERROR, Severity.WARNING)},
    **{(family, Severity.ERROR): Consequence.ENTRIES for family in ("LOC", "TXT", "FED", "COV")},
    **{
        (family, severity): Consequence.PAGES
        for family in ("PGE", "DEP")
        for severity in (Severity.ERROR, Severity.WARNING)
    },
}
"""What violations of the rules of a family lead to; of the others, `SIGNALS`."""

_FIXABLE = {
    Fixable.ALWAYS: "`urlset fix` fixes it, or removes what it cannot fix.",
    Fixable.SOMETIMES: "`urlset fix` fixes it if there is exactly one correct result.",
    Fixable.NEVER: "`urlset fix` does not fix it.",
}


class Cause(Struct, frozen=True):
    """A rule whose violations cause some of another rule's: repairing such a place ends the other finding there."""

    code: RuleCode
    """The rule that reports the cause."""
    where: str
    """SQL predicate on a violating row (for a set rule, on a row of its query), true where that rule is the cause."""


class RuleInfo(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """The fields that all rules share. The subclasses define what violates a rule.

    `message`, `example`, `fix`, `advice`, and `detail` are templates: a limit such as `{max_url_length:,}` is replaced
    with its value in the run (`rules.templates`).
    """

    kind: ClassVar[str]
    """What the rule checks: `entry`, `set`, or `anomaly`."""

    code: Annotated[RuleCode, Meta(description="Family prefix in uppercase and three digits: `LOC003`. Never reused.")]
    name: Annotated[KebabCase, Meta(description="The problem in kebab case: `url-too-long`.")]
    severity: Annotated[Severity, Meta(description="How serious its findings are, in this run.")]
    sources: Annotated[
        tuple[str, ...],
        Meta(
            description="Where the protocol or a search engine documents it: URLs, or `urlset` for a rule without such "
            "a source."
        ),
    ]
    message: Annotated[
        str, Meta(description="The problem as one sentence without a full stop, true for every example.")
    ]
    example: str
    """Template for one example. May contain `{value}` and any column of the table or query."""
    fix: Annotated[
        str,
        Meta(description="What to do, as an imperative sentence, in Markdown without links. Every report shows it."),
    ]
    table: str
    """The table whose rows violate the rule."""
    effect: str = ""
    """Who does what because of it, as a template for a number of places: `search engines ignore {places:date|dates}`.
    Required if a violation leads to `SIGNALS`; replaces the words for other consequences."""
    advice: str = ""
    """Further help, in Markdown. The page shows it after `fix`; reports do not."""
    field: str | None = None
    """The column with the problem. An example points to its position, if the table has one for it."""
    needs: tuple[str, ...] = ()
    """Traits (`rules.traits`) without each of which it cannot be violated; `a|b` is either of two. It is skipped if the
    documents and the run lack one, which saves time and does not change the findings. Every row that violates an entry
    rule on entries has those of them that are traits of entries."""
    check_step: CheckStep | None = None
    """The step of the scored check that its findings are evidence of; None for a rule that says nothing about it."""
    check_effect: Annotated[CheckEffect, Meta(description="The effect of its findings on that step.")] = (
        CheckEffect.NONE
    )
    causes: tuple[Cause, ...] = ()
    """The rules that cause some of its violations; the first one that applies to a row counts."""
    leads_to: Consequence | None = None
    """What a violation leads to, if not what its family does (`consequence`)."""
    lifecycle: Lifecycle = Lifecycle.STABLE
    profile: str | None = None
    """The only profile that runs it, unless its full code is selected; None for a rule that all profiles run."""
    requires: tuple[str, ...] = ()
    """Options (fields of `config.ValidateOptions`) without which the rule has nothing to check and does not run."""
    needs_server: bool = False
    """Whether only responses of a server show what it is about, so that it has nothing to check on built pages."""
    runs_without_rows: bool = False
    """Whether it has something to check even if the tables that it reads have no rows, because the command that fills
    them (`Table.filled_by`) did not run."""
    of_verified: bool = False
    """Whether it is about crawlers whose addresses were checked, so that it has nothing to check without them."""
    required_field: str | None = None
    """The field that the option `require` must contain for the rule to run, unless its full code is selected."""
    fixable: Annotated[Fixable, Meta(description="Whether `urlset fix` fixes it.")] = Fixable.NEVER
    quiet: bool = False
    """Whether its hints say nothing new of most sites: reports for people show them only with `--verbose` or
    `--fail-on hint`, or if its full code is selected, and count only what they show."""
    since: Annotated[str, Meta(description="The release that added it.")] = "0.1.0"
    checks: tuple[str, ...] = ()
    """IDs in the catalog of checks that it covers (`D04`)."""

    @property
    def family(self) -> str:
        """The letters of the code, such as `LOC`."""
        return self.code.rstrip("0123456789")

    @property
    def consequence(self) -> Consequence:
        """What a violation leads to: a finding of lower severity than a warning is only worth knowing."""
        if self.severity in (Severity.INFO, Severity.HINT):
            return Consequence.NOTES
        if self.leads_to is not None:
            return self.leads_to
        return _CONSEQUENCES.get((self.family, self.severity), Consequence.SIGNALS)

    @property
    def tables(self) -> frozenset[str]:
        """The tables that it reads."""
        return frozenset({self.table})

    @property
    def spans_run(self) -> bool:
        """Whether it sees all documents of the run at once."""
        return False

    @property
    def needs_pages(self) -> bool:
        """Whether it depends on responses from listed pages, so that it has nothing to check if none are fetched."""
        return not _OF_PAGES.isdisjoint(self.tables)

    @property
    def needs_logs(self) -> bool:
        """Whether it depends on access logs."""
        return TABLES[self.table].source == "logs"

    @property
    def needs_coverage(self) -> bool:
        """Whether it depends on the reports of search engines, so that only `urlset coverage` runs it."""
        return TABLES[self.table].source == "reports"

    @property
    def needs_deployment(self) -> bool:
        """Whether it depends on a comparison of a directory with its site: only `urlset deploy-check` runs it."""
        return TABLES[self.table].source == "deployment"

    @property
    def is_quiet(self) -> bool:
        """Whether reports for people leave out its findings; see `quiet`."""
        return self.quiet and self.severity is Severity.HINT

    @property
    def standing(self) -> str:
        """When it was added, whether it runs by default, and whether it is fixable, as sentences."""
        since = f"Since urlset {self.since}."
        if self.lifecycle is Lifecycle.PREVIEW:
            since += " In preview: runs with `--preview`, or if its full code is selected."
        elif self.profile is not None:
            since += f" Runs with `--profile {self.profile}`, or if its full code is selected."
        if self.required_field is not None:
            option, key = f"`--require {self.required_field}`", f'`require = ["{self.required_field}"]`'
            since += f" Runs with {option} ({key} in the configuration), or if its full code is selected."
        if filled_by := self.filled_by:
            since += f" Runs with {filled_by}."
        if self.quiet:
            since += " Shown with `--verbose` or `--fail-on hint`, or if its full code is selected."
        return f"{since} {_FIXABLE[self.fixable]}"

    @property
    def filled_by(self) -> str:
        """The command without which it has nothing to check, in words; empty if reading sitemaps is enough."""
        if self.runs_without_rows:
            return ""
        return TABLES[self.table].filled_by or (PAGES.filled_by if self.needs_pages else "")

    @property
    def example_names(self) -> tuple[str, ...]:
        """The names in the example template, in order, without duplicates."""
        names = (name for _, name, _, _ in Formatter().parse(self.example) if name)
        return tuple(dict.fromkeys(names))


class EntryRule(RuleInfo, kw_only=True, frozen=True, tag="entry"):
    """A rule on single rows of one table. All such rules of a table run in one scan.

    A row violates the rule if it has one of `traits` and meets `where`; one of the two may be missing.
    """

    kind: ClassVar[str] = "entry"

    where: str | None = None
    """SQL predicate, true for a row that violates the rule."""
    traits: tuple[str, ...] = ()
    """Entry traits, one of which a row must have to violate the rule."""
    field_of: str | None = None
    """SQL for the name of the column with the problem, in place of `field`, for a rule on several columns."""
    value: str | None = None
    """SQL for the value to show; the field if None."""
    check_where: str | None = None
    """SQL predicate that the scored check adds to `where`, because its specification considers other rows valid."""
    detail: str | None = None
    """SQL for `{detail}` in `example`: text that depends on the row."""
    ends_with_page: bool = False
    """Whether it suspects that there is no page at the URL: an audit that finds one does not report it. Only for rules
    on `urls` whose `needs` are traits of entries."""


class AnomalyRule(RuleInfo, kw_only=True, frozen=True, tag="anomaly"):
    """A rule on anomalies that the reader reported."""

    kind: ClassVar[str] = "anomaly"

    table: str = "anomalies"
    kinds: tuple[str, ...]
    """The kinds of anomaly that violate the rule."""
    where: str | None = None
    """Optional SQL predicate that restricts `kinds`."""
    silences: tuple[str, ...] = ()
    """Code prefixes of rules whose findings are consequences of this one. They are not reported for a document that
    violates this rule outside of fields. No other rule applies to an entry that violates it."""
    value: str | None = "evidence"
    """SQL for the value to show."""
    detail: str | None = None
    """SQL for `{detail}` in `example`: text that depends on the row."""


class SetRule(RuleInfo, kw_only=True, frozen=True, tag="set"):
    """A rule across rows or documents, as a query. `ordinal` refers to `table`."""

    kind: ClassVar[str] = "set"

    query: str
    """SQL for one row per violation: document_id, ordinal, line, col, url, value, and the names in `example`."""
    scope: RuleScope = RuleScope.DOCUMENT
    """How much data its query sees at once."""
    reads: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """For a rule on the run, the tables that its query reads, each with the columns that are kept for it; written by
    `scripts/make_rules.py`. Empty if nothing is known about the query, as of a user-defined rule."""

    @property
    def tables(self) -> frozenset[str]:
        """The tables that it reads: `table` and those in its query."""
        return frozenset({self.table, *(name.lower() for name in _SOURCE.findall(self.query))})

    @property
    def needs_pages(self) -> bool:
        """Whether it depends on responses from listed pages, so that it has nothing to check if none are fetched."""
        # The rest runs for every rule in every run, and most queries contain neither word.
        if self.runs_without_rows:
            return False
        may = self.table in _OF_PAGES or any(name in self.query for name in _OF_PAGES)
        return may and not _OF_PAGES.isdisjoint(self.tables)

    @property
    def spans_run(self) -> bool:
        """Whether it sees all documents of the run at once."""
        return self.scope is RuleScope.RUN


Rule: TypeAlias = EntryRule | AnomalyRule | SetRule
"""Any rule; `RuleInfo` has the fields that all share."""
