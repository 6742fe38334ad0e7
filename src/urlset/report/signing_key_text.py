"""Text that `key new` prints: the files, and what to do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.style import Style
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.signing import NewSigningKey


def render(key: NewSigningKey, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - as every renderer
    """Yield the lines."""
    path = safe(str(key.path))
    yield f"Wrote the private key to {path}. Keep it secret."
    if key.directory is not None:
        yield f"Wrote {counted(key.keys, 'public key')} to {safe(str(key.directory))}."
    else:
        yield "The public key was not written; name the directory that the host serves with --directory."
    yield f"Publish it at {safe(key.url)}"
    yield "as application/http-message-signatures-directory+json, then run `urlset audit URL --sign " + path + "`."
    yield f"Key ID: {key.keyid}"
