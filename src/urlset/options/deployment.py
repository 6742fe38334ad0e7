"""Options of `deploy-check`: which URLs of a directory are compared with what its site serves, and how long."""

from __future__ import annotations

from pathlib import Path

from urlset.options.declare import (
    PER_RUN,
    Natural,
    OptionFacts,
    Panel,
    Positive,
    Text,
    option,
    option_group,
)
from urlset.options.judging import AdjustedRuleOptions
from urlset.options.publishing import FolderOptions
from urlset.options.verbs import ReadOptions


@option_group(faces=PER_RUN)
class DeployCheckOptions(ReadOptions, AdjustedRuleOptions, FolderOptions):
    """Options of `deploy-check`."""

    # The site is an argument.
    base_url: Text | None = None

    sample: Positive | None = option(
        None,
        OptionFacts(
            help="Compare an evenly spaced sample of N pages",
            panel=Panel.PAGES,
            metavar="N",
            default_text="all pages",
        ),
    )
    assets: bool = option(
        False,
        OptionFacts(
            help="Also compare all other files, such as images, scripts, and styles",
            panel=Panel.PAGES,
        ),
    )
    wait: Natural = option(
        0,
        OptionFacts(
            help="Retry differing URLs for up to SECONDS, until they match the build",
            panel=Panel.NETWORK,
            metavar="SECONDS",
        ),
    )
    store: Path | None = option(
        None,
        OptionFacts(
            help="Store with earlier builds, to identify the one that is served",
            panel=Panel.STORE,
            metavar="FILE",
        ),
    )
    max_page_bytes: Positive = option(
        2 * 1024 * 1024,
        OptionFacts(
            rare=True,
            help="Maximum bytes of a page to compare",
            panel=Panel.PAGES,
            metavar="BYTES",
            default_text="2 MiB",
        ),
    )
