"""`explain`: the page of a rule or a reason, with its severity and limits, or the lastmod of a page with its proof."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlset.build.sources.kept_dates import find_kept_date
from urlset.errors import UsageError
from urlset.model.build import Lastmod, SourceDate
from urlset.rules.explanation import own_page, page, reason_page
from urlset.rules.registry import rule, unknown_rule
from urlset.rules.setting_kinds import setting_kinds
from urlset.sources import is_url
from urlset.stages.ruleset import default_severity, rules_in_force
from urlset.text.masking import mask_target, mask_url
from urlset.web.indexability import PageReason
from urlset.web.systems import KINDS_OF_REASON, settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from urlset.options.resolve import ResolvedOptions
    from urlset.options.verbs import ValidateOptions
    from urlset.web.systems import SettingKind


def explain(code: str, configuration: ResolvedOptions[ValidateOptions]) -> str:
    """Return the page of a rule or of a reason in Markdown.

    Args:
        code: Code or name of a rule, or a `PageReason`, case-insensitive. A rule of the same name comes first.

    Raises:
        UsageError: The rule does not exist.
        ConfigError: The configuration refers to a rule that does not exist, or a custom rule is invalid.
    """
    if is_url(code.strip()):
        url = mask_url(code.strip())
        raise UsageError(
            f"{url} is not a rule, and no build with git-text recorded its lastmod; `urlset audit {shlex.quote(url)}` "
            "shows whether the page is indexable (with the directory of a built site, without requests), "
            "`urlset pages STORE` why pages of a stored audit are not, and "
            "`urlset build --explain-lastmod URL` where the lastmod of a page comes from"
        )
    in_force = {each.code: each for each in rules_in_force(configuration)}
    name = code.strip().upper()
    matches = (candidate for candidate in in_force.values() if name in (candidate.code, candidate.name.upper()))
    own = next((candidate for candidate in matches if default_severity(candidate.code) is None), None)
    if own is not None:
        return own_page(own)
    reason = next((each for each in PageReason if each.value.upper() == name), None)
    if all(name not in (each.code, each.name.upper()) for each in in_force.values()):
        if reason is not None:
            return _of_reason(reason)
        # What looks like no URL can be one with a password.
        raise unknown_rule(mask_target(code), [*in_force.values()], [*PageReason])
    default = rule(code)
    shown = in_force[default.code]
    changed = "" if shown.severity is default.severity else f" (default: {default.severity.value})"
    where = "".join(map(_where_to_change, setting_kinds(default)))
    of_rule = page(shown, f"Severity: {shown.severity.value}{changed}. {default.standing}") + where
    return of_rule if reason is None else f"{of_rule}\n{_of_reason(reason)}"


def _of_reason(reason: PageReason) -> str:
    return reason_page(reason) + "".join(map(_where_to_change, KINDS_OF_REASON.get(reason, ())))


def _where_to_change(kind: SettingKind) -> str:
    """Return where each known system has a setting, as a section in Markdown."""
    rows = [f"- {name}: {setting.where} ({setting.source})" for name, setting in sorted(settings()[kind].items())]
    return f"\n## Where to change {kind.words}\n" + "\n".join(rows) + "\n"


def explain_lastmod(url: str, states: Sequence[Path]) -> Lastmod | None:
    """Return the lastmod that the last build gave a page, with its proof; None if no state of a build has it.

    Args:
        states: State files that builds were told to write; without any, those of all builds on this machine.

    Raises:
        InputError: One of them cannot be read.
    """
    found = find_kept_date(url, states)
    if found is None:
        return None
    kept, state = found
    written = datetime.fromtimestamp(state.stat().st_mtime, UTC)
    reason = f"{kept.reason}; according to {state}, written on {written:%Y-%m-%d}"
    date = SourceDate(kept.source, kept.lastmod, reason, kept.proof)
    return Lastmod(url, kept.lastmod, None if kept.lastmod is None else kept.source, (date,))
