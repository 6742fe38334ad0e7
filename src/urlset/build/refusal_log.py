"""Record the entries and fields that the writer leaves out: log, count, and list them."""

from __future__ import annotations

import json
import logging
from collections import Counter
from pathlib import Path
from typing import IO, TYPE_CHECKING

from msgspec.structs import asdict

from urlset.errors import EntryRefusedError, OutputError, reason_of
from urlset.model.build import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from urlset.options.writing import WriteOptions

MAX_EXAMPLES = 1_000
"""Maximum omissions to keep in the summary; the counts are exact regardless."""


logger = logging.getLogger("urlset.build")


class RefusalLog:
    """Records omissions: logs and counts them, keeps the first ones, and writes the requested list."""

    def __init__(self, options: WriteOptions, on_refused: Callable[[Refusal], None] | None = None) -> None:
        self.refused: Counter[str] = Counter()
        self.fields: Counter[str] = Counter()
        self.examples: list[Refusal] = []
        self._strict = options.strict
        self._on_refused = on_refused
        self._path = None if options.refused_to is None else Path(options.refused_to)
        self._list: IO[str] | None = None

    def note(self, number: int, url: str, reason: str, field: str, detail: str, value: str, whole: bool) -> None:
        """Record an omission; called by the core.

        Raises:
            EntryRefusedError: `strict` is set.
        """
        refusal = Refusal(number, url, reason, field, detail, value, whole)
        if self._strict:
            raise EntryRefusedError(f"{refusal}; nothing was published because of the option strict", refusal)
        (self.refused if whole else self.fields)[reason] += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(refusal)
        logger.warning("%s: %s", "left out" if whole else "field left out", refusal)
        if self._path is not None:
            self._write(refusal)
        if self._on_refused is not None:
            self._on_refused(refusal)

    def _write(self, refusal: Refusal) -> None:
        try:
            if self._list is None and self._path is not None:
                self._list = self._path.open("w", encoding="utf-8")
            if self._list is not None:
                self._list.write(json.dumps(asdict(refusal), ensure_ascii=False) + "\n")
        except OSError as error:
            raise OutputError(f"{self._path}: cannot be written: {reason_of(error)}") from error

    def close(self) -> None:
        """Close the list, which is empty if nothing was left out.

        Raises:
            OutputError: It cannot be written.
        """
        try:
            if self._list is not None:
                self._list.close()
                self._list = None
            elif self._path is not None and not self.examples:
                self._path.write_text("", encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{self._path}: cannot be written: {reason_of(error)}") from error
