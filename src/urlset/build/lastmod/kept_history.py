"""The part of a repository's history that a build stores, so that the next one reads only new commits."""

from __future__ import annotations

from msgspec import Struct

from urlset.model.build import DateProof  # noqa: TC001 - msgspec resolves it


class KeptHistory(Struct, frozen=True):
    """The stored history of a repository from an earlier build.

    Attributes:
        head: The newest commit that it read.
        version: Version of the words, and hash of the list of commits to ignore.
        proofs: The commit of each file, by the name that the file had in `head`.
    """

    head: str
    version: str
    proofs: dict[str, DateProof]
