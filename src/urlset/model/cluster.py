"""The result of reading documents on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from urlset.errors import Unreadable
from urlset.model.fields import NonNegativeInt, about


class FolderRun(Struct, frozen=True):
    """A run as a folder of Parquet, which is complete."""

    folder: Annotated[str, about("The folder.")]
    documents: Annotated[NonNegativeInt, about("Number of documents that were read.")]
    urls: Annotated[NonNegativeInt, about("Number of page URLs in them, not counting entries of indexes.")]
    unreadable: Annotated[Sequence[Unreadable], about("Targets and documents that could not be read.")] = ()
    notes: Annotated[Sequence[str], about("What was left out.")] = ()
