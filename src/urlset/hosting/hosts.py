"""The table of hosts: how each maps URLs to the files of a directory, with the documentation that says so."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from urlset.options.publishing import HostName


class Slash(Enum):
    """The response of a host to a URL that has, or lacks, a trailing slash."""

    SERVE = "serve"
    """It serves the page."""
    REDIRECT = "redirect"
    """It redirects to the other spelling."""
    MISSING = "missing"
    """It returns 404."""


class Host(Struct, frozen=True, kw_only=True):
    """The rules by which a host maps URLs to files.

    Attributes:
        name: Its name; None if the host is unknown.
        sources: Where this is documented.
        files: Its configuration files in the directory, which it does not serve; the first ones identify it.
        domains: The domains below which it serves sites.
        bare: `/a` for `a.html`.
        bare_slash: `/a/` for `a.html`.
        folder: `/a` for `a/index.html`.
        folder_slash: `/a/` for `a/index.html`.
        drops_extension: Whether it redirects `/a.html` and `/a/index.html` to the URL without the file name.
        prefers_folder: Whether `/a` is `a/index.html` rather than `a.html` if both exist.
        status: Status code of these redirects.
        error_page: The file that it serves for URLs without a file; None for none.
        nearest_error_page: Whether it also searches parent directories for this file.
        single_page: Whether it serves the home page for URLs without a file if there is no error page.
        hides_underscore: Whether it leaves out files and directories whose name starts with `_`.
    """

    name: HostName | None
    sources: tuple[str, ...]
    files: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ("index.html",)
    bare: Slash = Slash.MISSING
    bare_slash: Slash = Slash.MISSING
    folder: Slash = Slash.REDIRECT
    folder_slash: Slash = Slash.SERVE
    drops_extension: bool = False
    prefers_folder: bool = False
    status: int = 301
    error_page: str | None = "404.html"
    nearest_error_page: bool = False
    single_page: bool = False
    html_type: str = "text/html; charset=utf-8"
    hides_underscore: bool = False

    @property
    def respelled(self) -> dict[str, tuple[list[str], str]]:
        """Spellings of URLs that it redirects by itself, and where to, by file: `a.html` and `a/index.html`."""
        of_page = "/a/" if self.bare is Slash.REDIRECT else "/a"
        of_folder = "/a" if self.folder_slash is Slash.REDIRECT else "/a/"
        redirected = {
            "a.html": (
                [
                    *(["/a.html"] if self.drops_extension else []),
                    *(["/a"] if self.bare is Slash.REDIRECT else []),
                    *(["/a/"] if self.bare_slash is Slash.REDIRECT else []),
                ],
                of_page,
            ),
            "a/index.html": (
                [
                    *(["/a/index.html"] if self.drops_extension else []),
                    *(["/a"] if self.folder is Slash.REDIRECT else []),
                    *(["/a/"] if self.folder_slash is Slash.REDIRECT else []),
                ],
                of_folder,
            ),
        }
        return {file: found for file, found in redirected.items() if found[0]}


HOSTS = {
    host.name: host
    for host in (
        Host(
            name=HostName.NETLIFY,
            sources=(
                "https://docs.netlify.com/manage/routing/redirects/overview/",
                "https://docs.netlify.com/manage/routing/redirects/redirect-options/#trailing-slash",
                "https://docs.netlify.com/manage/routing/headers/",
                "https://github.com/slorber/trailing-slash-guide",
            ),
            files=("_redirects", "_headers", "netlify.toml"),
            domains=("netlify.app",),
            bare=Slash.SERVE,
            bare_slash=Slash.REDIRECT,
        ),
        Host(
            name=HostName.CLOUDFLARE,
            sources=(
                "https://developers.cloudflare.com/pages/configuration/serving-pages/",
                "https://developers.cloudflare.com/pages/configuration/redirects/",
                "https://developers.cloudflare.com/pages/configuration/headers/",
                "https://developers.cloudflare.com/workers/static-assets/routing/",
                "https://github.com/slorber/trailing-slash-guide",
            ),
            files=(
                "_worker.js",
                "_routes.json",
                "_redirects",
                "_headers",
                "wrangler.jsonc",
                "wrangler.json",
                "wrangler.toml",
            ),
            domains=("pages.dev", "workers.dev"),
            bare=Slash.SERVE,
            bare_slash=Slash.REDIRECT,
            drops_extension=True,
            status=308,
            nearest_error_page=True,
            single_page=True,
        ),
        Host(
            name=HostName.VERCEL,
            sources=(
                "https://vercel.com/docs/project-configuration/vercel-json",
                "https://vercel.com/docs/redirects/configuration-redirects",
                "https://github.com/slorber/trailing-slash-guide",
            ),
            files=("vercel.json",),
            domains=("vercel.app",),
            folder=Slash.SERVE,
            prefers_folder=True,
            status=308,
        ),
        Host(
            name=HostName.GITHUB,
            sources=(
                "https://docs.github.com/en/pages/getting-started-with-github-pages/creating-a-custom-404-page-for-your-github-pages-site",
                "https://github.blog/news-insights/bypassing-jekyll-on-github-pages/",
                "https://github.com/slorber/trailing-slash-guide",
            ),
            files=(".nojekyll", "CNAME"),
            domains=("github.io",),
            bare=Slash.SERVE,
        ),
        Host(
            name=HostName.FIREBASE,
            sources=("https://firebase.google.com/docs/hosting/full-config",),
            files=("firebase.json",),
            domains=("web.app", "firebaseapp.com"),
            prefers_folder=True,
        ),
        Host(
            name=HostName.AZURE,
            sources=(
                "https://learn.microsoft.com/azure/static-web-apps/configuration",
                "https://learn.microsoft.com/azure/static-web-apps/configuration#trailing-slash",
            ),
            files=("staticwebapp.config.json",),
            domains=("azurestaticapps.net",),
            bare=Slash.SERVE,
            bare_slash=Slash.REDIRECT,
            folder=Slash.SERVE,
            error_page=None,
        ),
        Host(
            name=HostName.APACHE,
            sources=(
                "https://httpd.apache.org/docs/2.4/mod/mod_dir.html",
                "https://httpd.apache.org/docs/2.4/mod/mod_alias.html",
                "https://httpd.apache.org/docs/2.4/mod/mod_headers.html",
            ),
            files=(".htaccess",),
            # The second one is not a default of Apache, but of the distributions and panels that run PHP.
            indexes=("index.html", "index.php"),
            error_page=None,
            html_type="text/html",
        ),
        Host(
            name=HostName.PLAIN,
            sources=("https://nginx.org/en/docs/http/ngx_http_index_module.html",),
            error_page=None,
            html_type="text/html",
        ),
    )
}

WORKERS: dict[str, object] = {"status": 307, "single_page": False}
"""How Cloudflare Workers differs from Cloudflare Pages, with the defaults of its configuration.

https://developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling/"""


def host_of_domain(name: str) -> HostName | None:
    """Return the host that serves all sites below a domain; None if there is none.

    Example:
        >>> host_of_domain("someone.github.io"), host_of_domain("github.io.example")
        (<HostName.GITHUB: 'github'>, None)
    """
    return next(
        (host.name for host in HOSTS.values() if any(name.endswith(f".{domain}") for domain in host.domains)), None
    )


UNKNOWN = Host(
    name=None,
    # Where hosts differ, the answer of most: see the table.
    sources=("https://github.com/slorber/trailing-slash-guide",),
    bare=Slash.SERVE,
    html_type="text/html",
)
"""The host if no file names it: only what most hosts do counts against a page."""
