"""Results of `deploy-check`: what differs between a built directory and what its site serves. Plain values."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from urlset.model.fields import NonNegativeFloat, NonNegativeInt, PositiveInt, about
from urlset.model.report import Report
from urlset.model.result import with_short_repr


class ServedKind(StrEnum):
    """What a file of the directory is."""

    PAGE = "page"
    ROBOTS = "robots"
    SITEMAP = "sitemap"
    FEED = "feed"
    LLMS = "llms"
    ASSET = "asset"


class Difference(StrEnum):
    """What differs, most consequential first: the values of `served.difference`."""

    OTHER_SITE = "other-site"
    MISSING = "missing"
    STATUS = "status"
    REDIRECT = "redirect"
    NOINDEX = "noindex"
    CANONICAL = "canonical"
    CONTENT_TYPE = "content-type"
    ROBOTS_FILE = "robots-file"
    FILE = "file"
    CONTENT = "content"
    EDGE = "edge"
    NOT_BUILT = "not-built"
    ASSET = "asset"
    DIRECTIVES = "directives"


class DeployCause(StrEnum):
    """What changed it: the values of `served.cause`."""

    OLD_BUILD = "old-build"
    """The content is that of an earlier run in the store."""
    EDGE_CACHE = "edge-cache"
    """A cache has another copy than the origin."""
    MANAGED_ROBOTS = "managed-robots"
    """The CDN adds its managed block to robots.txt."""
    FALLBACK = "fallback"
    """The home page is served for files that do not exist (SPA fallback)."""
    ERROR_PAGE = "error-page"
    """The page for URLs that do not exist is served."""
    LOGIN = "login"
    OTHER_HOST = "other-host"
    HOME = "home"
    """A redirect leads to the home page."""
    PREVIEW_HOST = "preview-host"
    HEADER = "header"
    """The host sends a header that the directory does not declare."""
    CUT_OFF = "cut-off"
    """The file is the start of the built one."""
    LEFT_OVER = "left-over"
    """An earlier run in the store has the page."""


class NotCompared(Struct, frozen=True):
    """URLs that were not compared for one reason."""

    reason: Annotated[str, about("The reason.")]
    count: Annotated[PositiveInt, about("Number of URLs.")]
    example: Annotated[str, about("One of the URLs.")]


class ServedDifference(Struct, frozen=True):
    """One difference, or those that all pages share."""

    url: Annotated[str, about("The requested URL; that of the site if the difference is shared.")]
    kind: Annotated[ServedKind, about("What the file of the directory is.")]
    difference: Annotated[Difference, about("What differs.")]
    cause: Annotated[DeployCause | None, about("What changed it; None if it is unknown.")]
    built: Annotated[str | None, about("The value in the directory.")]
    served: Annotated[str | None, about("The value in the response.")]
    text: Annotated[str, about("Both values in words, with the evidence for the cause.")]
    urls: Annotated[PositiveInt, about("Number of URLs that it is about.")]
    run: Annotated[PositiveInt | None, about("The earlier run in the store whose content is served.")] = None


@with_short_repr
class DeployCheck(Struct, frozen=True, kw_only=True):
    """What differs between a directory and its site, as seen from one place at one time."""

    site: Annotated[str, about("The URL at which the directory is served.")]
    folder: Annotated[Path, about("The directory.")]
    checked_at: Annotated[datetime, about("When the last response was received, UTC.")]
    pages: Annotated[NonNegativeInt, about("Number of pages of the directory.")]
    files: Annotated[NonNegativeInt, about("Number of its other files that count: robots.txt, sitemaps, feeds, …")]
    sampled: Annotated[NonNegativeInt, about("Number of pages that were selected for comparison.")]
    compared: Annotated[NonNegativeInt, about("Number of pages and files that were compared.")]
    equal: Annotated[NonNegativeInt, about("Number of those that are served as they were built.")]
    differing: Annotated[NonNegativeInt, about("Number of those that are not.")]
    differences: Annotated[tuple[ServedDifference, ...], about("What differs.")] = ()
    not_compared: Annotated[tuple[NotCompared, ...], about("What was not compared, by reason; the most first.")] = ()
    waited_seconds: Annotated[NonNegativeFloat, about("Seconds from the first comparison to the last one.")] = 0.0
    rounds: Annotated[PositiveInt, about("Number of comparisons: more than 1 with `--wait`.")] = 1
    interrupted: Annotated[bool, about("Whether the check was interrupted, so that the results are partial.")] = False
    report: Annotated[Report, about("The findings in the form of `urlset validate`.")]
