"""`key new`: make a key for signed requests, and the document with its public part."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from urlset.errors import OutputError, UsageError, reason_of
from urlset.fetch.signing import DIRECTORY, new_key
from urlset.files.bounded import read_own
from urlset.files.publish import publish
from urlset.files.structured import decode_json
from urlset.model.signing import NewSigningKey
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.fetch.signing import SigningKey

MAX_DIRECTORY_BYTES = MiB
"""Maximum size of a document with public keys, in bytes."""


def new_signing_key(path: Path, agent: str, directory: Path | None = None) -> NewSigningKey:
    """Make a key.

    Args:
        path: The file to write the private key to; it must not exist.
        agent: The origin that will publish the public key.
        directory: The directory that this origin serves. The public key is added to its document, next to earlier
            keys, which remain valid until they are removed.

    Raises:
        MissingExtraError: cryptography is not installed.
        OutputError: A file cannot be written.
        UsageError: The agent is not an https origin, or the document has something else.
    """
    key = new_key(agent)
    place = None if directory is None else directory / DIRECTORY
    keys = [*(_keys_in(place, directory) if place is not None and directory is not None else ()), key.public_jwk]
    _write_private(path, key)
    if place is not None:
        publish(place, json.dumps({"keys": keys}, indent=2).encode() + b"\n", below=directory)
    return NewSigningKey(path, key.keyid, key.agent, place, len(keys), f"{key.agent}/{DIRECTORY}")


def _keys_in(place: Path, directory: Path) -> list[object]:
    """Return the keys in the document; none if it does not exist."""
    try:
        facts = decode_json(read_own(place, MAX_DIRECTORY_BYTES, directory))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise OutputError(f"{place}: cannot be read: {reason_of(error)}") from error
    except ValueError:
        facts = None
    keys = facts.get("keys") if isinstance(facts, dict) else None
    if not isinstance(keys, list):
        raise UsageError(f"{place}: is not a JSON Web Key Set; remove it, or name another directory")
    return keys


def _write_private(path: Path, key: SigningKey) -> None:
    """Write the private key to a new file that only its owner can read."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageError(f"{path}: already exists; an earlier key is never replaced") from None
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {reason_of(error)}") from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(json.dumps(key.private_jwk, indent=2) + "\n")
