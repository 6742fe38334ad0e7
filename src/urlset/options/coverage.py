"""Options for what search engines report about URLs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from urlset.errors import UsageError
from urlset.net.origin import origin_of
from urlset.options.declare import (
    PER_RUN,
    Natural,
    OptionFacts,
    OptionGroup,
    Panel,
    Positive,
    Text,
    option,
    option_from,
    option_group,
)
from urlset.options.judging import RuleOptions
from urlset.options.reporting import FailOn, fail_on_option
from urlset.options.storing import DEFAULT_STORE, run_option
from urlset.options.values import earlier_time
from urlset.options.verbs import CheckOptions, ReadOptions

GOOGLE_API = "https://searchconsole.googleapis.com"
"""The API of Search Console: https://developers.google.com/webmaster-tools/v1/api_reference_index"""

BING_API = "https://ssl.bing.com"
"""The API of Bing Webmaster Tools: https://learn.microsoft.com/en-us/bingwebmaster/getting-access"""

DOMAIN = "sc-domain:"
"""Prefix of a domain property."""

FIELDS = ("url", "state", "reason", "last_crawled", "canonical", "user_canonical")
"""What `fields` can map to a column of a CSV file."""

PerDay = Annotated[int, Meta(ge=1, le=2_000)]
"""The quota of a property: https://developers.google.com/webmaster-tools/limits"""


class By(StrEnum):
    """What the rows of the funnel are."""

    DOCUMENT = "document"
    """Sitemaps."""
    SECTION = "section"
    """Hosts with the first folder of their paths."""


class SearchType(StrEnum):
    """The type of search whose impressions count."""

    WEB = "web"
    IMAGE = "image"
    VIDEO = "video"
    NEWS = "news"
    DISCOVER = "discover"
    GOOGLE_NEWS = "google-news"


class StateName(StrEnum):
    """The state of all URLs of a file."""

    INDEXED = "indexed"
    NOT_INDEXED = "not-indexed"


class DateOrder(StrEnum):
    """The order of day, month, and year in the dates of a column."""

    DMY = "dmy"
    MDY = "mdy"


@option_group
class EvidenceOptions(OptionGroup):
    """The store."""

    store: Path = option(
        DEFAULT_STORE,
        OptionFacts(
            help="Store with the audit of the site, the access logs, and the reports of search engines",
            panel=Panel.STORE,
            metavar="FILE",
            is_place=True,
            faces=PER_RUN,
        ),
    )


@option_group
class EngineOptions(EvidenceOptions):
    """The store, and the search engine."""

    engine: Text | None = option(
        None,
        OptionFacts(
            help="Search engine: google, bing, or a name; with import and --fields, the one that the file is from",
            panel=Panel.STORE,
            metavar="NAME",
            faces=PER_RUN,
            default_text="google if the store has its reports, otherwise the first one",
        ),
    )


@option_group(panel=Panel.REPORT, faces=PER_RUN)
class CoverageOptions(RuleOptions, EngineOptions):
    """Options of `coverage`: which run and search engine to show, and which rules run."""

    run: Positive | None = run_option(PER_RUN)
    by: By = option(
        By.DOCUMENT,
        OptionFacts(
            help="Rows of the funnel: document or section",
            metavar="WHAT",
        ),
    )
    rows: Natural = option(40, OptionFacts(help="Rows of the funnel to show; 0 for all", metavar="N"))
    fail_on: FailOn = fail_on_option(PER_RUN)


@option_group(panel=Panel.REPORT, faces=PER_RUN)
class CoverageDiffOptions(EngineOptions):
    """Options of `coverage diff`: the two days, and how many URLs to show."""

    since: Text = option(
        "28d",
        OptionFacts(help="First day to compare, as a date or a period such as 28d", metavar="WHEN"),
    )
    until: Text | None = option(
        None,
        OptionFacts(
            help="Second day to compare, as a date or a period such as 7d", metavar="WHEN", default_text="today"
        ),
    )
    rows: Natural = option(20, OptionFacts(help="URLs of each kind of change to show", metavar="N"))

    def check(self) -> None:
        for name, when in (("since", self.since), ("until", self.until)):
            if when is not None:
                earlier_time(name, when, datetime.now(UTC))


@option_group(panel=Panel.STORE, faces=PER_RUN)
class ImportOptions(EngineOptions):
    """Options of `coverage import`."""

    fields: Mapping[Text, Text] = option_from(
        dict,
        OptionFacts(
            help="Column of a CSV file for url, state, reason, last_crawled, canonical, or "
            "user_canonical; can be repeated",
            metavar="FIELD=COLUMN",
        ),
    )
    state: StateName | None = option(
        None,
        OptionFacts(
            help="State of the URLs of a file that does not state it: indexed or not-indexed",
            metavar="STATE",
        ),
    )
    dates: DateOrder | None = option(
        None,
        OptionFacts(
            help="Order of day and month in a column of dates such as 8/2/2026: dmy or mdy",
            metavar="ORDER",
        ),
    )

    def check(self) -> None:
        unknown = [name for name in self.fields if name not in FIELDS]
        if unknown:
            raise UsageError(f"fields: unknown field {unknown[0]!r}; known fields: {', '.join(FIELDS)}")
        if self.fields and "url" not in self.fields:
            raise UsageError("fields: name the column with the URLs, as in url=Address")
        if self.fields and self.engine is None:
            raise UsageError("fields: name the search engine that the file is from with --engine")


