"""Which rules a kept run has run, and so what its findings can be compared with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from urlset.errors import MisuseError
from urlset.rules.registry import all_rules, select

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.config import ValidateOptions
    from urlset.model.run import RunRow
    from urlset.rules.rule import Rule

RULES = "rules"
"""The setting of a run that lists the codes of its rules."""

IGNORES = "per_document_ignores"
"""The setting of a run that says which codes did not count in which documents."""


def codes_of(rules: Iterable[Rule], *, pages: bool, images: bool) -> list[str]:
    """The codes of the rules that can find something in a run.

    Args:
        rules: The rules that are run.
        pages: Whether pages are fetched.
        images: Whether listed images are.
    """
    blind = {table for table, is_read in (("pages", pages), ("media", images)) if not is_read}
    return sorted(rule.code for rule in rules if blind.isdisjoint(rule.tables))


@dataclass(frozen=True, slots=True)
class Judged:
    """What a kept run could find.

    Attributes:
        codes: The codes of the rules that it ran; None if the urlset that made it did not note them.
        ignores: The prefixes of codes that did not count in documents, by their globs.
    """

    codes: frozenset[str] | None = None
    ignores: frozenset[tuple[str, tuple[str, ...]]] = frozenset()

    @classmethod
    def of(cls, run: RunRow) -> Judged:
        """What a run could find, as its settings say."""
        settings: dict[str, Any] = json.loads(run.settings)
        written = settings.get(IGNORES) or {}
        ignores = frozenset((glob, tuple(prefixes)) for glob, prefixes in written.items())
        if RULES in settings:
            return cls(frozenset(settings[RULES]), ignores)
        if not settings.get("select") and not settings.get("ignore"):
            return cls(None, ignores)
        try:
            rules = select(all_rules(), tuple(settings.get("select") or ()), tuple(settings.get("ignore") or ()))
        except MisuseError:  # Codes of other releases, or what a stranger put into the store.
            return cls(None, ignores)
        images = settings.get("images", False)
        return cls(frozenset(codes_of(rules, pages=settings.get("look", True), images=images)), ignores)

    def compares(self, other: Judged, code: str) -> bool:
        """Whether both could find what breaks a rule."""
        prefixes = tuple(prefix for _, some in self.ignores ^ other.ignores for prefix in some)
        return not code.upper().startswith(prefixes) and all(
            one.codes is None or code in one.codes for one in (self, other)
        )


def settings_of(options: ValidateOptions, rules: Iterable[Rule], *, pages: bool, images: bool) -> dict[str, object]:
    """What a run keeps of the rules that it runs.

    Args:
        options: What is ignored in which documents.
        rules: The rules.
        pages: Whether pages are fetched.
        images: Whether listed images are.
    """
    ignores = {glob: list(prefixes) for glob, prefixes in options.document_ignores.items()}
    return {RULES: codes_of(rules, pages=pages, images=images), IGNORES: ignores}
