"""What a rule is: a frozen value that the engine runs and the report explains. It holds no code of its own.

A rule module defines `RULE` and nothing else. Its docstring explains the rule, `RULE` states everything else, and
`rules.explanation` assembles the published page from both, so that each fact is written once. The module is called
`<code in lower case>_<what>.py` and lives in the folder of its family; the registry finds it there.
"""

from __future__ import annotations

import re
from enum import StrEnum
from string import Formatter
from typing import ClassVar, TypeAlias

from msgspec import Struct


class Severity(StrEnum):
    """How bad it is. The order of the members is the order of the report."""

    ERROR = "error"
    """The protocol is broken; an engine may drop the file or the entry."""
    WARNING = "warning"
    """Accepted, but harmful or ignored."""
    INFO = "info"
    """Worth knowing."""
    HINT = "hint"
    """A matter of taste; fails a run only with `--fail-on hint`."""


class RuleScope(StrEnum):
    """How much a rule on sets of rows sees at once."""

    DOCUMENT = "document"
    """Whole documents, but not all of the run at once: each document is judged by itself."""
    RUN = "run"
    """All documents of the run at once; only the columns that its query names are kept for it."""


class CheckStep(StrEnum):
    """The step of the scored check that a finding belongs to: those of its steps that rules decide."""

    PARSE = "parse"
    FIELD_QUALITY = "field-quality"
    SCOPE = "scope"


class CheckEffect(StrEnum):
    """What a finding does to the scored check (specification `sitemap` 1.0.0)."""

    FAIL = "fail"
    WARN = "warn"
    NONE = "none"


class Lifecycle(StrEnum):
    """Where a rule is in its life. Codes are never reused."""

    PREVIEW = "preview"
    """Not run unless asked for, by `--preview` or by its whole code: it is still to prove itself on many sites."""
    STABLE = "stable"
    DEPRECATED = "deprecated"
    REMOVED = "removed"


class Fixable(StrEnum):
    """Whether `urlset fix` settles what breaks a rule, in a sitemap or sitemap index; feeds it lets be."""

    ALWAYS = "always"
    """It is repaired, or what cannot be is left out: the result has no finding of the rule."""
    SOMETIMES = "sometimes"
    """It is repaired where it has one right answer; the rest stays as it is."""
    NEVER = "never"
    """What is right is for a person to say."""


PARAMETERS: frozenset[str] = frozenset(
    {
        "now", "max_entries", "max_bytes", "max_url_length", "max_images_per_url", "max_news_per_file", "near_limit",
        "min_page_words", "secret_parameters", "sensitive_parameters",
    }
)  # fmt: skip
"""Names that a rule's SQL may use as `$name`; the engine replaces each with the run's value as a literal. A list of
names becomes a string with the alternatives of a regular expression."""


PARAMETER_NAME = re.compile(r"[\w.-]+", re.ASCII)
"""Names of URL parameters that `secret_parameters` and `sensitive_parameters` may list."""


_SOURCE = re.compile(r"\b(?:from|join)\s+([a-z_]+)", re.IGNORECASE)
"""The name of what a query reads; names of its own subqueries among them."""

_OF_PAGES = frozenset({"pages", "media"})
"""The tables that have rows only where listed pages are fetched."""

_FIXABLE = {
    Fixable.ALWAYS: "`urlset fix` repairs it, or leaves out what cannot be repaired.",
    Fixable.SOMETIMES: "`urlset fix` repairs it where there is one right answer.",
    Fixable.NEVER: "`urlset fix` does not repair it.",
}


