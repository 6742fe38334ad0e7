"""Options for finding the sitemaps of a site."""

from __future__ import annotations

from urlset.options.declare import PER_RUN, OptionFacts, Panel, Positive, Text, option, option_group
from urlset.options.verbs import ReadOptions


@option_group(panel=Panel.TARGETS, faces=PER_RUN)
class DiscoverOptions(ReadOptions):
    """Options of `discover`: where to look for the sitemaps of a site."""

    paths: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="Try PATH before the common locations; can be repeated",
            metavar="PATH",
            commas=True,
        ),
    )
    max_candidates: Positive = option(
        1_000,
        OptionFacts(
            help="Maximum number of URLs to try; the others are listed as not requested",
            metavar="N",
        ),
    )
