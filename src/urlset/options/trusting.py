"""Options of `lastmod`: how a site is audited, and how much trust is required."""

from __future__ import annotations

from pathlib import Path

from urlset.options.auditing import AuditOptions
from urlset.options.declare import PER_RUN, OptionFacts, Panel, Positive, Share, option, option_group


@option_group
class LastmodOptions(AuditOptions):
    """Options of `lastmod`: those of an audit that concern dates."""

    pages: bool = True
    images: bool = False
    links: bool = False
    crawl: bool = False
    crawl_depth: Positive = 10
    inventory: Path | None = None
    score: bool = False
    resume: bool = False
    # An audit always searches sites and follows indexes.
    discover: bool = True
    expand: bool = True

    min_trust: Share | None = option(
        None,
        OptionFacts(
            help="Fail if the share of true dates is lower, from 0 to 1, in total or in a sitemap",
            panel=Panel.REPORT,
            metavar="SHARE",
            example="0.9",
            faces=PER_RUN,
            default_text="never fail",
            more="A sitemap with fewer than 30 comparable pages never fails.",
        ),
    )
