"""Records the entries and fields that the writer leaves out: logs, counts and lists them."""

from __future__ import annotations

import json
import logging
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING

from urlset.errors import EntryRefusedError, OutputError
from urlset.model.build import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from urlset.build.options import WriteOptions

MAX_EXAMPLES = 1_000
"""How many of those left out the summary keeps; the counts are exact whatever this is."""


logger = logging.getLogger("urlset.build")


class Ledger:
    """Takes note of what is left out: logs it, counts it, keeps the first, writes the list that was asked for."""

    def __init__(self, options: WriteOptions, told: Callable[[Refused], None] | None = None) -> None:
        self.refused: Counter[str] = Counter()
        self.fields: Counter[str] = Counter()
        self.examples: list[Refused] = []
        self._strict = options.strict
        self._told = told
        self._path = None if options.refused_to is None else Path(options.refused_to)
        self._list: IO[str] | None = None

    def note(self, number: int, url: str, reason: str, field: str, detail: str, value: str, whole: bool) -> None:
        """Takes note of one; the core calls it.

        Raises:
            EntryRefusedError: Strictness was asked for.
        """
        one = Refused(number, url, reason, field, detail, value, whole)
        if self._strict:
            raise EntryRefusedError(f"{one}; nothing is published, since strictness was asked for", one)
        (self.refused if whole else self.fields)[reason] += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(one)
        logger.warning("%s: %s", "left out" if whole else "field left out", one)
        if self._path is not None:
            self._write(one)
        if self._told is not None:
            self._told(one)

    def _write(self, one: Refused) -> None:
        try:
            if self._list is None and self._path is not None:
                self._list = self._path.open("w", encoding="utf-8")
            if self._list is not None:
                self._list.write(json.dumps(asdict(one), ensure_ascii=False) + "\n")
        except OSError as error:
            raise OutputError(f"{self._path} cannot be written: {(error.strerror or str(error)).lower()}") from error

    def close(self) -> None:
        """Ends the list; one that nothing was written to is empty.

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
            raise OutputError(f"{self._path} cannot be written: {(error.strerror or str(error)).lower()}") from error
