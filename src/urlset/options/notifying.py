"""Options for telling search engines about changes with IndexNow."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from urlset.errors import UsageError
from urlset.net.origin import origin_of
from urlset.options.declare import (
    PER_RUN,
    SETTING,
    Natural,
    NaturalNumber,
    OptionFacts,
    OptionGroup,
    Panel,
    Text,
    option,
    option_group,
)
from urlset.options.storing import DEFAULT_STORE
from urlset.options.verbs import InspectOptions

ENDPOINTS = (
    "https://api.indexnow.org/indexnow",
    "https://www.bing.com/indexnow",
    "https://yandex.com/indexnow",
)
"""The default endpoints, in the order in which they are tried. They share what they receive:
https://www.indexnow.org/searchengines"""


@option_group(panel=Panel.INDEXNOW)
class IndexNowOptions(OptionGroup):
    """The keys, the endpoints, and the ledger of IndexNow."""

    TABLE: ClassVar[str] = "notify"

    key_file: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Published file with the IndexNow key; with HOST=, the one of this host; can be repeated",
            metavar="[HOST=]FILE",
            example='["public/0f3c8a1e5b7d4962.txt"]',
        ),
    )
    key_location: tuple[Text, ...] = option(
        (),
        OptionFacts(
            rare=True,
            help="URL of the key file, if it is not /KEY.txt; can be repeated, once for each host",
            metavar="URL",
            example='["https://www.example.com/keys/0f3c8a1e5b7d4962.txt"]',
            more="A key file in a directory covers only the URLs in that directory.",
        ),
    )
    endpoint: tuple[Text, ...] = option(
        ENDPOINTS,
        OptionFacts(
            rare=True,
            help="IndexNow endpoint; can be repeated, the next one is used if one cannot take the URLs",
            metavar="URL",
            example='["https://api.indexnow.org/indexnow"]',
            default_text="those of IndexNow, Bing, and Yandex",
        ),
    )
    ledger: Path | None = option(
        None,
        OptionFacts(
            help="Store that records what the endpoints accepted",
            metavar="STORE",
            example='"urlset.duckdb"',
            is_place=True,
            default_text=f"the store of the later run, or {DEFAULT_STORE}",
            spelling="store",
        ),
    )
    wait_live: NaturalNumber = option(
        300.0,
        OptionFacts(
            rare=True,
            help="Wait up to SECONDS until the key file and the new text of pages are online",
            metavar="SECONDS",
            example="60",
        ),
    )
    max_wait: NaturalNumber = option(
        300.0,
        OptionFacts(
            faces=SETTING,
            help="Wait up to SECONDS in total while no endpoint takes more URLs (429), or none can be reached",
            metavar="SECONDS",
            example="60",
        ),
    )

    send_all: bool = option(
        False,
        OptionFacts(
            rare=True,
            help="Send even if it is more than a fifth of a site of 50 URLs or more, or more than 10,000 URLs",
            faces=PER_RUN,
            spelling="all",
        ),
    )

    def check(self) -> None:
        if not self.endpoint:
            raise UsageError("endpoint: name at least one")
        for name, urls in (("endpoint", self.endpoint), ("key-location", self.key_location)):
            for url in urls:
                if origin_of(url) is None:
                    raise UsageError(f"{name}: must be an absolute http(s) URL, not {url!r}")


@option_group(faces=PER_RUN)
class NotifyOptions(InspectOptions, IndexNowOptions):
    """Options of `notify`: what to send, and how the two sides are read."""

    dry_run: bool = option(
        False,
        OptionFacts(
            help="Send nothing; show what would be sent",
            panel=Panel.INDEXNOW,
            more="URLs that are no longer listed are still requested, since only those that are gone would be sent.",
        ),
    )
    max_examples: Natural = option(
        10,
        OptionFacts(help="URLs to show of each kind", panel=Panel.REPORT, metavar="N"),
    )