class RuleInfo(Struct, frozen=True, kw_only=True):
    """What every rule has, whatever it looks at; the subclasses say what breaks it.

    `message`, `example`, `fix`, `advice` and `detail` are templates: `{max_url_length:,}` stands for a limit, and is
    replaced with its value in the run (`rules.templates`).
    """

    kind: ClassVar[str]
    """What the rule looks at, in one word: `entry`, `set` or `anomaly`."""

    code: str
    """Family prefix in capitals and three digits: `LOC003`."""
    name: str
    """The fault, in lower case with hyphens: `url-too-long`."""
    severity: Severity
    sources: tuple[str, ...]
    """Where the protocol or an engine says so: URLs, or `urlset` for a rule of our own."""
    message: str
    """The fault as one sentence without a full stop, true of every example."""
    example: str
    """Template for one example. `{value}`, and any column of the table or query, may stand in it."""
    fix: str
    """What to do, as a sentence in the imperative; every report shows it. It is Markdown without links."""
    table: str
    """The table whose rows break the rule."""
    advice: str = ""
    """What else helps to fix it, as sentences: the page shows them after `fix`, reports do not. It is Markdown."""
    field: str | None = None
    """The column at fault; its place is where an example points to, if the table has one for it."""
    guard_traits: tuple[str, ...] = ()
    """Traits of entries of which one is present wherever the rule is broken: where no entry has one, nothing is asked.
    Like `only` it saves time and changes no finding."""
    only: str | None = None
    """SQL predicate on the rows of `only_of`, true where the rule may be broken: where it is true of no row, nothing
    is asked. It saves time and changes no finding."""
    only_of: str = "documents"
    """The table that `only` is asked of: `documents`, or a small one that the rule's SQL needs anyway. A rule that
    reads tables which the engine makes names the first of them here: they are not made for rules that do not."""
    check_step: CheckStep | None = None
    """The step of the scored check that its findings decide; None for a rule without an effect on the score."""
    check_effect: CheckEffect = CheckEffect.NONE
    """What its findings do to that step."""
    lifecycle: Lifecycle = Lifecycle.STABLE
    profile: str | None = None
    """The one profile that it runs under, unless its whole code is selected; None for a rule that runs under all."""
    requires: tuple[str, ...] = ()
    """Options (fields of `config.ValidateOptions`) without which the rule has nothing to check and is not run."""
    required_field: str | None = None
    """The field that the option `require` has to name for the rule to run, unless its whole code is selected."""
    fixable: Fixable = Fixable.NEVER
    """Whether `urlset fix` settles it."""
    since: str = "0.1.0"
    """The release that brought it."""
    checks: tuple[str, ...] = ()
    """Ids of the catalogue of checks that it covers (`D04`)."""

    @property
    def family(self) -> str:
        """The letters of the code: `LOC`."""
        return self.code.rstrip("0123456789")

    @property
    def tables(self) -> frozenset[str]:
        """The tables whose rows it looks at."""
        return frozenset({self.table})

    @property
    def spans_run(self) -> bool:
        """Whether it sees all documents of the run at once."""
        return False

    @property
    def looks_at_pages(self) -> bool:
        """Whether it goes by what listed pages answer, and so has nothing to look at where none is asked."""
        return not _OF_PAGES.isdisjoint(self.tables)

    @property
    def standing(self) -> str:
        """Since when it is there and whether it runs by default, in sentences."""
        since = f"Since urlset {self.since}."
        if self.lifecycle is Lifecycle.PREVIEW:
            since += " In preview: it runs with `--preview`, or when its whole code is selected."
        elif self.profile is not None:
            since += f" It runs with `--profile {self.profile}`, or when its whole code is selected."
        if self.required_field is not None:
            option, key = f"`--require {self.required_field}`", f'`require = ["{self.required_field}"]`'
            since += f" It runs with {option} ({key} in the configuration), or when its whole code is selected."
        if self.table == "media":
            since += " `urlset audit --images` runs it: it looks at the listed images and thumbnails."
        elif self.looks_at_pages:
            since += " `urlset audit` runs it: it looks at the listed pages."
        return f"{since} {_FIXABLE[self.fixable]}"

    @property
    def example_names(self) -> tuple[str, ...]:
        """The names that stand in the example template, each once, in order."""
        names = (name for _, name, _, _ in Formatter().parse(self.example) if name)
        return tuple(dict.fromkeys(names))


class EntryRule(RuleInfo, kw_only=True, frozen=True):
    """A rule on single rows of one table; all such rules of a table run in one scan.

    A row breaks it that has one of `traits` and meets `where`; one of the two may be missing.
    """

    kind: ClassVar[str] = "entry"

    where: str | None = None
    """SQL predicate, true of a row that breaks the rule."""
    traits: tuple[str, ...] = ()
    """Traits of entries that the rule looks for: a row has one of them, or it does not break the rule."""
    field_of: str | None = None
    """SQL for the name of the column at fault, in place of `field`, for a rule on several columns of one row."""
    value: str | None = None
    """SQL for the value shown; the field if None."""
    check_where: str | None = None
    """SQL predicate that the scored check adds to `where`: its specification takes other rows to be valid."""
    detail: str | None = None
    """SQL for what `{detail}` in `example` stands for: words that depend on the row."""


class AnomalyRule(RuleInfo, kw_only=True, frozen=True):
    """A rule on anomalies of given kinds, which the reader noticed."""

    kind: ClassVar[str] = "anomaly"

    table: str = "anomalies"
    kinds: tuple[str, ...]
    """The kinds of anomaly that break the rule."""
    where: str | None = None
    """SQL predicate that narrows `kinds`; optional."""
    silences: tuple[str, ...] = ()
    """Beginnings of the codes of rules whose findings follow from it. They are not reported of a document in which it
    is broken outside of fields. No other rule is applied to an entry in which it is broken."""
    value: str | None = "evidence"
    """SQL for the value shown."""
    detail: str | None = None
    """SQL for what `{detail}` in `example` stands for: words that depend on the row."""


class SetRule(RuleInfo, kw_only=True, frozen=True):
    """A rule across rows or documents: a query. `table` is the one that `ordinal` counts in."""

    kind: ClassVar[str] = "set"

    query: str
    """SQL for one row per breach: document_id, ordinal, line, col, url, value and what `example` names."""
    scope: RuleScope = RuleScope.DOCUMENT
    """How much its query sees at once."""

    @property
    def tables(self) -> frozenset[str]:
        """The tables whose rows it looks at: its own and those that its query reads."""
        return frozenset({self.table, *(name.lower() for name in _SOURCE.findall(self.query))})

    @property
    def looks_at_pages(self) -> bool:
        """Whether it goes by what listed pages answer, and so has nothing to look at where none is asked."""
        # It is asked of every rule in every run, and most queries have neither word in them.
        may = self.table in _OF_PAGES or any(name in self.query for name in _OF_PAGES)
        return may and not _OF_PAGES.isdisjoint(self.tables)

    @property
    def spans_run(self) -> bool:
        """Whether it sees all documents of the run at once."""
        return self.scope is RuleScope.RUN


Rule: TypeAlias = EntryRule | AnomalyRule | SetRule
"""Any rule; `RuleInfo` is what all of them have."""
