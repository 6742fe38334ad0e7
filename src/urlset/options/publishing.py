"""How a directory of pages is published: its base URL, and the host that serves it."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import ClassVar

from urlset.options.declare import (
    PER_RUN,
    Face,
    OptionFacts,
    OptionGroup,
    Panel,
    Resume,
    Text,
    option,
    option_group,
)


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
    """How a directory of pages is published.

    Attributes:
        is_base_configured: Whether the base URL is that of the configuration file, which targets other than directories
            of pages do not need.
    """

    TABLE: ClassVar[str] = "audit"

    base_url: Text | None = option(
        None,
        OptionFacts(
            help="URL at which a directory of pages will be published; its files are audited instead of the site",
            metavar="URL",
            example='"https://www.example.com/"',
            default_text="as in sitemaps and canonical links",
            faces=frozenset(Face),
            more="In a configuration file, it applies to directories of pages only.",
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
    is_base_configured: bool = field(default=False)

    @property
    def asked(self) -> str | None:
        """The option that this call gives for a directory of pages; None if it gives none."""
        if self.base_url is not None and not self.is_base_configured:
            return "--base-url"
        return None if self.host is None else "--host"
