"""What a rule is: a frozen value that the engine runs and the report explains. It holds no code of its own.

A rule module defines `RULE` and nothing else; its docstring is the rule's published page. The module is called
`<code in lower case>_<what>.py` and lives in the folder of its family; the registry finds it there.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from enum import StrEnum
from string import Formatter


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


class Scope(StrEnum):
    """What a rule looks at, and so how the engine runs it."""

    ENTRY = "entry"
    """A predicate on the rows of one table; all of a table's entry rules run in one scan."""
    SET = "set"
    """A query across rows or documents."""
    ANOMALY = "anomaly"
    """Anomalies of given kinds, which the reader noticed."""


class Span(StrEnum):
    """How far a set rule looks."""

    DOCUMENT = "document"
    """Each document by itself: the query sees whole documents, but not all of them at once."""
    RUN = "run"
    """All documents of the run at once; only the columns that the rule needs are kept for it."""


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


_FIXABLE = {
    Fixable.ALWAYS: "`urlset fix` repairs it, or leaves out what cannot be repaired.",
    Fixable.SOMETIMES: "`urlset fix` repairs it where there is one right answer.",
    Fixable.NEVER: "`urlset fix` does not repair it.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    Exactly one of `where` or `traits` (entry scope), `query` (set scope) and `kinds` (anomaly scope) says what breaks
    it. `traits` and `only` also say where it cannot be broken, so that most rules cost nothing on most documents.
    """

    code: str
    """Family prefix in capitals and three digits: `LOC003`."""
    name: str
    """The fault, in lower case with hyphens: `url-too-long`."""
    severity: Severity
    scope: Scope
    sources: tuple[str, ...]
    """Where the protocol or an engine says so: URLs, or `urlset` for a rule of our own."""
    message: str
    """The fault as one sentence without a full stop, true of every example."""
    example: str
    """Template for one example. `{value}`, and any column of the table or query, may stand in it."""
    fix: str
    """What to do, as a sentence in the imperative."""
    table: str
    """Entry scope: the table whose rows `where` is asked of. Set scope: the table that `ordinal` counts in."""
    field: str | None = None
    """The column at fault; its place is where an example points to, if the table has one for it."""
    value: str | None = None
    """SQL for the value shown; the field if None."""
    detail: str | None = None
    """SQL for what `{detail}` in `example` stands for: words that depend on the row; entry and anomaly scope."""
    where: str | None = None
    """Entry scope: SQL predicate, true of a row that breaks the rule. Anomaly scope: narrows `kinds`, optional."""
    traits: tuple[str, ...] = ()
    """Traits of entries of which a row must have one to break the rule: where no entry has one, no row is asked. An
    entry rule needs no `where` when the trait is all that it asks for."""
    only: str | None = None
    """SQL predicate on the rows of `only_of`, true where the rule may be broken: where it is true of no row, nothing
    is asked. It saves time and changes no finding."""
    only_of: str = "documents"
    """The table that `only` is asked of: `documents`, or a small one that the rule's SQL needs anyway. A rule that
    reads tables which the engine makes names the first of them here: they are not made for rules that do not."""
    query: str | None = None
    """Set scope: SQL for one row per breach: document_id, ordinal, line, col, url, value and what `example` names."""
    kinds: tuple[str, ...] = ()
    """Anomaly scope: the kinds of anomaly that break the rule."""
    silences: tuple[str, ...] = ()
    """Anomaly scope: beginnings of the codes of rules whose findings follow from it. They are not reported of a
    document in which it is broken outside of fields. No other rule is applied to an entry in which it is broken."""
    span: Span = Span.DOCUMENT
    """Set scope: how far it looks."""
    needs: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    """Set scope with span RUN: table -> the columns that the query reads."""
    check_effect: CheckEffect = CheckEffect.NONE
    lifecycle: Lifecycle = Lifecycle.STABLE
    profile: str | None = None
    """The one profile that it runs under, unless its whole code is selected; None for a rule that runs under all."""
    requires: str | None = None
    """The field that has to be required (`config.RequiredField`) for it to run, unless its whole code is selected."""
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
    def looks_at_pages(self) -> bool:
        """Whether it goes by what listed pages answer, and so has nothing to look at where none is asked."""
        return not {"pages", "media"}.isdisjoint((self.table, *self.needs))

    @property
    def standing(self) -> str:
        """Since when it is there and whether it runs by default, in sentences."""
        since = f"Since urlset {self.since}."
        if self.lifecycle is Lifecycle.PREVIEW:
            since += " In preview: it runs with `--preview`, or when its whole code is selected."
        elif self.profile is not None:
            since += f" It runs with `--profile {self.profile}`, or when its whole code is selected."
        if self.requires is not None:
            since += f" It runs with `--require {self.requires}`, or when its whole code is selected."
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
