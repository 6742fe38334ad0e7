"""The manifest: the files that the last build of a set wrote, stored next to them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.build.target import NextLedger, StagedFile

VERSION = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """The files of the last build.

    Attributes:
        files: Name and hash of each file.
        urls: Number of URLs in each file; missing in old manifests.
        ledger: Hash of the ledger that has the part of each URL; empty if the layout is not stable.
    """

    files: dict[str, str] = field(default_factory=dict)
    urls: dict[str, int] = field(default_factory=dict)
    ledger: str = ""

    @classmethod
    def parse(cls, content: bytes, place: str) -> Manifest:
        """Read a manifest.

        Raises:
            OutputError: It is damaged.
        """
        try:
            return cls.of(json.loads(content))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise OutputError(
                f"{place}: damaged, so the files of the last build are unknown; delete it, and the sitemaps that are "
                "no longer needed"
            ) from None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Manifest:
        """Return the manifest from JSON values."""
        files = {str(name): str(digest) for name, digest in values["files"].items()}
        urls = {str(name): int(count) for name, count in values.get("urls", {}).items()}
        return cls(files, urls, str(values.get("ledger", "")))

    def with_files(self, files: Sequence[StagedFile], *, hold: bool, ledger: NextLedger) -> Manifest:
        """Return the manifest after publishing these files.

        Args:
            files: The files.
            hold: Whether existing files stay.
            ledger: What happens to the ledger.
        """
        kept = self if hold else Manifest()
        digest = "" if ledger.path is None else _core.file_digest(str(ledger.path))
        return Manifest(
            {**kept.files, **{file.name: file.digest for file in files}},
            {**kept.urls, **{file.name: file.urls for file in files}},
            self.ledger if ledger.keep else digest,
        )

    def without(self, names: Sequence[str]) -> Manifest:
        """Return the manifest after removing these files."""
        return Manifest(
            {name: digest for name, digest in self.files.items() if name not in names},
            {name: count for name, count in self.urls.items() if name not in names},
            self.ledger,
        )

    def values(self) -> dict[str, Any]:
        """Return the manifest as JSON values."""
        ledger = {"ledger": self.ledger} if self.ledger else {}
        return {"version": VERSION, "files": self.files, "urls": self.urls, **ledger}

    def to_json(self) -> bytes:
        """Return the manifest as the content of a file."""
        return as_json(self.values())


def as_json(value: object) -> bytes:
    """Return JSON values as the content of a file."""
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()
