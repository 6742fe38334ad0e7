"""Options for comparing two sides."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from urlset.options.declare import PER_RUN, OptionFacts, Panel, Percentage, Positive, option, option_group
from urlset.options.publishing import FolderOptions
from urlset.options.verbs import ValidateOptions


class FailOnChange(StrEnum):
    """Which changes make `diff` fail."""

    ALARM = "alarm"
    """Changes that are rarely intended: many URLs or whole sitemaps removed, pages no longer indexable, new errors."""
    WARNING = "warning"
    """These, and new warnings."""
    ANY = "any"
    NEVER = "never"


class UrlSelection(StrEnum):
    """Which URLs `diff` lists."""

    ADDED = "added"
    """Those that only the later side lists."""
    REMOVED = "removed"
    """Those that only the earlier side lists."""
    CHANGED = "changed"
    """Those with a different lastmod."""
    ALL = "all"


class PageProperty(StrEnum):
    """Properties of a page that `diff` compares, most consequential first."""

    INDEXABLE = "indexable"
    STATUS = "status"
    REDIRECT = "redirect"
    CONTENT_TYPE = "content-type"
    ROBOTS = "robots"
    CANONICAL = "canonical"
    HREFLANG = "hreflang"
    TITLE = "title"
    TEXT = "text"
    LINKS = "links"
    LASTMOD = "lastmod"

    @property
    def words(self) -> str:
        """Its name in sentences."""
        return _WORDS.get(self, self.value)


_WORDS = {
    PageProperty.INDEXABLE: "indexability",
    PageProperty.CONTENT_TYPE: "content type",
    PageProperty.ROBOTS: "robots directives",
    PageProperty.TEXT: "main text",
    PageProperty.LINKS: "number of links",
}


@option_group(faces=PER_RUN)
class DiffOptions(ValidateOptions, FolderOptions):
    """Options of `diff`: how the two sides are read and compared."""

    robots: bool = False
    xsd: Path | None = None

    rules: bool = option(
        True,
        OptionFacts(
            help="Run the rules on both sides and compare their findings",
            without="Do not run the rules or compare findings",
            panel=Panel.RULES,
        ),
    )
    max_drop: Percentage = option(
        10.0,
        OptionFacts(
            help="Maximum percentage of URLs that can be removed without an alarm",
            panel=Panel.REPORT,
            metavar="PERCENT",
        ),
    )
    changes: tuple[PageProperty, ...] = option(
        tuple(PageProperty),
        OptionFacts(
            help="Page properties to compare",
            panel=Panel.PAGES,
            metavar="NAME",
            example='["title", "canonical"]',
            commas=True,
            default_text="all",
            more="Can be repeated. Has an effect only if both sides are audited.",
        ),
    )
    ask_removed: Positive | None = option(
        None,
        OptionFacts(
            help="Request the first N URLs that are no longer listed, and show what they return now",
            panel=Panel.PAGES,
            metavar="N",
        ),
    )
