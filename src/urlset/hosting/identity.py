"""The URL of the site of a directory, and what is wrong with the site as a whole."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Mapping


class SiteProblem(StrEnum):
    """What is wrong with a site as a whole: the values of `site_faults.problem`."""

    NO_SITEMAP = "no-sitemap"
    NOT_BUILT = "not-built"
    PLACEHOLDER = "placeholder"
    OTHER_HOST = "host-differs"
    OTHER_SPELLING = "url-differs"
    STRAY = "stray"
    OUTSIDE = "outside"
    RELATIVE = "relative"
    URL_UNKNOWN = "url-unknown"
    UNNAMED = "unnamed"


class SiteFault(Struct, frozen=True):
    """A fault of a site as a whole.

    Attributes:
        value: What is wrong, such as a URL.
        about: What is known about it, as a clause.
    """

    problem: SiteProblem
    value: str
    about: str


class Identity(Struct, frozen=True):
    """The URL of the site of a directory.

    Attributes:
        base: The base URL, with a trailing slash.
        about: How it was found, for a note; empty if the user gave it.
        aliases: Other base URLs that sources name for the same files.
        strays: Those of them that are the base URL with stray characters.
        moved: The URLs of sitemaps above the base URL that have a file below it, with the URL of that file.
        setting: Where the configuration of the generator has the URL of the site.
        faults: What is wrong.
    """

    base: str
    about: str = ""
    setting: str = ""
    aliases: tuple[str, ...] = ()
    strays: tuple[str, ...] = ()
    moved: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[SiteFault, ...] = ()
