"""How a directory of pages is published: its base URL, and the host that serves it."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from urlset.options.declare import PER_RUN, OptionFacts, OptionGroup, Panel, Resume, Text, option, option_group


class HostName(StrEnum):
    """A host of static files."""

    NETLIFY = "netlify"
    VERCEL = "vercel"
    CLOUDFLARE = "cloudflare"
    """Cloudflare Pages and Workers static assets."""
    GITHUB = "github"
    """GitHub Pages."""
    FIREBASE = "firebase"
    """Firebase Hosting."""
    AZURE = "azure"
    """Azure Static Web Apps."""
    APACHE = "apache"
    """Apache HTTP Server."""
    PLAIN = "plain"
    """A server that serves files under their names, and index.html for directories, such as nginx."""


@option_group(panel=Panel.PAGES, faces=PER_RUN, resume=Resume.KEPT)
class FolderOptions(OptionGroup):
    """How a directory of pages is published."""

    TABLE: ClassVar[str] = "audit"

    base_url: Text | None = option(
        None,
        OptionFacts(
            help="URL at which a directory of pages will be published; its files are audited instead of the site",
            metavar="URL",
            example='"https://www.example.com/"',
            default_text="as in sitemaps and canonical links",
        ),
    )
    host: HostName | None = option(
        None,
        OptionFacts(
            rare=True,
            help="Host that will serve the directory: netlify, vercel, cloudflare, github, firebase, azure, apache, or "
            "plain",
            metavar="NAME",
            example='"netlify"',
            default_text="detected from the base URL or the files",
            more="The host decides which file a URL returns, and which redirects and headers its files add.",
        ),
    )
