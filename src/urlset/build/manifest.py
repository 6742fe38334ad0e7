"""The manifest: which files the last build of a set wrote, kept beside them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from urlset.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.build.target import Staged

VERSION = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the last build wrote.

    Attributes:
        files: Name and hash of each file.
        urls: How many URLs each has; manifests of before have none of these.
    """

    files: dict[str, str] = field(default_factory=dict)
    urls: dict[str, int] = field(default_factory=dict)

    @classmethod
    def parse(cls, content: bytes, place: str) -> Manifest:
        """Reads a manifest.

        Raises:
            OutputError: It is damaged.
        """
        try:
            return cls.of(json.loads(content))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise OutputError(
                f"{place} is damaged, so it is not known which files the last build wrote; remove it, and those of the "
                "sitemaps that are not needed any more"
            ) from None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Manifest:
        """The manifest that plain values stand for."""
        files = {str(name): str(digest) for name, digest in values["files"].items()}
        urls = {str(name): int(count) for name, count in values.get("urls", {}).items()}
        return cls(files, urls)

    def with_files(self, files: Sequence[Staged], *, hold: bool) -> Manifest:
        """The manifest once these files are published.

        Args:
            files: The files.
            hold: Whether those that are there stay.
        """
        kept = self if hold else Manifest()
        return Manifest(
            {**kept.files, **{file.name: file.digest for file in files}},
            {**kept.urls, **{file.name: file.urls for file in files}},
        )

    def without(self, names: Sequence[str]) -> Manifest:
        """The manifest once these files are removed."""
        return Manifest(
            {name: digest for name, digest in self.files.items() if name not in names},
            {name: count for name, count in self.urls.items() if name not in names},
        )

    def values(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"version": VERSION, "files": self.files, "urls": self.urls}

    def to_json(self) -> bytes:
        """The same as a file."""
        return as_json(self.values())


def as_json(value: object) -> bytes:
    """Plain values as a file."""
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()
