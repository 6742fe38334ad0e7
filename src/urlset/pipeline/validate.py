"""`validate`: targets ─> seeds ─> read ─> judge."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.stages.buffered import BufferedDocument
from urlset.stages.judge import JudgePlan, judge
from urlset.stages.session import Session
from urlset.stages.unapplied import notes_on_unapplied

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from urlset.documents import DocumentReader
    from urlset.model.report import Report
    from urlset.net.trust import Trust
    from urlset.options.verbs import ValidateOptions
    from urlset.sources import Target
    from urlset.text.progress import Progress


def validate(
    targets: Sequence[Target],
    options: ValidateOptions,
    progress: Progress | None = None,
    url: str | None = None,
    trust: Trust | None = None,
) -> Report:
    """Read documents and run rules over them.

    Args:
        progress: Called after each document.
        url: The URL at which a single target is or will be published.
        trust: Trusted hosts; by default those of the targets.

    Raises:
        UsageError: A rule code prefix is unknown, or none of the selected rules has anything to check.
        ConfigError: A custom rule is invalid or fails on a value, or the schemas cannot be used.
        MissingExtraError: Schema validation requires lxml, which is not installed.
    """
    plan = JudgePlan.of(options)
    unapplied = notes_on_unapplied(options)
    buffer = validating(options)
    with (
        Session.over(targets, options, progress, trust) as session,
        session.read(targets, plan.options, buffer) as outcomes,
    ):
        report = judge(outcomes, plan, url)
    return structs.replace(report, notes=(*report.notes, *unapplied)) if unapplied else report


def validating(options: ValidateOptions) -> Callable[[DocumentReader], BufferedDocument]:
    """Return how to read a document, including schema validation if requested."""
    if options.xsd is None:
        return BufferedDocument
    from urlset.schema.libxml2 import Validator
    from urlset.schema.load import load

    validator = partial(Validator, load(options.xsd), options.max_document_bytes)
    return lambda reader: BufferedDocument(reader, validator())
