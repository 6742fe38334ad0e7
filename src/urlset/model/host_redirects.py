"""The redirects that the files of a host declare, as `inspect` shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Struct

from urlset.model.fields import PositiveInt, about


class HostRedirect(Struct, frozen=True):
    """A redirect in a file of a host."""

    source: Annotated[str, about("The path or pattern as written.")]
    target: Annotated[str, about("Where it leads, as written.")]
    status: Annotated[PositiveInt, about("Its status code, which the host assumes if the file has none.")]
    place: Annotated[str, about("The file and line: `_redirects:3`.")]
    effect: Annotated[
        Literal["yes", "no", "unknown"], about("Whether it has an effect, with the files of the directory.")
    ]
    why: Annotated[str, about("Why it has none, why that is unknown, or under which condition it has; else empty.")]


class HostRedirects(Struct, frozen=True):
    """The redirects of a file, as the host would apply them."""

    file: Annotated[str, about("The path of the file.")]
    host: Annotated[str | None, about("The host: netlify, cloudflare, apache …; None if it is unknown.")]
    redirects: Annotated[Sequence[HostRedirect], about("Its redirects, in order.")]
    notes: Annotated[Sequence[str], about("Rules that were not read, and what another host would do.")] = ()

    def having(self, effect: str) -> list[HostRedirect]:
        """Return the redirects with this effect."""
        return [redirect for redirect in self.redirects if redirect.effect == effect]
