"""Values of a store that are text or JSON, which may be damaged: errors in them are errors of reading the store."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

from urlset.errors import InputError, UsageError
from urlset.files.structured import decode_json
from urlset.options.intent import YesOrNo  # noqa: TC001 - msgspec reads the annotations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_DAMAGE = (ValueError, TypeError, LookupError, AttributeError, UsageError)
"""The exceptions of converting a value that urlset did not write."""


@contextmanager
def stored_values(store: Path | str, what: str) -> Iterator[None]:
    """Convert the values of a store in the block, and nothing else: what urlset did not write is an error.

    Args:
        what: What the values are, for the message.

    Raises:
        InputError: A value is damaged.
    """
    try:
        yield
    except _DAMAGE as error:
        detail = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        raise InputError(str(store), f"is damaged: {what} cannot be read ({detail})") from None


class RunSettings(Struct, frozen=True):
    """The settings of a run that decide which findings it can have, and what its owner intends (`[policy]`).

    Those of older versions have no rules and no intent.
    """

    rules: frozenset[str] | UnsetType = UNSET
    per_document_ignores: dict[str, tuple[str, ...]] | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    pages: bool = True
    images: bool = False
    links: bool = False
    policy_search: YesOrNo | None = None
    policy_ai_answers: YesOrNo | None = None
    policy_training: YesOrNo | None = None
    policy_ai_agents: YesOrNo | None = None
    policy_training_token: str | None = None
    policy_denied: dict[str, tuple[str, ...]] | None = None


def run_settings(settings: str) -> RunSettings:
    """Return the settings of a run, which its row has as JSON.

    Raises:
        ValueError: They are damaged.
    """
    return decode_json(settings, RunSettings)
