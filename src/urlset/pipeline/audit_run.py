"""The run of an audit: a new one, or the last one of the store that did not come to its end."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from urlset.errors import UsageError
from urlset.masking import MASK, same_targets, shown_target
from urlset.options.judging import AgentOptions, JudgingOptions, ProfileOptions
from urlset.options.probing import ProbingOptions
from urlset.options.recorded import recorded, restored
from urlset.pipeline.ruleset import rules_of
from urlset.store.rules_run import settings_of
from urlset.store.run import Run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.model.run import RunRow
    from urlset.options.auditing import AuditOptions
    from urlset.store.file import Store


RECORDED = (ProbingOptions, ProfileOptions, AgentOptions, JudgingOptions)
"""The groups of options that a run keeps."""

PAGE_SELECTION = ("pages", "images", "method", "ask_forbidden", "include", "exclude", "sample", "max_pages")
"""What a resumed run takes from the interrupted one: which pages are requested, and how."""


def begun(
    store: Store, targets: Sequence[str], options: AuditOptions, rules: Mapping[str, object]
) -> tuple[Run, tuple[str, ...], AuditOptions]:
    """Begin a run, or take up the last one that did not come to its end.

    Args:
        store: The store, open for writing.
        targets: What the user gave; may be empty to resume a run.
        options: What the user asked for.
        rules: What is kept of the rules of a new run.

    Returns:
        The run, its targets, and its options: a resumed run keeps to what it began with.

    Raises:
        UsageError: There is nothing to audit, or no run to resume on these targets.
    """
    if not options.resume:
        if not targets:
            raise UsageError("no target given; use urlset audit ORIGIN|TARGET…")
        return Run.begin(store, targets, {**_settings(options), **rules}), tuple(targets), options
    open_runs = [run for run in store.runs() if run.finished_at is None]
    if not open_runs:
        raise UsageError(f"{options.store}: no unfinished run to resume; start one with `urlset audit ORIGIN`")
    last = open_runs[-1]
    return Run(store, last.run_id), _given_again(last, targets), _as_begun(options, json.loads(last.settings))


def _given_again(last: RunRow, targets: Sequence[str]) -> tuple[str, ...]:
    """Return the targets of a resumed run. Passwords in them were not kept, so they have to be given again.

    Raises:
        UsageError: They were not, or the run is on other targets.
    """
    is_masked = any(MASK in target for target in last.targets)
    if is_masked and (not targets or same_targets(targets, last.targets)):
        if tuple(map(shown_target, targets)) != last.targets or any(MASK in target for target in targets):
            raise UsageError(
                f"run {last.run_id} is on {', '.join(last.targets)}; give the target with its password again"
            )
        return tuple(targets)
    if targets and tuple(map(shown_target, targets)) != last.targets:
        raise UsageError(
            f"run {last.run_id} is on {', '.join(last.targets)}; give the same targets to resume it"
            + ("" if is_masked else ", or none")
        )
    return last.targets


def _settings(options: AuditOptions) -> dict[str, object]:
    """Return which options are kept of a run, without secrets."""
    return recorded(options, RECORDED)


def kept_rules(options: AuditOptions) -> dict[str, object]:
    """Return what is kept of the rules that can find something in this audit; nothing for a resumed run.

    Raises:
        UsageError: A prefix of rule codes is unknown.
        ConfigError: A rule of the user's own is wrong.
    """
    if options.resume:
        return {}
    rules = rules_of(options, options.now or datetime.now(UTC), pages=options.pages or options.images)
    return settings_of(options, rules, pages=options.pages, images=options.images)


def _as_begun(options: AuditOptions, kept: Mapping[str, Any]) -> AuditOptions:
    """Return the options of a resumed run: it requests what it began to request, whatever is asked for now."""
    selection = {name: kept[name] for name in PAGE_SELECTION if name in kept}
    return restored(options, (ProbingOptions,), selection)
