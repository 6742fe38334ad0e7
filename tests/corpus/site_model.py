"""A second opinion on a directory of pages, which shares no code with urlset: lxml reads, GitHub Pages' rules serve.

It answers five questions about a built site and its base URL: which listed URLs have no file, which have noindex, which
have their canonical elsewhere, which links of which pages are broken, and which pages no sitemap lists in any spelling.
"""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree, html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SITEMAP_NAMES = (
    "sitemap.xml", "sitemap.txt", "sitemap_index.xml", "sitemap-index.xml", "wp-sitemap.xml", "sitemapindex.xml",
    "sitemap.xml.gz", "sitemap/sitemap.xml", "news-sitemap.xml", "en/sitemap.xml", "siteindex.xml",
    "sitemap/index.xml", "sitemaps/index.xml", "sitemaps/sitemap.xml", "sitemaps.xml", "sitemaps/sitemap-index.xml",
)  # fmt: skip
"""Where sitemaps usually are, if robots.txt does not say it."""

ERROR_PAGE = re.compile(r"(?:^|/)(?:4\d\d|5\d\d)(?:\.html?|/index\.html)$")
PROOF_OF_OWNERSHIP = re.compile(
    r"(?:google|yandex_|naver|baidu_verify_|pinterest-)[0-9a-zA-Z_-]*[0-9][0-9a-zA-Z_-]*\.html?"
)
LEFT_OUT = re.compile(
    r"[^/]*\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|js|mjs|css|map|woff2?|ttf|eot|otf|mp[34]|webm|ogg|wav|mov|pdf"
    r"|zip|gz|tgz|tar|7z|rar|exe|dmg|apk|jar|iso|docx?|xlsx?|pptx?|epub)",
    re.IGNORECASE,
)
"""Names of files that the archive of built sites left out, or probably did for their size."""

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_ROOT = re.compile(rb"<(?![?!])([\w:-]+)")


# URLs, as a browser resolves them.


def resolve(href: str, base: str) -> str | None:
    """Return the absolute http(s) URL of a link, without its fragment; None if it leads nowhere over HTTP."""
    href = re.sub(r"[\t\n\r]", "", href.strip("".join(map(chr, range(33)))))
    scheme = _SCHEME.match(href)
    if scheme is not None and scheme[0].lower() not in ("http:", "https:"):
        return None
    path, mark, rest = re.match(r"([^?#]*)([?#]?)(.*)", href, re.DOTALL).groups()  # type: ignore[union-attr]
    href = path.replace("\\", "/") + mark + rest
    if scheme is not None:
        name, colon, rest = href.partition(":")
        href = f"{name.lower()}{colon}//{rest.lstrip('/')}"
    try:
        parts = urlsplit(urljoin(base, href.partition("#")[0]))
        host, port = unquote(parts.hostname or ""), parts.port
    except ValueError:
        return None
    if not host or re.search(r"[\s<>^|%\\]", host):
        return None
    shown = host if port in (None, {"http": 80, "https": 443}[parts.scheme]) else f"{host}:{port}"
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{shown}{_without_dots(parts.path)}{query}"


def _without_dots(path: str) -> str:
    """Return a path with unquoted characters, and without the segments `.` and `..`."""
    kept: list[str] = []
    segments = path.split("/")[1:] or [""]
    for number, segment in enumerate(segments):
        dots = segment.lower().replace("%2e", ".")
        if dots == "..":
            del kept[-1:]
        elif dots != ".":
            kept.append(unquote(segment, errors="surrogateescape"))
            continue
        if number == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept)


# Pages, as lxml reads them.


@dataclass(frozen=True)
class Page:
    """What a HTML file says.

    Attributes:
        canonical: The URL of its canonical link in the head.
        noindex: Whether a robots directive of all crawlers or of Googlebot in the head forbids to index it.
        noindex_in_body: Whether one in the body does, as after a head that ended early.
        refresh: Where it refreshes to at once.
        is_empty: Whether it has scripts and not a word of text.
        links: The URLs of `a` and `area`.
    """

    canonical: str | None
    noindex: bool
    noindex_in_body: bool
    refresh: str | None
    is_empty: bool
    links: frozenset[str]


def is_html(content: bytes) -> bool:
    """Return whether a file with the name of a page holds one: not a feed, JSON, plain text, or nothing."""
    text = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"{", b"[")):
        try:
            json.loads(text)
        except ValueError:
            return True
        return False
    root = _ROOT.search(text)
    return root is not None and root[1].lower().rpartition(b":")[2] not in (b"rss", b"feed", b"urlset", b"sitemapindex")


