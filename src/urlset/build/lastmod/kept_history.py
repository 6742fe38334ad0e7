"""What a build stores of dates: the history that it read, and the date of each page with its proof."""

from __future__ import annotations

from msgspec import Struct

from urlset.model.build import DateProof  # noqa: TC001 - msgspec resolves it
from urlset.options.sources import LastmodSource  # noqa: TC001 - msgspec resolves it


class KeptHistory(Struct, frozen=True):
    """The stored history of a repository from an earlier build, so that the next one reads only new commits.

    Attributes:
        head: The newest commit that it read.
        version: Version of the words, and hash of the list of commits to ignore.
        proofs: The commit of each file, by the name that the file had in `head`.
    """

    head: str
    version: str
    proofs: dict[str, DateProof]


class KeptDate(Struct, frozen=True):
    """The stored date of a page.

    Attributes:
        lastmod: The date; None if no source had one.
        source: The source that decided; without a date, the one whose reason is given.
        reason: Where the date comes from, or why there is none.
        proof: The commit that proves a date of the source `git-text`.
        text: Hash of the main text of the HTML page; None if it has none, or was not built from HTML.
    """

    lastmod: str | None
    source: LastmodSource
    reason: str
    proof: DateProof | None = None
    text: int | None = None
