"""The run of an audit: a new one, or the last one of the store that did not come to its end."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from urlset.config import MASK, ProbeMethod, same_targets, shown_target
from urlset.errors import MisuseError
from urlset.pipeline.ruleset import rules_of
from urlset.store.rules_run import settings_of
from urlset.store.run import Run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.config import AuditOptions
    from urlset.model.run import RunRow
    from urlset.store.file import Store


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
        MisuseError: There is nothing to audit, or no run to resume on these targets.
    """
    if not options.resume:
        if not targets:
            raise MisuseError("what to audit: urlset audit ORIGIN|TARGET…")
        return Run.begin(store, targets, {**_settings(options), **rules}), tuple(targets), options
    open_runs = [run for run in store.runs() if run.finished_at is None]
    if not open_runs:
        raise MisuseError(f"{options.store}: there is no run to go on with: each came to its end")
    last = open_runs[-1]
    return Run(store, last.run_id), _given_again(last, targets), _as_begun(options, json.loads(last.settings))


def _given_again(last: RunRow, targets: Sequence[str]) -> tuple[str, ...]:
    """Return the targets of a resumed run. Passwords in them were not kept, so they have to be given again.

    Raises:
        MisuseError: They were not, or the run is on other targets.
    """
    is_masked = any(MASK in target for target in last.targets)
    if is_masked and (not targets or same_targets(targets, last.targets)):
        if tuple(map(shown_target, targets)) != last.targets or any(MASK in target for target in targets):
            raise MisuseError(
                f"run {last.run_id} is on {', '.join(last.targets)}; give the target with its password again"
            )
        return tuple(targets)
    if targets and tuple(map(shown_target, targets)) != last.targets:
        raise MisuseError(
            f"run {last.run_id} is on {', '.join(last.targets)}; give the same targets to go on with it"
            + ("" if is_masked else ", or none")
        )
    return last.targets


def _settings(options: AuditOptions) -> dict[str, object]:
    """Return which options are kept of a run, without secrets."""
    return {
        "look": options.look,
        "images": options.images,
        "method": options.probe.method.value,
        "ask_forbidden": options.probe.ask_forbidden,
        "include": list(options.include),
        "exclude": list(options.exclude),
        "sample": options.sample,
        "max_pages": options.max_pages,
        "profile": options.validate.profile,
        "select": list(options.validate.select),
        "ignore": list(options.validate.ignore),
    }


def kept_rules(options: AuditOptions) -> dict[str, object]:
    """Return what is kept of the rules that can find something in this audit; nothing for a resumed run.

    Raises:
        MisuseError: A prefix of rule codes is unknown.
        ConfigError: A rule of the user's own is wrong.
    """
    if options.resume:
        return {}
    checked = options.validate
    rules = rules_of(checked, checked.now or datetime.now(UTC), pages=options.look or options.images)
    return settings_of(checked, rules, pages=options.look, images=options.images)


def _as_begun(options: AuditOptions, kept: Mapping[str, Any]) -> AuditOptions:
    """Return the options of a resumed run: it requests what it began to request, whatever is asked for now."""
    return replace(
        options,
        look=kept["look"],
        images=kept.get("images", False),
        probe=replace(options.probe, method=ProbeMethod(kept["method"]), ask_forbidden=kept["ask_forbidden"]),
        include=tuple(kept["include"]),
        exclude=tuple(kept["exclude"]),
        sample=kept["sample"],
        max_pages=kept["max_pages"],
    )