def read_page(content: bytes, url: str) -> Page:
    tree = html.fromstring(_decoded(content), parser=html.HTMLParser(huge_tree=True))
    hrefs = (one.get("href") for one in tree.iter("base"))
    base = resolve(next((href for href in hrefs if href is not None), ""), url) or url
    in_head = [one for head in tree.iter("head") for one in head.iter()]
    canonical = next(
        (
            resolve(one.get("href", ""), base)
            for one in in_head
            if one.tag == "link" and "canonical" in one.get("rel", "").lower().split() and one.get("href")
        ),
        None,
    )
    metas = list(tree.iter("meta"))
    forbidding = [one for one in metas if _forbids(one)]
    refresh = None
    for one in metas:
        if one.get("http-equiv", "").lower() == "refresh":
            found = re.match(r"\s*0*(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", one.get("content", ""), re.I)
            refresh = resolve(found[1], base) if found else None
            break
    links = {
        target
        for one in tree.iter("a", "area")
        if one.get("href") is not None
        and not one.get("href", "").strip().startswith("#")
        and not any(above.tag in ("template", "noscript") for above in one.iterancestors())
        and (target := resolve(one.get("href", ""), base)) is not None
    }
    scripts = list(tree.iter("script"))
    words = " ".join(
        text
        for one in tree.iter(etree.Element)
        if one.tag not in ("script", "style", "title", "noscript", "template")
        for text in (one.text or "", *(below.tail or "" for below in one))
    )
    return Page(
        canonical=canonical,
        noindex=any(one in in_head for one in forbidding),
        noindex_in_body=any(one not in in_head for one in forbidding),
        refresh=refresh,
        is_empty=bool(scripts) and not words.strip(),
        links=frozenset(links),
    )


