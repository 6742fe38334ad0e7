"""Options for following links from the targets: to the sitemaps of a site, and to those that an index lists."""

from __future__ import annotations

from urlset.options.declare import SETTING, OptionFacts, OptionGroup, Panel, Positive, Resume, option, option_group


@option_group(panel=Panel.FOLLOWING, resume=Resume.KEPT)
class FollowingOptions(OptionGroup):
    """How far links from the targets are followed. Reaching a limit is reported."""

    discover: bool = option(
        False,
        OptionFacts(
            help="Find the sitemaps of each site from robots.txt and common locations",
            panel=Panel.TARGETS,
            more="Links of the home page are searched, too, and the site's robots.txt is checked.",
            example="true",
        ),
    )
    expand: bool = option(
        False,
        OptionFacts(
            help="Follow sitemap indexes",
            panel=Panel.TARGETS,
            example="true",
            more="A listed sitemap that cannot be fetched is a finding, at the line that lists it.",
        ),
    )
    max_depth: Positive = option(
        5,
        OptionFacts(
            rare=True,
            help="Maximum index nesting to follow",
            metavar="N",
            example="2",
        ),
    )
    max_documents: Positive = option(
        100_000,
        OptionFacts(
            rare=True,
            help="Maximum number of documents to read",
            metavar="N",
            example="1_000",
        ),
    )
    max_total_bytes: Positive = option(
        1024**4,
        OptionFacts(
            faces=SETTING,
            help="Stop reading documents after this many bytes in total, after decompression",
            metavar="BYTES",
            example="10_000_000_000",
            default_text="1 TiB",
        ),
    )
