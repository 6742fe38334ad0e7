"""`ignore`: add an entry to the baseline that covers all findings of a rule until a date."""

from __future__ import annotations

from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.errors import UsageError
from urlset.model.reference import IgnoredRule
from urlset.options.ignoring import ALL_DOCUMENTS
from urlset.rules.registry import unknown_rule
from urlset.sources import is_url
from urlset.stages.baseline import KnownFinding, in_order, is_pattern, lock, read, write
from urlset.stages.ruleset import rules_in_force

if TYPE_CHECKING:
    from datetime import date

    from urlset.options.ignoring import IgnoreOptions
    from urlset.options.resolve import ResolvedOptions
    from urlset.options.verbs import ValidateOptions
    from urlset.rules.rule import Rule

STANDARD_INPUT = "<stdin>"
"""The name of standard input in reports."""


def ignore(
    options: IgnoreOptions, baseline: Path, configuration: ResolvedOptions[ValidateOptions], today: date
) -> IgnoredRule:
    """Add an entry to the baseline, or replace that of the same rule and document. A missing baseline is created.

    Raises:
        UsageError: The rule or the document does not exist, or the date is not in the future.
        ConfigError: The baseline cannot be read, or the configuration is invalid.
        OutputError: The baseline cannot be written.
    """
    rule = _rule(options.code, configuration)
    if options.until <= today:
        raise UsageError(f"the date must be after today ({today}), not {options.until}")
    document = _document(options.document, baseline)
    entry = KnownFinding(rule.code, document, None, (), options.reason.strip(), options.until)
    with lock(baseline):
        entries = read(baseline) if baseline.exists() else []
        others = [other for other in entries if not (other.covers_all and other.key == entry.key)]
        write(baseline, in_order([*others, entry]))
    replaced = next((other for other in entries if other.covers_all and other.key == entry.key), None)
    return IgnoredRule(
        code=rule.code,
        name=rule.name,
        document=document,
        reason=options.reason.strip(),
        until=options.until,
        baseline=baseline,
        entries=len(others) + 1,
        replaced_until=replaced.expires if replaced is not None else None,
    )


def _rule(code: str, configuration: ResolvedOptions[ValidateOptions]) -> Rule:
    rules = rules_in_force(configuration)
    written = code.strip().upper()
    for rule in rules:
        if rule.code == written:
            return rule
    raise unknown_rule(code, rules)


def _document(written: str, baseline: Path) -> str:
    """Return a document as the baseline names it: a URL, or a path relative to the directory of the baseline."""
    if written == "-":
        return STANDARD_INPUT
    if written in (ALL_DOCUMENTS, STANDARD_INPUT) or is_url(written):
        return written
    path = Path(written)
    if path.is_dir():
        pattern = (path / "*").as_posix()
        raise UsageError(f"{written}: is a directory; to ignore the rule in all documents in it, write '{pattern}'")
    if not path.exists() and is_pattern(written):
        if "/" not in path.as_posix():
            return written
    elif not path.exists():
        raise UsageError(f"{written}: no such file; to match documents by their name, write '*{path.name}'")
    try:
        return Path(relpath(path.resolve(), baseline.resolve().parent)).as_posix()
    except ValueError:  # Another drive has no relative path.
        return path.resolve().as_posix()