def _forbids(meta: html.HtmlElement) -> bool:
    """Return whether an element is a robots directive against indexing."""
    words = {word.strip() for word in (meta.get("content") or "").lower().split(",")}
    return (meta.get("name") or "").lower() in ("robots", "googlebot") and bool(words & {"noindex", "none"})


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", "replace")
    else:
        named = re.search(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", content[:2_048], re.I)
        try:
            text = content.decode("utf-8-sig" if named is None else named[1].decode(), "strict")
        except (LookupError, UnicodeDecodeError):
            text = content.decode("utf-8-sig", "replace")
    # lxml takes no declaration of an encoding in text, and stops at a null.
    return re.sub(r"^\s*<\?xml[^>]*\?>", "", text).replace("\0", "\ufffd") or "<html></html>"


# A folder, as GitHub Pages serves it.


@dataclass
class SiteModel:
    """A directory at a base URL.

    Example:
        model = SiteModel(Path("site"), "https://example.org/")
        model.missing, model.broken
    """

    root: Path
    base: str
    sitemaps: list[str] = field(default_factory=list)

    @cached_property
    def files(self) -> frozenset[str]:
        names = (path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file())
        runs_jekyll = not (self.root / ".nojekyll").exists()
        return frozenset(
            name
            for name in names
            if name not in (".nojekyll", "CNAME")
            and not (runs_jekyll and any(part.startswith("_") for part in name.split("/")))
        )

    @cached_property
    def _host(self) -> str:
        return urlsplit(self.base).netloc.lower().removeprefix("www.")

    @cached_property
    def _prefix(self) -> str:
        return "/" + urlsplit(self.base).path.strip("/") + "/" if urlsplit(self.base).path.strip("/") else "/"

    def path_of(self, url: str) -> str | None:
        """Return the path of a URL below the base URL, for either scheme, and with or without www; None outside."""
        parts = urlsplit(url)
        if parts.netloc.lower().removeprefix("www.") != self._host:
            return None
        path = _without_dots(parts.path)
        if not path.startswith(self._prefix):
            return "" if f"{path}/" == self._prefix else None
        return path[len(self._prefix) :]

    def file_of(self, url: str) -> str | None:
        """Return the file that a URL shows in the end; None if it has none, or is not of this site."""
        path = self.path_of(url)
        if path is None or any(part == "" for part in path.split("/")[:-1]):
            return None
        if path == "" or path.endswith("/"):
            wanted = [f"{path}index.html"]
        else:
            wanted = [path, f"{path}.html", f"{path}/index.html"]
        return next((name for name in wanted if name in self.files), None)

    def redirects(self, url: str) -> bool:
        """Return whether the host redirects a URL that has a file to another spelling."""
        path, file = self.path_of(url) or "", self.file_of(url)
        return file is not None and not path.endswith("/") and path != "" and file == f"{path}/index.html"

    def url_of(self, name: str) -> str:
        return (
            resolve(re.sub(r"(^|/)index\.html$", r"\1", name).replace("%", "%25").replace("?", "%3F"), self.base) or ""
        )

    # What is listed.

    @cached_property
    def listed(self) -> frozenset[str]:
        """The URLs of all sitemaps that robots.txt names, of those with usual names, and of their children."""
        robots = self.root / "robots.txt"
        lines = robots.read_text("utf-8", "replace").splitlines() if robots.is_file() and self._prefix == "/" else []
        named = [line.partition(":")[2].strip() for line in lines if line.lower().lstrip().startswith("sitemap:")]
        waiting = [file for url in named if (file := self.file_of(resolve(url, self.base) or "")) is not None]
        # As crawlers do, ask the usual places if robots.txt names nothing.
        waiting += [name for name in SITEMAP_NAMES if name in self.files] if not waiting else []
        found: set[str] = set()
        while waiting:
            name = waiting.pop(0)
            if name in self.sitemaps:
                continue
            self.sitemaps.append(name)
            locs, children = _read_sitemap((self.root / name).read_bytes(), name)
            found.update(url for loc in locs if (url := resolve(loc, self.base)) is not None)
            waiting += [file for url in children if (file := self.file_of(resolve(url, self.base) or "")) is not None]
        return frozenset(found)

    @cached_property
    def listed_here(self) -> frozenset[str]:
        return frozenset(url for url in self.listed if self.path_of(url) is not None)

    @cached_property
    def missing(self) -> frozenset[str]:
        """Listed URLs of the site without a file."""
        return frozenset(url for url in self.listed_here if self.file_of(url) is None)

    @cached_property
    def noindex(self) -> frozenset[str]:
        return frozenset(url for url in self.listed_here if (page := self._page_at(url)) is not None and page.noindex)

    @cached_property
    def noindex_in_body(self) -> frozenset[str]:
        return frozenset(
            url for url in self.listed_here if (page := self._page_at(url)) is not None and page.noindex_in_body
        )

    @cached_property
    def elsewhere(self) -> dict[str, str]:
        """Listed URLs whose canonical leads to another file, to none, or to another site."""
        return {
            url: page.canonical
            for url in self.listed_here
            if (page := self._page_at(url)) is not None
            and page.canonical is not None
            and not self._is_of_file(page.canonical, self.file_of(url))
        }

    @cached_property
    def respelled(self) -> dict[str, str]:
        """Listed URLs whose canonical is another spelling of the same page."""
        return {
            url: page.canonical
            for url in self.listed_here
            if (page := self._page_at(url)) is not None
            and page.canonical is not None
            and url not in self.elsewhere
            and page.canonical != url
        }

    # Pages.

    @cached_property
    def pages(self) -> dict[str, Page]:
        """The HTML files that are pages: not for errors, proofs of ownership, feeds, JSON, or nothing."""
        return {
            name: read_page(content, self.url_of(name))
            for name in sorted(self.files)
            if name.lower().endswith((".html", ".htm"))
            and not ERROR_PAGE.search(name)
            and not PROOF_OF_OWNERSHIP.fullmatch(PurePosixPath(name).name)
            and is_html(content := (self.root / name).read_bytes())
        }

    @cached_property
    def broken(self) -> frozenset[tuple[str, str]]:
        """The links of pages that lead to no file: pairs of file and URL."""
        return frozenset(pair for pair in self._dead_links() if not is_left_out(pair[1]))

    @cached_property
    def broken_by_archive(self) -> frozenset[tuple[str, str]]:
        """Links to pictures, scripts and documents, which the archive of the built sites left out."""
        return frozenset(pair for pair in self._dead_links() if is_left_out(pair[1]))

    @cached_property
    def unlisted(self) -> frozenset[str]:
        """The pages that could be indexed and that no sitemap lists in any spelling."""
        listed = {self.file_of(url) for url in self.listed_here}
        return frozenset(
            name
            for name, page in self.pages.items()
            if name not in listed
            and not (page.noindex or page.noindex_in_body or page.is_empty)
            and (page.refresh is None or self._is_of_file(page.refresh, name))
            and (page.canonical is None or self._is_of_file(page.canonical, name))
        )

    def _dead_links(self) -> Iterator[tuple[str, str]]:
        for name, page in self.pages.items():
            for url in page.links:
                if self.path_of(url) is not None and self.file_of(url) is None:
                    yield name, url

    def _page_at(self, url: str) -> Page | None:
        file = self.file_of(url)
        return None if file is None else self.pages.get(file)

    def _is_of_file(self, url: str, file: str | None) -> bool:
        return file is not None and self.file_of(url) == file


def is_left_out(url: str) -> bool:
    return LEFT_OUT.fullmatch(urlsplit(url).path.rpartition("/")[2]) is not None


def _read_sitemap(content: bytes, name: str) -> tuple[Iterable[str], Iterable[str]]:
    """Return the URLs and the children that a sitemap lists."""
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    if name.removesuffix(".gz").endswith(".txt"):
        return [line.strip() for line in content.decode("utf-8-sig", "replace").splitlines() if line.strip()], ()
    parser = etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False)
    try:
        tree = etree.fromstring(content.lstrip(), parser)
    except etree.XMLSyntaxError:
        return (), ()
    if tree is None:
        return (), ()
    if etree.QName(tree).localname in ("rss", "feed"):
        links = [one.text or one.get("href", "") for one in tree.iter("{*}link")]
        return [link.strip() for link in links if link], ()
    locs = [
        (etree.QName(above).localname, "".join(map(str, one.itertext())).strip())
        for one in tree.iter("{*}loc")
        if (above := one.getparent()) is not None
    ]
    return [loc for kind, loc in locs if kind == "url"], [loc for kind, loc in locs if kind == "sitemap"]
