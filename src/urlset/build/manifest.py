"""The manifest: the files that the last build of a set wrote."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct, field

from urlset import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.build.target import NextLedger, StagedFile

Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
"""XXH3 hash of a file, 128 bits in hexadecimal."""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The files of the last build.

    Attributes:
        files: Name and hash of each file.
        urls: Number of URLs in each file; missing in old manifests.
        ledger: Hash of the ledger that has the part of each URL; empty if the layout is not stable.
        version: Version of the format.
    """

    files: dict[str, Digest]
    urls: dict[str, Annotated[int, Meta(ge=0)]] = field(default_factory=dict)
    ledger: Digest | Literal[""] = ""
    version: Literal[1] = 1

    def with_files(self, files: Sequence[StagedFile], *, hold: bool, ledger: NextLedger) -> Manifest:
        """Return the manifest after publishing these files; with `hold`, existing files stay."""
        before = self if hold else Manifest({})
        digest = "" if ledger.path is None else _core.file_digest(str(ledger.path))
        return Manifest(
            {**before.files, **{file.name: file.digest for file in files}},
            {**before.urls, **{file.name: file.urls for file in files}},
            self.ledger if ledger.keep else digest,
        )

    def without(self, names: Sequence[str]) -> Manifest:
        return Manifest(
            {name: digest for name, digest in self.files.items() if name not in names},
            {name: count for name, count in self.urls.items() if name not in names},
            self.ledger,
        )

    def values(self) -> dict[str, object]:
        ledger = {"ledger": self.ledger} if self.ledger else {}
        return {"version": self.version, "files": self.files, "urls": self.urls, **ledger}

    def to_json(self) -> bytes:
        return as_json(self.values())


def as_json(value: object) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()
