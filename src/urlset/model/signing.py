"""What `key new` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class NewSigningKey:
    """A key for signed requests.

    Attributes:
        path: The file with the private key, which only its owner can read.
        keyid: The thumbprint of the public key.
        agent: The origin that publishes the public key.
        directory: The document with the public keys, to publish on that origin; None if it was not written.
        keys: Number of keys in the document.
        url: The URL of the document.
    """

    path: Path
    keyid: str
    agent: str
    directory: Path | None
    keys: int
    url: str
