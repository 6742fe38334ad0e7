"""A directory as a host serves it: the response to each URL below a base URL."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from msgspec import Struct
from msgspec.structs import replace

from urlset import _core
from urlset.hosting.hosts import Slash
from urlset.hosting.identity import Identity, SiteFault
from urlset.hosting.not_pages import error_pages, status_documentation
from urlset.hosting.published_files import PAGE_ENDINGS
from urlset.hosting.rewriting import PROGRAMS, Request
from urlset.hosting.routes import changes_only_host
from urlset.net.origin import origin_url
from urlset.net.status import REDIRECTS
from urlset.net.trust import MeantUrls
from urlset.net.urlparts import split_url, without_surrogates
from urlset.options.publishing import HostName
from urlset.text.sizes import inflect, quantity
from urlset.web.html_page import read_page

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from urlset.hosting.hosts import Host
    from urlset.hosting.published_files import PublishedFolder
    from urlset.hosting.routes import HostRules

TYPES = {
    "xhtml": "application/xhtml+xml", "xml": "application/xml", "txt": "text/plain", "json": "application/json",
    "rss": "application/rss+xml", "atom": "application/atom+xml", "gz": "application/gzip", "pdf": "application/pdf",
    "css": "text/css", "js": "text/javascript", "mjs": "text/javascript", "md": "text/markdown", "jpg": "image/jpeg",
    "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
    "svg": "image/svg+xml", "ico": "image/x-icon", "mp4": "video/mp4", "webm": "video/webm", "csv": "text/csv",
}  # fmt: skip
"""Content types by extension."""

_GUESSED = re.compile(r"sitemap|siteindex|\.txt$")
"""Paths that are requested although nothing may name them."""

_SENT = "%/:?#[]@!$&'()*+,;=-._~"
_OF_FILES = "/!$&'()*+,;=:@-._~"

OF_JEKYLL = frozenset({"_includes", "_layouts", "_posts"})
"""Directories of the source of a Jekyll site."""

NAMED_NOWHERE = "neither robots.txt nor an index names it, and it is not at a common location"


class SiteAnswer(Struct, frozen=True):
    """A response of a host.

    Attributes:
        headers: The headers, by lower-case name.
        path: The file with the body; None without one.
        why: Why the response is unknown: the rule that could answer, which is not applied; empty if it is known.
        is_repeated: Whether the file was shown at another URL before, and stands in for a missing one here, so that its
            links are known: those that are relative would lead to ever more such URLs.
    """

    status: int
    headers: Mapping[str, str]
    path: str | None = None
    why: str = ""
    is_repeated: bool = False


@dataclass
class FolderSite:
    """A directory that is published at a base URL.

    Attributes:
        base: The base URL, with a trailing slash.
        rules: What the files of the host add.
        about: Notes on how the base URL and the host were found.
        identity: What its sources say about its URL; None if nobody asked them.
        unnamed: The URLs of sitemaps that nothing names, with the pages that only they list.
    """

    folder: PublishedFolder
    base: str
    host: Host
    rules: HostRules
    about: tuple[str, ...] = ()
    identity: Identity | None = None
    unnamed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _requested_urls: set[str] = field(default_factory=set)
    _counts: Counter[str] = field(default_factory=Counter)
    _unreadable: dict[str, str] = field(default_factory=dict)
    _undecided: dict[str, dict[str, None]] = field(default_factory=dict)
    _home_for: dict[str, None] = field(default_factory=dict)
    _respelled: dict[str, None] = field(default_factory=dict)
    _shown: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.host = replace(self.host, **self.rules.changes)
        self._prefix = split_url(self.base).path
        self._origin = self.base[: len(self.base) - len(self._prefix)]
        self._start = f"{self._origin}/"
        self._config = frozenset(self.host.files)
        self._scheme, _, self._host_name = self._origin.partition("://")
        self._by_length = sorted(self.rules.types, key=len, reverse=True)
        self._error_pages = self.error_pages()
        self._named_error_pages = error_pages(self.folder.files)
        self._documentation = status_documentation(self.folder.files)
        scheme, _, host = self._origin.partition("://")
        hosts = (host, host.removeprefix("www.") if host.startswith("www.") else f"www.{host}")
        # The same files in another spelling of the origin, then below the base URLs that sources name.
        spellings = {f"{each}://{name}" for each in ("https", "http") for name in hosts} - {f"{scheme}://{host}"}
        known = self.identity or Identity(self.base)
        self._moved, self._strays = known.moved, known.strays
        self._aliases = [(alias, unquote(split_url(alias).path)) for alias in known.aliases]
        self._aliases += [(f"{origin}{self._prefix}", unquote(self._prefix)) for origin in sorted(spellings)]
        self._origins = {origin_url(alias) for alias, _ in self._aliases} | {self._origin}
        self._has_inner_alias = any(alias.startswith(self._start) for alias in (*known.aliases, *known.moved))

    @property
    def is_below_path(self) -> bool:
        """Whether the directory is a part of its host only, without the robots.txt of the host."""
        return self._prefix != "/"

    @property
    def unread_robots(self) -> str:
        """What is unknown about a directory that is a part of its host."""
        return f"the robots.txt of {self._origin} is not in the directory, and was not checked"

    @property
    def faults(self) -> tuple[SiteFault, ...]:
        """What is wrong with the site as a whole."""
        return () if self.identity is None else self.identity.faults

    @property
    def origins(self) -> Collection[str]:
        """The origins that it answers for: its own, and those that redirect to it."""
        return self._origins

    @property
    def meant(self) -> MeantUrls:
        """The URLs that are meant by those with stray characters, and by paths without a host."""
        return MeantUrls(self.base, self._strays)

    def serves(self, url: str) -> bool:
        path = self._path_of(url)
        if path is not None:
            return path.startswith(self._prefix) or f"{path}/" == self._prefix
        own = self.own_url(url)
        return own is not None and own.startswith(self.base)

    def is_of_origin(self, url: str) -> bool:
        """Return whether a URL is on the host of the base URL, or on one that a source takes for it."""
        return self._path_of(url) is not None or origin_url(url) in self._origins

    def own_url(self, url: str) -> str | None:
        """Return the URL of the site for one below another base URL of the same files; None for others."""
        if url.startswith(self._start) and not self._has_inner_alias:
            # The URL of nearly every page.
            return None
        if (there := self._moved.get(url)) is not None:
            return there
        origin = origin_url(url)
        if origin not in self._origins:
            return None
        path = unquote(split_url(url).path or "/", errors="surrogateescape")
        for alias, prefix in self._aliases:
            if origin_url(alias) == origin and path.startswith(prefix):
                return self.base + quote(path[len(prefix) :], safe=_SENT.replace("%", ""), errors="surrogateescape")
        if origin == self._origin:
            return None
        return self._origin + quote(path, safe=_SENT.replace("%", ""), errors="surrogateescape")

    def _path_of(self, url: str) -> str | None:
        """Return the path of a URL as written; None if it is not on the host of the base URL."""
        target = self._target_of(url)
        return None if target is None else target.partition("?")[0]

    def _target_of(self, url: str) -> str | None:
        """Return path and query of a URL as written; None if it is not on the host of the base URL."""
        if url.startswith(self._start):
            path = url[len(self._origin) :]
        elif origin_url(url) == self._origin:
            # Another spelling: capital letters, or the default port.
            parts = split_url(url)
            return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        else:
            return None
        return path.partition("#")[0]

    def leaves(self) -> None:
        """Count a redirect out of the site, whose target is not requested."""
        self._counts["leaving"] += 1

    def record_failure(self, path: str, reason: str) -> None:
        self._unreadable.setdefault(self.folder.name_of(path), reason)

    def record_unknown(self, url: str, why: str) -> None:
        """Record a page whose response is unknown."""
        self._undecided.setdefault(why, {})[url] = None

    def answer(self, url: str) -> SiteAnswer:
        """Return the response to a URL of the origin; one above the base URL does not exist."""
        if (own := self.own_url(url)) is not None:
            if url.startswith(self._strays) or url in self._moved:
                # What the generator wrote for another URL has the response of this one.
                return self.answer(own)
            if own != f"{self._start}robots.txt":
                # Nobody wrote that URL: it is requested to learn what crawlers may do on the other origin.
                self._respelled[url] = None
            return SiteAnswer(301, {"location": own})
        raw, _, query = (self._target_of(url) or "").partition("?")
        path = unquote(raw, errors="surrogateescape")
        if not raw.startswith(self._prefix):
            if raw and f"{raw}/" == self._prefix:
                return self._redirect(self._prefix, self.host.status)
            return self._missing("")
        answer = self._answer(path, raw, query)
        if answer.why and raw == "/robots.txt":
            # The response of a program is not a robots.txt.
            return SiteAnswer(404, {})
        return answer

    def _answer(self, path: str, raw: str, query: str) -> SiteAnswer:
        asked, found = path, self._file(path, raw)
        has_file = found is not None
        if self.rules.rewriter is not None:
            done = self.rules.rewriter.apply(Request(path, query, self._scheme, self._host_name), self)
            if found is None and done.doubt is not None:
                return self._unknown(*done.doubt)
            if done.location is not None and not self.leads_to_itself(done.location, path):
                return self._redirect(done.location, done.status, path)
            if done.status >= 400:
                return SiteAnswer(done.status, self._headers(path))
            if done.path != path:
                path = done.path
                if path.endswith(PROGRAMS):
                    return self._unknown(done.place, f"{path} is a program")
                found = self._file(path, "")
        for route, target in self.rules.table.of(path):
            # A function usually passes on a request for a file; a query is for the function, not for the file.
            is_for_function = route.is_function and query
            if found is not None and (not route.shadows or route.why) and not is_for_function:
                continue
            if route.why:
                if route.could_answer(target, path):
                    return self._unknown(route.place, route.why)
                continue
            if route.status in REDIRECTS:
                if self.leads_to_itself(target, path) or (found is None and changes_only_host(target, path)):
                    continue
                return self._redirect(target, route.status, path)
            return self._rewrite(target, route.status, path, route.place)
        if found is None:
            return self._missing(path)
        if isinstance(found, _Redirect):
            return self._redirect(self._prefix + found.path, self.host.status, path, is_quoted=False)
        if found.endswith(PROGRAMS) and self.host.name is HostName.APACHE:
            return self._unknown(found, "it is a program")
        self._requested_urls.add(found)
        if not has_file:
            return self._instead(found, asked)
        self._shown.setdefault(found, asked)
        return self._page(found, 200, asked)

    def is_error_page(self, url: str) -> bool | None:
        """Return whether the host shows this page in place of missing ones; None if its name and its content decide."""
        name = unquote(self._path_of(url) or "", errors="surrogateescape")[len(self._prefix) :]
        known = (self._is_error_page(one) for one in (name, f"{name}.html", f"{name}index.html", f"{name}/index.html"))
        return next((one for one in known if one is not None), None)

    def error_pages(self) -> frozenset[str]:
        """Return the files that the host shows in place of pages that do not exist."""
        name = self._error_name()
        if name is None:
            return frozenset()
        if self.host.nearest_error_page:
            return frozenset(file for file in self.folder.files if file == name or file.endswith(f"/{name}"))
        return frozenset({name} & self.folder.files)

    def _error_name(self) -> str | None:
        page = self.rules.error_page
        return page.lstrip("/") if page is not None else self.host.error_page

    def is_file(self, path: str) -> bool | None:
        """Return whether a path is that of a file; None if it is not below the base URL."""
        return self._has(path[len(self._prefix) :]) if path.startswith(self._prefix) else None

    def is_folder(self, path: str) -> bool | None:
        """Return whether a path is that of a directory; None if it is not below the base URL."""
        name = path[len(self._prefix) :].strip("/")
        return (not name or name in self.folder.folders) if path.startswith(self._prefix) else None

    def _unknown(self, place: str, why: str) -> SiteAnswer:
        return SiteAnswer(0, {}, why=f"{place} could answer it, and is not applied: {why}")

    def has_file(self, path: str) -> bool:
        """Return whether a path below the base URL has a file, or redirects to one."""
        return self._file(self._prefix + path, path) is not None

    def page_of(self, url: str) -> str | None:
        """Return the URL of the page that a URL shows, or redirects to in another spelling; None without a file."""
        found = self.file_of(url)
        return None if found is None else self._url_of(found)

    def file_of(self, url: str) -> str | None:
        """Return the file that a URL shows, or redirects to in another spelling; None without one."""
        raw = self._path_of(self.own_url(url) or url) or ""
        path = unquote(raw, errors="surrogateescape")
        found = self._file(path, raw) if path.startswith(self._prefix) else None
        if isinstance(found, _Redirect):
            found = self._file(self._prefix + found.path, "")
        return found if isinstance(found, str) else None

    def file_url(self, page: str) -> str:
        """Return the URL of the file that a URL shows, with its whole name; the URL itself without a file."""
        found = self.file_of(page)
        return page if found is None else self._url_of_name(found)

    def shown_without_rules(self, path: str) -> str | None:
        """Return which file the host serves for a path, or where it redirects, if no rule applies; None without one."""
        found = self._file(path, path) if path.startswith(self._prefix) else None
        return f"a redirect to {self._prefix}{found.path}" if isinstance(found, _Redirect) else found

    def unrequested_pages(self) -> list[str]:
        """Return the URLs of the pages that were not requested, except those for errors."""
        return [
            self._url_of(name)
            for name in self.folder.pages()
            if name not in self._requested_urls and name not in self._error_pages and self._is_public(name)
        ]

    def page_urls(self) -> list[str]:
        """Return the URLs of the public pages, except those for errors, each once, sorted.

        If the host is unknown, they are those that any host has: `about.html` is not expected at `/about`.
        """
        url_of = self._plain_url_of if self.host.name is None else self._url_of
        names = (name for name in self.folder.pages() if name not in self._error_pages and self._is_public(name))
        return sorted({url_of(name) for name in names})

    def other_files(self) -> dict[str, str]:
        """Return the names of the public files that are no pages, with their URLs."""
        return {
            name: self._url_of_name(name)
            for name in sorted(self.folder.files)
            if not name.lower().endswith(PAGE_ENDINGS) and self._is_public(name)
        }

    def notes(self, documents: Iterable[Mapping[str, object]]) -> Iterator[str]:
        """Yield notes for a report on the site with these documents."""
        return map(without_surrogates, self._notes(documents))

    def _notes(self, documents: Iterable[Mapping[str, object]]) -> Iterator[str]:
        for why, urls in self._undecided.items():
            pages = quantity(len(urls), "URL is", "URLs are")
            yield f"{pages} unknown, such as {next(iter(urls))}: {why}"
        yield from self.about
        if self.is_below_path:
            yield self.unread_robots
        yield from self.rules.notes()
        yield from self.folder.notes()
        if unread := [url for url in self.unread_sitemaps(documents) if url not in self.unnamed]:
            files = quantity(len(unread), "file that looks like a sitemap was", "files that look like sitemaps were")
            yield f"{files} not read, such as {unread[0].removeprefix(self.base)}: {NAMED_NOWHERE}"
        if self._unreadable:
            name, reason = next(iter(self._unreadable.items()))
            yield f"{quantity(len(self._unreadable), 'file')} could not be read, such as {name}: {reason}"
        if count := self._counts["leaving"]:
            redirects = quantity(count, "redirect leads", "redirects lead")
            yield f"{redirects} out of the directory; their targets count as pages and were not requested"
        if self._respelled:
            number, first = len(self._respelled), next(iter(self._respelled))
            yield (
                f"{quantity(number, 'URL')} with another scheme or host than {self._origin}/, such as {first}, "
                f"{inflect(number, 'is', 'are')} assumed to redirect to it"
            )
        if self._home_for:
            requests = quantity(len(self._home_for), "URL without a file gets", "URLs without a file get")
            yield (
                f"without a 404.html, Cloudflare Pages answers every URL with the home page and status 200: {requests} "
                f"it, such as {next(iter(self._home_for))}"
            )
        if count := self._counts["bare"]:
            yield (
                f"{quantity(count, 'request')} for a URL such as /about got about.html, as on most hosts; name the "
                "host with --host to be sure"
            )

    def unread_sitemaps(self, documents: Iterable[Mapping[str, object]]) -> list[str]:
        """Return the URLs of public files that have the name of a sitemap and are none of these documents."""
        asked = {str(row[name]) for row in documents for name in ("url", "final_url") if row.get(name)}
        read = {_core.page_key(self.own_url(url) or url) for url in asked}
        names = sorted(name for name in self.folder.files if is_sitemap(name) and self._is_public(name))
        urls = list(map(self._url_of_name, names))
        return [url for url in urls if _core.page_key(url) not in read]

    def _url_of_name(self, name: str) -> str:
        return self.base + quote(name, safe=_OF_FILES, errors="surrogateescape")

    def why_hidden(self, name: str) -> str | None:
        """Return why the host does not publish a file; None if it does."""
        if name in self._config or any(one.match(f"/{name}") is not None for one in self.rules.hidden):
            return "a configuration file of the host, or excluded by one"
        if self.host.hides_underscore and any(part.startswith("_") for part in name.split("/")):
            # In the source of a Jekyll site, .nojekyll would publish the templates.
            is_source = not self.folder.folders.isdisjoint(OF_JEKYLL)
            advice = "" if is_source else "; add an empty file .nojekyll"
            return f"GitHub Pages does not publish names that begin with _{advice}"
        return None

    def _is_public(self, name: str) -> bool:
        return self.why_hidden(name) is None

    def _has(self, name: str) -> bool:
        return name in self.folder.files and self._is_public(name)

    def _file(self, path: str, raw: str) -> str | _Redirect | None:
        """Return the file of a path, or where the host redirects to; None for neither."""
        name = path[len(self._prefix) :]
        if "\0" in name or "%2f" in raw.lower() or any(part in ("", ".", "..") for part in name.split("/")[:-1]):
            return None
        host, bare = self.host, name.rstrip("/")
        if bare == name and name:
            if self._has(name):
                return self._file_of_name(name)
            return self._without_slash(name)
        is_served = host.folder_slash is not Slash.MISSING
        index = next((one for one in host.indexes if is_served and self._has(f"{name}{one}")), None)
        # Netlify prefers a.html even for /a/.
        prefers_file = host.bare is Slash.SERVE and host.bare_slash is Slash.REDIRECT and not host.drops_extension
        if index is not None and not (prefers_file and self._has(f"{bare}.html")):
            return _Redirect(bare) if bare and host.folder_slash is Slash.REDIRECT else f"{name}{index}"
        if bare and self._has(f"{bare}.html"):
            match host.bare_slash:
                case Slash.SERVE:
                    return f"{bare}.html"
                case Slash.REDIRECT:
                    return _Redirect(bare)
        return None

    def _file_of_name(self, name: str) -> str | _Redirect:
        """Return a file that is requested by its name, or the URL without extension."""
        if not self.host.drops_extension or not name.endswith(".html"):
            return name
        folder, slash, file = name.rpartition("/")
        if file in self.host.indexes:
            return _Redirect(folder if self.host.folder_slash is Slash.REDIRECT else f"{folder}{slash}")
        stem = name.removesuffix(".html")
        return _Redirect(f"{stem}/" if self.host.bare is Slash.REDIRECT else stem)

    def _without_slash(self, name: str) -> str | _Redirect | None:
        host = self.host
        is_served = host.folder is not Slash.MISSING
        index = next((f"{name}/{one}" for one in host.indexes if is_served and self._has(f"{name}/{one}")), None)
        page = f"{name}.html" if host.bare is not Slash.MISSING and self._has(f"{name}.html") else None
        if index is not None and (page is None or host.prefers_folder):
            return index if host.folder is Slash.SERVE else _Redirect(f"{name}/")
        if page is None:
            return None
        if host.name is None:
            self._counts["bare"] += 1
        return page if host.bare is Slash.SERVE else _Redirect(f"{name}/")

    def leads_to_itself(self, target: str, path: str) -> bool:
        """Return whether a redirect leads to where it starts: hosts ignore such rules, which would never end."""
        return target in (path, self._origin + path)

    def _redirect(self, target: str, status: int, path: str = "", *, is_quoted: bool = True) -> SiteAnswer:
        location = quote(target, safe=_SENT if is_quoted else _SENT.replace("%", ""), errors="surrogateescape")
        return SiteAnswer(status, {**self._headers(path), "location": location})

    def _rewrite(self, target: str, status: int, path: str, place: str) -> SiteAnswer:
        file = None
        if target:
            raw = target.partition("?")[0].partition("#")[0]
            there = "/" + unquote(raw, errors="surrogateescape").removeprefix("/")
            if not there.startswith(self._prefix):
                return self._unknown(place, f"{target} is not in the directory")
            name = self._file(there, raw)
            if isinstance(name, _Redirect):
                # A rewrite shows the page at the end of the host's own redirects.
                name = self._file(self._prefix + name.path, raw)
            file = name if isinstance(name, str) else None
        if file is None:
            return self._missing(path) if status == 200 else SiteAnswer(status, self._headers(path))
        if status != 200:
            return self._page(file, status, path)
        self._requested_urls.add(file)
        return self._instead(file, path)

    def _missing(self, path: str) -> SiteAnswer:
        rules, host = self.rules, self.host
        if rules.fallback is not None and not any(one.match(path) is not None for one in rules.not_fallback):
            name = rules.fallback.lstrip("/")
            if name.endswith(PROGRAMS):
                return self._unknown(host.files[0], f"{rules.fallback} is a program")
            if self._has(name):
                return self._instead(name, path)
        page = self._error_name()
        if page is not None:
            folder = path[len(self._prefix) :].rpartition("/")[0] if host.nearest_error_page else ""
            while True:
                name = f"{folder}/{page}" if folder else page
                if self._has(name):
                    return self._page(name, 404, path)
                if not folder:
                    break
                folder = folder.rpartition("/")[0]
            if host.single_page and self._has("index.html"):
                if not _GUESSED.search(path):
                    self._home_for.setdefault(self._origin + quote(path, safe=_SENT, errors="surrogateescape"))
                return self._instead("index.html", path)
        return SiteAnswer(404, self._headers(path))

    def _instead(self, name: str, path: str) -> SiteAnswer:
        """Return a file for a path that has none."""
        if name in self._error_pages or name in self._named_error_pages:
            # The page says that there is none; a status of 200 does not make it one.
            return self._page(name, 404, path)
        return replace(self._page(name, 200, path), is_repeated=self._shown.setdefault(name, path) != path)

    def _page(self, name: str, status: int, path: str) -> SiteAnswer:
        headers = {"content-type": self._type_of(name), **self._headers(path)}
        return SiteAnswer(status, headers, self.folder.path(name))

    def _is_error_page(self, name: str) -> bool | None:
        return True if name in self._error_pages else False if name in self._documentation else None

    def _type_of(self, name: str) -> str:
        for extension in self._by_length:
            if name.endswith(extension):
                return self.rules.types[extension]
        ending = name.rpartition(".")[2].lower()
        return self.host.html_type if ending in ("html", "htm") else TYPES.get(ending, "application/octet-stream")

    def _headers(self, path: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for rule in self.rules.headers:
            if rule.pattern.match(path) is None:
                continue
            for name, value in rule.headers:
                if value is None:
                    found.pop(name, None)
                elif rule.replaces or name not in found:
                    found[name] = value
                else:
                    found[name] = f"{found[name]}, {value}"
        return found

    def _url_of(self, name: str) -> str:
        """Return the URL of a page: that of its canonical link if it is a URL of this page, else that of the host."""
        return self._canonical(name) or self._plain_url_of(name)

    def _plain_url_of(self, name: str) -> str:
        """Return the URL of a page by the name of its file."""
        folder, slash, file = name.rpartition("/")
        if file in self.host.indexes and self.host.folder_slash is not Slash.MISSING:
            own = folder if folder and self.host.folder_slash is Slash.REDIRECT else f"{folder}{slash}"
        elif self.host.drops_extension and name.endswith(".html"):
            own = name.removesuffix(".html") + ("/" if self.host.bare is Slash.REDIRECT else "")
        else:
            own = name
        return self.base + quote(own, safe=_OF_FILES, errors="surrogateescape")

    def _canonical(self, name: str) -> str | None:
        for link in read_page(self.folder.start(name)).canonicals:
            raw = self._path_of(link)
            path = "" if raw is None else unquote(raw, errors="surrogateescape")
            if raw is not None and path.startswith(self._prefix) and self._file(path, raw) == name:
                return link
        return None


class _Redirect(Struct, frozen=True):
    """A redirect of the host to another spelling: the path below the base URL."""

    path: str


def is_sitemap(name: str) -> bool:
    """Return whether a file is a sitemap by its name."""
    return "sitemap" in name.rpartition("/")[2].lower() and name.endswith((".xml", ".xml.gz", ".txt", ".txt.gz"))
