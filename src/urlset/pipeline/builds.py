"""`diff --format pr`: two builds, each audited as its host would serve it ─> compare."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.comparison.sides import STORE_SUFFIX, store_of
from urlset.files.scratch import Scratch
from urlset.options.auditing import AuditOptions
from urlset.options.declare import options_of
from urlset.options.verbs import ValidateOptions
from urlset.pipeline.audit import audit
from urlset.pipeline.diff import diff
from urlset.stages.folder_audit import folder_site
from urlset.stages.named import trust_in_folder
from urlset.text.masking import mask_target

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.model.comparison import Comparison
    from urlset.options.comparing import DiffOptions
    from urlset.text.progress import Progress

MAX_REMOVED = 10_000
"""Number of removed URLs that are looked up in the later directory."""


def diff_builds(before: str, after: str, options: DiffOptions, progress: Progress | None = None) -> Comparison:
    """Compare two sides; a directory of pages is audited first, so that its pages are compared, too.

    Removed URLs are looked up in the later directory: whether they redirect.

    Raises:
        InputError: A side cannot be read.
        UsageError: A side is invalid, or the base URL of a directory cannot be inferred.
    """
    with Scratch() as scratch:
        sides, gaps, trust = [], [], None
        for name, target in (("before", before), ("after", after)):
            place = scratch.path / f"{name}{STORE_SUFFIX}"
            auditing = _auditing(options, place)
            site = folder_site([target], auditing) if store_of(target) is None else None
            sides.append(target if site is None else str(place))
            gaps.append(() if site is None else audit([target], auditing, progress, site=site).report.notes)
            trust = None if site is None else trust_in_folder(site)
        if trust is not None:
            options = replace(options, ask_removed=options.ask_removed or MAX_REMOVED)
        compared = diff(sides[0], sides[1], options, progress, trust)
    names = {}
    for name, target, side, notes in zip(("before", "after"), (before, after), sides, gaps, strict=True):
        named_side = getattr(compared, name)
        if side != target:
            named_side = replace(
                named_side, name=mask_target(target), run_id=None, gaps=replace(named_side.gaps, notes=tuple(notes))
            )
        names[name] = named_side
    return replace(compared, **names)


def _auditing(options: DiffOptions, store: Path) -> AuditOptions:
    shared = {option.name: getattr(options, option.name) for option in options_of(ValidateOptions)}
    shared |= {"base_url": options.base_url, "host": options.host, "robots": True}
    return AuditOptions(**shared, store=store)
