"""Options of `urlset build`: sites, an index over them, and how a build runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from urlset.errors import UsageError
from urlset.options.declare import (
    COMMAND_LINE,
    PER_RUN,
    SETTING,
    Face,
    OptionFacts,
    OptionGroup,
    Panel,
    Text,
    option,
    option_from,
    option_group,
    required,
)
from urlset.options.notifying import IndexNowOptions
from urlset.options.sources import DEFAULT_LASTMOD, LASTMOD_FROM, LastmodSource, Source
from urlset.options.verbs import ReadOptions
from urlset.options.writing import IndexDateForm, WriteOptions


@option_group(panel=Panel.OUTPUT)
class SiteOptions(WriteOptions):
    """Where the sitemaps of a site are published, and what they list."""

    base_url: str = option(
        "",
        OptionFacts(
            help="URL that the output directory is published at",
            metavar="URL",
            example='"https://example.com/"',
        ),
    )
    out: str = option(
        "",
        OptionFacts(
            has_user=True,
            help="Directory for the sitemaps, or an fsspec URL; - for standard output",
            metavar="DIR",
            short="o",
            example='"public"',
            is_place=True,
        ),
    )
    robots: Path | None = option(
        None,
        OptionFacts(
            help="Update the Sitemap lines of this robots.txt, and obey its rules",
            metavar="FILE",
            example='"public/robots.txt"',
            is_place=True,
        ),
    )
    obey_robots: bool = option(
        True,
        OptionFacts(
            help="Leave out pages that robots.txt disallows",
            without="Also list pages that robots.txt disallows",
            panel=Panel.ENTRIES,
            example="false",
        ),
    )
    robots_agent: Text = option(
        "*",
        OptionFacts(
            faces=SETTING,
            help="Crawler to evaluate robots.txt for",
            panel=Panel.ENTRIES,
            metavar="NAME",
            example='"Googlebot"',
        ),
    )
    lastmod_from: tuple[LastmodSource, ...] = option(DEFAULT_LASTMOD, LASTMOD_FROM)
    content: Path | None = option(
        None,
        OptionFacts(
            help="Directory of the files that HTML pages are generated from, for lastmod from git-text",
            panel=Panel.ENTRIES,
            metavar="DIR",
            example='"content"',
            rare=True,
            is_place=True,
            default_text="that of the generator, if the pages are in its project",
        ),
    )
    previous: Text | None = option(
        None,
        OptionFacts(
            rare=True,
            has_user=True,
            help="Published sitemap whose dates git-text keeps for unchanged pages if the Git history is incomplete",
            panel=Panel.ENTRIES,
            metavar="URL|FILE",
            example='"https://example.com/sitemap.xml"',
            more="A page is unchanged if the last build recorded the same text and date, or if the published HTML page "
            "has the same main text. The page is fetched for this if the sitemap is a URL on its host.",
        ),
    )
    state: Path | None = option(
        None,
        OptionFacts(
            rare=True,
            help="File that keeps page data between builds",
            metavar="FILE",
            example='".urlset-state.json"',
            is_place=True,
            default_text="in the state directory of the user",
            more="Set it if `out` is emptied between builds.",
        ),
    )


@option_group
class Site(SiteOptions):
    """One set of sitemaps, of one host.

    Attributes:
        sources: The sources of its entries, in order: `HtmlFolder`, `UrlList`, and so on, or a path or URL whose kind
            is detected as in `urlset build`.
    """

    sources: tuple[Source | str, ...] = field(default=())

    def check(self) -> None:
        object.__setattr__(self, "sources", tuple(self.sources))
        for name in ("base_url", "out", "sources"):
            if not getattr(self, name):
                raise UsageError(f"{name} is missing")


@option_group(panel=Panel.OUTPUT, faces=SETTING)
class RemoteSitemap(OptionGroup):
    """A remote sitemap that an index lists."""

    TABLE: ClassVar[str] = "build.index.remote"

    loc: Text = required(OptionFacts(help="URL of the sitemap", example='"https://cdn.example.com/a.xml"'))
    lastmod: Text | None = option(None, OptionFacts(help="lastmod of the sitemap", example='"2026-01-01"'))


@option_group(panel=Panel.OUTPUT, faces=SETTING)
class IndexSpec(OptionGroup):
    """One index over the sitemaps of all sites, and over remote ones."""

    TABLE: ClassVar[str] = "build.index"

    base_url: Text = required(
        OptionFacts(
            help="URL that the output directory is published at",
            example='"https://example.com/"',
        )
    )
    out: Text = required(
        OptionFacts(
            has_user=True,
            help="Directory for the index, or an fsspec URL",
            example='"public"',
            is_place=True,
        )
    )
    name: Text = option(
        "sitemap",
        OptionFacts(help="Base name of the index", example='"index"'),
    )
    remote: tuple[RemoteSitemap, ...] = option(
        (),
        OptionFacts(
            help="Remote sitemaps to list as well: URLs, or tables with loc and lastmod",
            example='["https://cdn.example.com/sitemap.xml"]',
        ),
    )
    gzip: bool = option(False, OptionFacts(help="Compress the index", example="true"))
    lastmod: IndexDateForm = option(
        "datetime",
        OptionFacts(
            help="Format of each sitemap's newest lastmod: datetime, date, or none",
            example='"date"',
        ),
    )
    pretty: bool = option(
        False,
        OptionFacts(help="Indent the XML, with one element per line", example="true"),
    )
    stylesheet: str | None = option(
        None,
        OptionFacts(help="XSL stylesheet of the index", example='"/sitemap.xsl"'),
    )


@option_group(panel=Panel.OUTPUT, faces=SETTING)
class LlmsSpec(OptionGroup):
    """The llms.txt of each site: its text for a new file, and its sections."""

    TABLE: ClassVar[str] = "build.llms"

    title: str = option(
        "", OptionFacts(help="Title of a new llms.txt", example='"Example Docs"', default_text="that of the home page")
    )
    summary: str = option(
        "",
        OptionFacts(
            help="Summary of a new llms.txt",
            example='"How to use Example."',
            default_text="the description of the home page",
        ),
    )
    sections: Mapping[Text, Text] = option_from(
        dict,
        OptionFacts(
            help="Section heading for each path, relative to the base URL; other pages get a section per folder",
            example='{ "/docs/" = "Documentation" }',
        ),
    )
    full: bool = option(
        False, OptionFacts(help="Also write llms-full.txt, with the text of all pages, up to 10 MiB", example="true")
    )


@dataclass(frozen=True, kw_only=True)
class BuildSpec:
    """What to build.

    Attributes:
        sites: The sites, in the order of the file.
        index: The index over them, if any.
        llms: The llms.txt of each site; None if the file has no table for it.
        assumed: What was inferred because it was not given, as sentences.
    """

    sites: tuple[Site, ...] = ()
    index: IndexSpec | None = None
    llms: LlmsSpec | None = None
    assumed: tuple[str, ...] = ()


@option_group(panel=Panel.REPORT)
class BuildOptions(ReadOptions, IndexNowOptions):
    """Options of `build`: how a build runs."""

    notify: bool = option(
        False,
        OptionFacts(
            help="After publishing, tell search engines with IndexNow which URLs changed since the last time",
            panel=Panel.INDEXNOW,
            faces=PER_RUN,
        ),
    )

    llms: bool = option(
        False,
        OptionFacts(
            help="Also write llms.txt, from the listed pages of directories of HTML",
            panel=Panel.OUTPUT,
            faces=PER_RUN,
            more="The table `[build.llms]` has the same effect.",
        ),
    )
    check_only: bool = option(
        False,
        OptionFacts(
            help="Write nothing; exit with 1 if anything would change or is wrong",
            faces=COMMAND_LINE,
            spelling="check",
        ),
    )
    links: bool = option(
        False,
        OptionFacts(
            help="With --check: also check the links between the pages of directories, without network",
            faces=COMMAND_LINE,
        ),
    )
    dry_run: bool = option(False, OptionFacts(help="Write nothing; report what would be written", faces=PER_RUN))
    diff: bool = option(
        False,
        OptionFacts(help="Write nothing; show what would change, URL by URL", faces=COMMAND_LINE),
    )
    explain_lastmod: Text | None = option(
        None,
        OptionFacts(
            help="Write nothing; show where the lastmod of URL comes from",
            metavar="URL",
            faces=PER_RUN,
        ),
    )
    left_out: Path | None = option(
        None,
        OptionFacts(
            rare=True,
            is_output=True,
            help="Write every page and entry that is left out to FILE, as JSON lines",
            metavar="FILE",
            faces=PER_RUN,
        ),
    )
    now: datetime | None = option(
        None,
        OptionFacts(
            help="Current time, to detect dates in the future; by default the system time",
            faces=frozenset({Face.PYTHON}),
        ),
    )

    @property
    def writes(self) -> bool:
        """Whether anything is published."""
        return not (self.check_only or self.dry_run or self.diff or self.explain_lastmod)


def sensitive_parameters(limits: Mapping[str, object], defaults: Mapping[str, object]) -> tuple[str, ...] | None:
    """Return the sensitive parameters that the limits of a configuration set; None if they set none."""
    lists = ("secret_parameters", "sensitive_parameters")
    if limits.keys().isdisjoint(lists):
        return None
    lists_of_names = (limits.get(key, defaults[key]) for key in lists)
    return tuple(name for names in lists_of_names if isinstance(names, tuple) for name in names)
