"""The names of the static hosts whose mapping of URLs to files is known."""

from enum import StrEnum


class HostName(StrEnum):
    """A host of static files."""

    NETLIFY = "netlify"
    """Netlify."""
    VERCEL = "vercel"
    """Vercel."""
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
