"""The run of an audit: a new one, or the last unfinished one in the store."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlset import _core
from urlset.errors import UsageError
from urlset.files.structured import decode_json
from urlset.net.origin import origin_of
from urlset.net.reach import Reach
from urlset.net.trust import ReachedHosts
from urlset.options.auditing import AuditOptions
from urlset.options.declare import Option, Resume, options_of
from urlset.options.recorded import record_options, restore_options
from urlset.sources import url_of
from urlset.stages.ruleset import rules_of
from urlset.store.rules_run import record_rules, settings_of
from urlset.store.run import Run
from urlset.store.stored_values import stored_values
from urlset.text.masking import MASK, are_same_targets, mask_target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.model.run import RunRow
    from urlset.store.file import Store


def begin_run(
    store: Store, targets: Sequence[str], options: AuditOptions, rules: Mapping[str, object]
) -> tuple[Run, tuple[str, ...], AuditOptions]:
    """Start a run, or resume the last unfinished one.

    Args:
        store: The store, open for writing.
        targets: The given targets; may be empty to resume a run.
        rules: The record of the rules of a new run.

    Returns:
        The run, its targets, and its options; a resumed run keeps its original options.

    Raises:
        UsageError: No target is given, or this version has no unfinished run on these targets.
    """
    if not options.resume:
        return Run.begin(store, targets, {**_settings(options), **rules}), tuple(targets), options
    open_runs = [run for run in store.runs() if run.finished_at is None]
    if not open_runs:
        raise UsageError(f"{options.store}: no unfinished run to resume; start one with `urlset audit ORIGIN`")
    last = open_runs[-1]
    if last.version != _core.__version__:
        # Rules depend on facts about pages that another version may not have stored.
        raise UsageError(
            f"{options.store}: run {last.run_id} was started by urlset {last.version}, which can resume it; this is "
            f"{_core.__version__}: start a new run"
        )
    run = Run(store, last.run_id)
    of_run = _resumed_targets(last, targets)
    if not targets:
        _check_untrusted(options, of_run)
    original = _original_options(store, options, last)
    # Custom rules are read again: a rule that took too long may have been changed.
    record_rules(run, last, rules_record(original))
    run.commit()
    return run, of_run, original


def _resumed_targets(last: RunRow, targets: Sequence[str]) -> tuple[str, ...]:
    """Return the targets of a resumed run. Passwords in them are not stored, so they have to be given again."""
    is_masked = any(MASK in target for target in last.targets)
    if is_masked and (not targets or are_same_targets(targets, last.targets)):
        if tuple(map(mask_target, targets)) != last.targets or any(MASK in target for target in targets):
            raise UsageError(
                f"run {last.run_id} is for {', '.join(last.targets)}; pass the target with its password again"
            )
        return tuple(targets)
    if targets and tuple(map(mask_target, targets)) != last.targets:
        raise UsageError(
            f"run {last.run_id} is for {', '.join(last.targets)}; pass the same targets to resume it"
            + ("" if is_masked else ", or none")
        )
    return last.targets


def _check_untrusted(options: AuditOptions, targets: Sequence[str]) -> None:
    """Check that targets may be fetched that only the store names, since a store can be from someone else.

    Raises:
        UsageError: They are on private networks, or credentials are given, which only targets that are given receive.
    """
    private = [] if options.allow_private else [target for target in targets if _is_private(target)]
    if private:
        why = f"{private[0]} is on a private network"
    elif options.auth is not None or options.header:
        why = "--auth and --header are sent only to targets that you name"
    else:
        return
    raise UsageError(
        f"{options.store}: {why}, and a store can be from someone else; add the targets of the run to resume it: "
        f"{' '.join(targets)}"
    )


def _is_private(target: str) -> bool:
    """Return whether the host of a target is on a private network, as far as its name says."""
    origin = origin_of(url_of(target) or "")
    return origin is not None and ReachedHosts().of(origin.host) not in (None, Reach.PUBLIC)


def _settings(options: AuditOptions) -> dict[str, object]:
    """Return the options to store with a run: those that a resumed run takes from it, or compares."""
    return record_options(options, _options_to_resume(Resume.KEPT, Resume.GIVEN_AGAIN))


def _options_to_resume(*ways: Resume) -> list[Option]:
    return [option for option in options_of(AuditOptions) if option.facts.resume in ways]


def rules_record(options: AuditOptions) -> dict[str, object]:
    """Return the record of the rules that apply to this audit.

    Raises:
        UsageError: A rule code prefix is unknown.
        ConfigError: A custom rule is invalid.
    """
    rules = rules_of(options, options.now or datetime.now(UTC), pages=options.pages or options.images)
    return settings_of(options, rules, pages=options.pages, images=options.images, links=options.reads_links)


def _original_options(store: Store, options: AuditOptions, run: RunRow) -> AuditOptions:
    """Return the options of a resumed run, which reads, fetches, and judges what the interrupted one would have.

    Raises:
        UsageError: An option differs from that of the run, or an option that must be set again is missing.
        InputError: The settings of the run are damaged.
    """
    with stored_values(store.path, f"the settings of run {run.run_id}"):
        settings: dict[str, object] = decode_json(run.settings, dict[str, object])
        original = restore_options(options, _options_to_resume(Resume.KEPT), settings)
    for option in _options_to_resume(Resume.KEPT):
        value, stored = getattr(options, option.name), getattr(original, option.name)
        if value not in (option.default, stored):
            raise UsageError(
                f"{option.spelling} differs from that of run {run.run_id}, which is {_to_text(stored)}; omit it to "
                "resume the run, or start a new one"
            )
    for option in _options_to_resume(Resume.GIVEN_AGAIN):
        now, then = record_options(options, [option])[option.name], settings.get(option.name)
        if now != then:
            raise UsageError(_difference_message(option, run, then))
    return original


def _difference_message(option: Option, run: RunRow, then: object) -> str:
    """Say what to do about an option that must be given as for the interrupted run."""
    if not then:
        return f"run {run.run_id} was started without {option.spelling}; omit it to resume the run, or start a new one"
    return f"run {run.run_id} was started with {option.spelling} {_to_text(then)}; pass it again to resume the run"


def _to_text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
