"""Which settings of a site a rule is about, so that its finding can say where the owner changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.rules.queries import REPORTED_BY
from urlset.web.systems import KINDS_OF_REASON, SettingKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.rules.rule import Rule

_OF_FAMILIES: Mapping[str, SettingKind] = {"MOD": SettingKind.LASTMOD, "ROB": SettingKind.ROBOTS}

_OF_RULES: Mapping[str, tuple[SettingKind, ...]] = {
    "IDX020": (SettingKind.ROBOTS,),
    "LNK002": (SettingKind.SITEMAP,),
    "LNK007": (SettingKind.NOINDEX,),
    "LNK008": (SettingKind.ROBOTS,),
    "PGE011": (SettingKind.CANONICAL,),
    "PGE012": (SettingKind.CANONICAL,),
    "PGE013": (SettingKind.CANONICAL,),
    "PGE014": (SettingKind.CANONICAL,),
    "PGE021": (SettingKind.NOINDEX, SettingKind.CANONICAL),
    "PGE023": (SettingKind.ROBOTS,),
    "PGE028": (SettingKind.SITEMAP,),
    "PGE034": (SettingKind.SITEMAP,),
    "PGE036": (SettingKind.CANONICAL,),
    "PGE037": (SettingKind.CANONICAL,),
    "ROB016": (),
    "SIT010": (SettingKind.ROBOTS,),
}
"""Rules whose settings do not follow from their family, or from the reason of the pages that they report."""


def setting_kinds(rule: Rule) -> tuple[SettingKind, ...]:
    """Return the settings that a rule is about; none for most rules."""
    if rule.code in _OF_RULES:
        return _OF_RULES[rule.code]
    reasons = (reason for reason, codes in REPORTED_BY.items() if rule.code in codes)
    kinds = [kind for reason in reasons for kind in KINDS_OF_REASON.get(reason, ())]
    if not kinds and rule.family in _OF_FAMILIES:
        kinds = [_OF_FAMILIES[rule.family]]
    return tuple(dict.fromkeys(kinds))