@option_group(panel=Panel.GOOGLE, faces=PER_RUN)
class SearchConsoleOptions(OptionGroup):
    """The property of Search Console, and the account with access to it."""

    property: Text | None = option(
        None,
        OptionFacts(
            help="Property of Search Console, such as sc-domain:example.com or https://example.com/",
            metavar="PROPERTY",
        ),
    )
    credentials: Path | None = option(
        None,
        OptionFacts(
            help="For Google: JSON key of a service account, or credentials of `gcloud auth`",
            metavar="FILE",
            is_place=True,
        ),
    )
    api: Text = option(
        GOOGLE_API,
        OptionFacts(rare=True, help="URL of the API of Search Console", metavar="URL"),
    )

    def check(self) -> None:
        if origin_of(self.api) is None:
            raise UsageError(f"api: must be an absolute http(s) URL, not {self.api!r}")
        name = self.property
        if name is not None and origin_of(name) is None and not name.startswith(DOMAIN):
            raise UsageError(
                f"property: must be {DOMAIN}HOST or an absolute http(s) URL, not {name!r}; for a domain property, use "
                f"{DOMAIN}{name}"
            )


@option_group(panel=Panel.GOOGLE, faces=PER_RUN)
class InspectionOptions(ReadOptions, SearchConsoleOptions, EngineOptions):
    """Options of `coverage inspect`: the URL Inspection API of Google."""

    sample: Positive | None = option(
        None,
        OptionFacts(
            help="Inspect only N listed URLs, spread evenly over the sitemaps",
            metavar="N",
            more="2,401 URLs are enough for ±2 percentage points with 95% confidence.",
        ),
    )
    per_day: PerDay = option(
        1_900,
        OptionFacts(
            help="Maximum requests for the property in 24 hours, counted in the store",
            metavar="N",
            more="Google allows 2,000 a day.",
        ),
    )
    resume: bool = option(
        False,
        OptionFacts(
            help="Continue the last sample of the property instead of drawing a new one",
        ),
    )


@option_group(panel=Panel.GOOGLE, faces=PER_RUN)
class ImpressionsOptions(ReadOptions, SearchConsoleOptions, EvidenceOptions):
    """Options of `coverage impressions`: the Search Analytics API of Google."""

    since: Text | None = option(
        None,
        OptionFacts(
            help="First day, as a date or a period such as 90d",
            metavar="WHEN",
            default_text="the first day in the store, or 28 days ago",
            more="Google keeps 16 months.",
        ),
    )
    search_type: SearchType = option(
        SearchType.WEB,
        OptionFacts(
            help="Type of search: web, image, video, news, discover, or google-news",
            metavar="TYPE",
        ),
    )

    def check(self) -> None:
        if self.since is not None:
            earlier_time("since", self.since, datetime.now(UTC))


@option_group(panel=Panel.GOOGLE, faces=PER_RUN)
class WebmasterOptions(SearchConsoleOptions):
    """The accounts of Search Console and Bing Webmaster Tools that know when a sitemap was read last."""

    bing_key: Path | None = option(
        None,
        OptionFacts(
            help="For Bing: file with the API key of Bing Webmaster Tools",
            metavar="FILE",
            is_place=True,
        ),
    )
    bing_site: Text | None = option(
        None,
        OptionFacts(
            help="For Bing: URL of the site as in Bing Webmaster Tools",
            metavar="URL",
            default_text="the home page of the property",
        ),
    )
    bing_api: Text = option(
        BING_API,
        OptionFacts(rare=True, help="URL of the API of Bing", metavar="URL"),
    )


@option_group
class ReportedSitemapsOptions(ReadOptions, WebmasterOptions, EvidenceOptions):
    """Options of `coverage sitemaps`: what search engines say about submitted sitemaps."""


@option_group
class ClientsOptions(CheckOptions, WebmasterOptions):
    """Options of `check --clients`."""

    store: Path | None = option(
        None,
        OptionFacts(
            help="With credentials of a search engine, say whether the sitemap has changed since, by the runs of this "
            "store",
            panel=Panel.GOOGLE,
            metavar="FILE",
            is_place=True,
            faces=PER_RUN,
        ),
    )

    def check(self) -> None:
        if self.store is not None and self.credentials is None and self.bing_key is None:
            raise UsageError(
                "--store requires the credentials of a search engine, since it is compared with its reading"
            )
