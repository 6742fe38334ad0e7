"""What `key new` returns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Struct

from urlset.model.fields import NonNegativeInt, about


class NewSigningKey(Struct, frozen=True):
    """A key for signed requests."""

    path: Annotated[Path, about("The file with the private key, which only its owner can read.")]
    keyid: Annotated[str, about("The thumbprint of the public key.")]
    agent: Annotated[str, about("The origin that publishes the public key.")]
    directory: Annotated[
        Path | None, about("The document with the public keys, to publish on that origin; None if it was not written.")
    ]
    keys: Annotated[NonNegativeInt, about("Number of keys in the document.")]
    url: Annotated[str, about("The URL of the document.")]
