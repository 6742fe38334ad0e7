"""Options for the pages that sitemaps list: which of them are fetched, and how."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from urlset.errors import UsageError
from urlset.options.declare import (
    PER_RUN,
    SETTING,
    OptionFacts,
    Panel,
    Positive,
    PositiveNumber,
    Resume,
    Text,
    option,
    option_group,
)
from urlset.options.publishing import FolderOptions


class ProbeMethod(StrEnum):
    """The HTTP method for listed pages."""

    AUTO = "auto"
    """HEAD for names that are not HTML (.pdf, .jpg), and GET for the rest. GET also follows a HEAD that the server does
    not support, or whose response is HTML."""
    HEAD = "head"
    """HEAD, and GET if the server does not support it. The content of pages stays unknown."""
    GET = "get"


@option_group(panel=Panel.PAGES, resume=Resume.KEPT)
class ProbingOptions(FolderOptions):
    """Which listed pages are fetched, and how."""

    TABLE: ClassVar[str] = "audit"

    def check(self) -> None:
        """Check that the options on links can apply."""
        if self.clients is not None and not self.pages:
            raise UsageError("--clients cannot be combined with --no-pages: it asks for pages that were fetched")
        name = "--crawl" if self.crawl else "--links" if self.links else "--external"
        if self.reads_links and not self.pages:
            raise UsageError(f"{name} cannot be combined with --no-pages: links are read from the listed pages")
        if self.reads_links and self.method is ProbeMethod.HEAD:
            raise UsageError(f"{name} cannot be combined with --method head: links are read from the listed pages")

    @property
    def reads_links(self) -> bool:
        return self.links or self.crawl or self.external

    pages: bool = option(
        True,
        OptionFacts(
            help="Fetch the listed pages",
            without="Do not fetch the listed pages",
            example="false",
        ),
    )
    clients: Positive | None = option(
        None,
        OptionFacts(
            resume=Resume.NEW,
            rare=True,
            help="Also ask for N of the listed pages as crawlers do, as `urlset check --clients`; for your own sites",
            metavar="N",
            faces=PER_RUN,
            more="It sends about 20 requests per page, one a second unless `rate` says otherwise.",
        ),
    )
    images: bool = option(
        False,
        OptionFacts(
            rare=True,
            help="Also check listed images, thumbnails, and videos",
            example="true",
            more="Images and thumbnails are fetched; videos are only checked against robots.txt.",
        ),
    )
    sample: Positive | None = option(
        None,
        OptionFacts(
            help="Fetch an evenly spaced sample of N pages",
            metavar="N",
            example="1_000",
            default_text="all pages",
        ),
    )
    max_pages: Positive | None = option(
        None,
        OptionFacts(
            rare=True,
            help="Stop fetching after N pages",
            metavar="N",
            example="50_000",
            default_text="all pages",
        ),
    )
    include: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Fetch only pages whose URL matches GLOB; can be repeated",
            metavar="GLOB",
            example='["*/blog/*"]',
        ),
    )
    exclude: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Skip pages whose URL matches GLOB; can be repeated",
            metavar="GLOB",
            example='["*?sort=*"]',
        ),
    )
    method: ProbeMethod = option(
        ProbeMethod.AUTO,
        OptionFacts(
            rare=True,
            help="HTTP method for pages: auto, head, or get",
            metavar="METHOD",
            example='"get"',
            more="auto uses HEAD for extensions such as .pdf or .jpg, and GET for the rest.",
        ),
    )
    max_page_bytes: Positive = option(
        2 * 1024 * 1024,
        OptionFacts(
            faces=SETTING,
            help="Maximum bytes to read from a page",
            metavar="BYTES",
            example="500_000",
            default_text="2 MiB",
        ),
    )
    max_traffic: Positive | None = option(
        None,
        OptionFacts(
            rare=True,
            help="Stop fetching pages after this many bytes",
            metavar="BYTES",
            example="10_000_000_000",
            default_text="no limit",
        ),
    )
    max_time: PositiveNumber | None = option(
        None,
        OptionFacts(
            rare=True,
            help="Stop fetching pages after SECONDS",
            metavar="SECONDS",
            example="3_600",
            default_text="no limit",
        ),
    )
    ask_forbidden: bool = option(
        False,
        OptionFacts(
            rare=True,
            help="Also fetch pages that robots.txt disallows; only for your own site",
            example="true",
        ),
    )
    robots_agent: Text = option(
        "urlset",
        OptionFacts(
            faces=SETTING,
            help="User agent to match in robots.txt",
            metavar="NAME",
            example='"examplebot"',
        ),
    )
    links: bool = option(
        False,
        OptionFacts(
            help="Also check the links between pages: orphans, and links to unlisted or broken pages; implied by a "
            "directory",
            example="true",
        ),
    )
    crawl: bool = option(
        False,
        OptionFacts(
            help="Also fetch pages of the same host that are linked but not listed; implies --links",
            example="true",
        ),
    )
    external: bool = option(
        False,
        OptionFacts(
            rare=True,
            help="Also request the links to other sites, once a second per host; implies --links",
            example="true",
            more="Each is requested once, with HEAD, and with GET if the response is an error; at most 5,000, and 100 "
            "of a host. It is the only option with which an audit of a directory uses the network.",
        ),
    )
    crawl_depth: Positive = option(
        10,
        OptionFacts(
            faces=SETTING,
            help="Maximum number of links to follow from home and listed pages with --crawl",
            metavar="N",
            example="3",
        ),
    )
    inventory: Path | None = option(
        None,
        OptionFacts(
            resume=Resume.GIVEN_AGAIN,
            help="File of known URLs: text, CSV, Parquet, or a crawler's export; report those that no sitemap lists",
            metavar="FILE",
            example='"urls.txt"',
            is_place=True,
        ),
    )
    inventory_column: Text | None = option(
        None,
        OptionFacts(
            faces=SETTING,
            help="Column of the inventory with the URLs",
            metavar="NAME",
            example='"Address"',
            default_text="found by name or content",
        ),
    )
    score: bool = option(
        True,
        OptionFacts(
            rare=True,
            help="Score each site as `urlset check` does",
            without="Do not score the sites",
            example="false",
        ),
    )
