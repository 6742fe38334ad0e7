"""Determines which rules a stored run has applied, and so which findings can be compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import Struct, UnsetType

from urlset.errors import UsageError
from urlset.files.structured import decode_json
from urlset.rules.queries import sql_list
from urlset.rules.registry import all_rules, select
from urlset.rules.rule import Severity
from urlset.store.file import RUN_ID
from urlset.store.stored_values import run_settings
from urlset.tables import FINDINGS, LINKED, MEDIA, PAGES, RUNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from urlset.model.report import Report
    from urlset.model.run import RunRow
    from urlset.options.verbs import ValidateOptions
    from urlset.rules.rule import Rule
    from urlset.store.run import Run

RULES = "rules"
"""Setting of a run with the codes of its rules."""

_COUNTED = {"errors": Severity.ERROR, "warnings": Severity.WARNING, "infos": Severity.INFO}
"""The columns of `runs` that count findings."""

IGNORES = "per_document_ignores"
"""Setting of a run with the codes that were ignored per document."""


def codes_of(rules: Iterable[Rule], *, pages: bool, images: bool, links: bool) -> list[str]:
    """Return the codes of the rules that can have findings in a run.

    Args:
        pages: Whether pages are fetched.
        images: Whether listed images are fetched.
        links: Whether links between pages are read.
    """
    blind = {table for table, is_read in ((PAGES.name, pages), (MEDIA.name, images)) if not is_read}
    # Rules on other tables that also read `linked` have findings without it, too.
    seeing = (rule for rule in rules if links or rule.table != LINKED.name)
    return sorted(rule.code for rule in seeing if blind.isdisjoint(rule.tables))


def record_rules(run: Run, row: RunRow, rules: Mapping[str, object]) -> None:
    """Replace the record of the rules of a run that is resumed with the settings that `settings_of` returned.

    Raises:
        OutputError: The store cannot be written.
    """
    settings = json.dumps({**decode_json(row.settings, dict[str, object]), **rules}, sort_keys=True)
    with run.writing() as connection:
        connection.execute(f"UPDATE {RUNS.name} SET settings = $1 WHERE {RUN_ID} = {run.run_id:d}", [settings])


def keep_findings_since(run: Run, row: RunRow, rules: Iterable[Rule], applied: Iterable[Rule], report: Report) -> None:
    """Replace the findings of rules that are applied to a finished run, and commit them with its counts and settings.

    Args:
        rules: All such rules: their earlier findings are removed.
        applied: Those of them that were applied now.

    Raises:
        OutputError: The store cannot be written.
    """
    codes = {rule.code for rule in rules}
    settings = decode_json(row.settings, dict[str, object])
    if not isinstance(before := run_settings(row.settings).rules, UnsetType):
        settings[RULES] = sorted(before - codes | {rule.code for rule in applied})
    where = f"{RUN_ID} = {run.run_id:d}"
    with run.writing() as connection:
        connection.execute(f"DELETE FROM {FINDINGS.name} WHERE {where} AND code IN {sql_list(sorted(codes))}")
    run.add_findings(report.findings, report.document_urls)
    counts = ", ".join(
        f"{name} = (SELECT count(*) FROM {FINDINGS.name} WHERE {where} AND severity = '{severity}' AND example <= 1)"
        for name, severity in _COUNTED.items()
    )
    with run.writing() as connection:
        connection.execute(
            f"UPDATE {RUNS.name} SET {counts}, settings = $1 WHERE {where}", [json.dumps(settings, sort_keys=True)]
        )
    run.commit()


class AppliedRules(Struct, frozen=True):
    """The rules that a stored run applied.

    Attributes:
        codes: The codes of the rules; None if the urlset that created the run did not record them.
        ignores: The prefixes of codes that were ignored in documents, by glob.
    """

    codes: frozenset[str] | None = None
    ignores: frozenset[tuple[str, tuple[str, ...]]] = frozenset()

    @classmethod
    def of(cls, run: RunRow) -> AppliedRules:
        settings = run_settings(run.settings)
        ignores = frozenset((settings.per_document_ignores or {}).items())
        if not isinstance(settings.rules, UnsetType):
            return cls(settings.rules, ignores)
        if not settings.select and not settings.ignore:
            return cls(None, ignores)
        try:
            rules = select(all_rules(), settings.select or (), settings.ignore or ())
        except UsageError:  # Codes of other releases, or invalid data in the store.
            return cls(None, ignores)
        # Runs without the setting `links` are older than the rules on links.
        codes = codes_of(rules, pages=settings.pages, images=settings.images, links=settings.links)
        return cls(frozenset(codes), ignores)

    def compares(self, other: AppliedRules, code: str) -> bool:
        """Return whether both runs applied a rule in the same way."""
        prefixes = tuple(prefix for _, folders in self.ignores ^ other.ignores for prefix in folders)
        return not code.upper().startswith(prefixes) and all(
            side.codes is None or code in side.codes for side in (self, other)
        )


def settings_of(
    options: ValidateOptions, rules: Iterable[Rule], *, pages: bool, images: bool, links: bool
) -> dict[str, object]:
    """Return the settings to store about the rules of a run; `pages`, `images`, and `links` as for `codes_of`."""
    ignores = {glob: list(prefixes) for glob, prefixes in options.per_document_ignores.items()}
    return {RULES: codes_of(rules, pages=pages, images=images, links=links), IGNORES: ignores}
