"""The check specification `sitemap` 1.0.0 as data: its metadata and its five steps, which rules refer to."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from urlset.model.fields import Ratio, about

if TYPE_CHECKING:
    from collections.abc import Mapping


class Specification(Struct, frozen=True, kw_only=True):
    """Metadata of the check, from its specification."""

    id: Annotated[str, about("Its id.")]
    version: Annotated[str, about("Its version.")]
    suite: Annotated[str, about("The assessment suite that it belongs to.")]
    title: Annotated[str, about("Its title.")]
    category: Annotated[str, about("Its category.")]
    subcategory: Annotated[str, about("Its subcategory.")]
    group: Annotated[str, about("Its check group.")]
    group_id: Annotated[str, about("The id of that group.")]
    maturity: Annotated[str, about("Its maturity.")]
    scope: Annotated[str, about("What it assesses: a site.")]
    weight: Annotated[int, about("Its weight among the checks of the suite.")]
    package_path: Annotated[str, about("Its path in the repository of the specification.")]
    resources: Annotated[tuple[str, ...], about("The paths of the site that it inspects.")]


SPECIFICATION = Specification(
    id="sitemap",
    version="1.0.0",
    suite="2026.06.10",
    title="Sitemap",
    category="AI Discoverability",
    subcategory="Discoverability",
    group="Crawl Discovery",
    group_id="crawl-discovery",
    maturity="Established",
    scope="site",
    weight=1,
    package_path="lib/checks/sitemap/versions/1.0.0",
    resources=("/sitemap.xml", "/sitemap.txt", "/sitemap_index.xml", "/sitemap-index.xml", "/robots.txt"),
)


class Status(StrEnum):
    """Status of a step, or of the check."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    NOT_RUN = "not-run"
    """A step did not run because an earlier one failed."""


EARNED: Mapping[Status, float] = MappingProxyType(
    {Status.PASS: 1.0, Status.WARN: 0.5, Status.FAIL: 0.0, Status.NOT_RUN: 0.0}
)
"""The share of its weight that a step earns."""


class StepId(StrEnum):
    """The steps, in order."""

    DISCOVER = "discover"
    FETCH = "fetch"
    PARSE = "parse"
    FIELD_QUALITY = "field-quality"
    SCOPE = "scope"


class Step(Struct, frozen=True):
    """A step of the specification."""

    id: Annotated[StepId, about("Its id.")]
    title: Annotated[str, about("Its title.")]
    weight: Annotated[Ratio, about("Its share of the score, from 0 to 1; all five make 1.")]
    about: Annotated[str, about("Its description in the specification.")]


STEPS = (
    Step(
        StepId.DISCOVER,
        "Discover sitemap candidates",
        0.2,
        "Build candidate sitemap URLs from standard locations and independently fetched robots.txt Sitemap directives.",
    ),
    Step(
        StepId.FETCH,
        "Fetch a sitemap candidate",
        0.25,
        "Fetch at least one candidate with a successful HTTP response.",
    ),
    Step(
        StepId.PARSE,
        "Parse sitemap",
        0.25,
        "Confirm the response is a sitemap document with absolute HTTP(S) URL entries.",
    ),
    Step(
        StepId.FIELD_QUALITY,
        "Validate sitemap field quality",
        0.1,
        "Validate optional fields, extension metadata, and protocol size limits when present.",
    ),
    Step(
        StepId.SCOPE,
        "Validate URL scope",
        0.2,
        "Confirm listed page URLs belong to the scanned origin host.",
    ),
)
