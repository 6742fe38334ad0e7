"""Open a directory as a site: find its host, read the files of the host, and infer the base URL."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from urlset.errors import InputError, UsageError, reason_of
from urlset.files.bounded import FileTooLargeError, read_file
from urlset.hosting import wrangler
from urlset.hosting.base_url import UNKNOWN_BASE, canonical_base_of, identity_of
from urlset.hosting.hosts import HOSTS, UNKNOWN, WORKERS, host_of_domain
from urlset.hosting.htaccess import could_answer, read_htaccess
from urlset.hosting.json_files import AZURE, FIREBASE, VERCEL, names_folder, read_azure, read_firebase, read_vercel
from urlset.hosting.patterns import ANY, below
from urlset.hosting.published_files import PublishedFolder
from urlset.hosting.redirects_file import read_headers, read_netlify_toml, read_redirects
from urlset.hosting.routes import MAX_OF_HOST_FILE, HostRules, NotServedError, Route
from urlset.hosting.site import FolderSite
from urlset.net.origin import origin_url
from urlset.net.urlparts import host_of, split_url
from urlset.options.publishing import HostName
from urlset.text.sizes import enumeration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from urlset.hosting.hosts import Host
    from urlset.hosting.identity import Identity

MAX_PARENTS = 3
"""Maximum parent directories in which a configuration file is searched that names the directory."""

MAX_CANONICALS = 2_000
"""Number of pages whose canonical links must agree on the base URL of a build."""

GIVE_BASE = "add --base-url with the URL of the directory of the sitemaps, such as https://example.com/"
"""What to do without a base URL."""

NO_PAGES = "no file in this directory ends in .html, so there are no pages"

ALSO_CLOUDFLARE = "; Cloudflare has files of the same name (--host cloudflare)"

_IN_PARENT = {HostName.NETLIFY: "netlify.toml", HostName.VERCEL: VERCEL, HostName.FIREBASE: FIREBASE}


def open_site(folder: PublishedFolder, base_url: str | None, host: HostName | None) -> FolderSite:
    """Return a directory as the site that a host would serve.

    Args:
        base_url: The URL at which the user says that it is published; None to infer it.
        host: The host; None to recognize it by its files.

    Raises:
        InputError: The directory has no pages.
        UsageError: The base URL is invalid.
    """
    if not folder.has_pages:
        raise InputError(str(folder.root), f"{NO_PAGES} to audit")
    given = None if base_url is None else _base(base_url)
    found, about = _host_of(folder, host, given)
    identity = _identity(folder, found, given)
    if given is None and identity.base != UNKNOWN_BASE:
        found, about = _host_of(folder, host, identity.base)
    rules = _rules_of(folder, found, identity.base)
    if identity.about:
        about = (identity.about, *about)
    return FolderSite(folder, identity.base, found, rules, about, identity)


def _identity(folder: PublishedFolder, host: Host, given: str | None) -> Identity:
    domain = cname_base(folder) if host.name is HostName.GITHUB else None
    return identity_of(folder, given, None if domain is None else host_of(domain))


def open_at(folder: PublishedFolder, base_url: str, host: HostName | None) -> FolderSite:
    """Return a directory as the site that is served at a URL, whatever URL its sources name.

    Args:
        base_url: The URL at which it is served, also if that is on a private host.
        host: The host; None to recognize it by its domain or its files.

    Raises:
        InputError: The directory has no pages.
        UsageError: The URL is invalid.
    """
    if not folder.has_pages:
        raise InputError(str(folder.root), NO_PAGES)
    base = _base(base_url)
    found, about = _host_of(folder, host, base)
    return FolderSite(folder, base, found, _rules_of(folder, found, base), about)


def _base(text: str) -> str:
    """Return a base URL with a trailing slash.

    Raises:
        UsageError: It is not an http(s) URL.
    """
    origin = origin_url(text)
    parts = split_url(text)
    if not origin or parts.username is not None:
        raise UsageError("--base-url must be an http or https URL, such as https://www.example.com/")
    if parts.query or parts.fragment:
        raise UsageError("--base-url must not have a query or a fragment")
    return origin + "/" + "".join(f"{part}/" for part in parts.path.split("/") if part)


# The host.


def _host_of(folder: PublishedFolder, host_name: HostName | None, base: str | None) -> tuple[Host, tuple[str, ...]]:
    """Return the host, and how it was recognized: by the domain of the base URL, or else by the files of hosts."""
    if host_name is not None:
        return HOSTS[host_name], (f"pages are served as by {host_name.value} (--host)",)
    if base is not None and (by_domain := host_of_domain(split_url(base).hostname or "")) is not None:
        return HOSTS[by_domain], (f"pages are served as by {by_domain.value}, because of the base URL {base}",)
    if (configuration := _wrangler_of(folder)) is not None:
        return HOSTS[HostName.CLOUDFLARE], (f"pages are served as by cloudflare, because of {configuration[0]}",)
    there = {name for host in HOSTS.values() for name in host.files if (folder.root / name).is_file()}
    for name, files in (
        (HostName.CLOUDFLARE, {"_worker.js", "_routes.json"}),
        (HostName.NETLIFY, {"netlify.toml", "_redirects", "_headers"}),
        (HostName.VERCEL, {VERCEL}),
        (HostName.FIREBASE, {FIREBASE}),
        (HostName.AZURE, {AZURE}),
        (HostName.APACHE, {".htaccess"}),
    ):
        if found := sorted(there & files):
            unsure = ""
            if name is HostName.NETLIFY and "netlify.toml" not in there and _in_parent(folder, "netlify.toml") is None:
                unsure = ALSO_CLOUDFLARE
            return HOSTS[name], (f"pages are served as by {name.value}, because of {', '.join(found)}{unsure}",)
    for name, file in _IN_PARENT.items():
        if (place := _in_parent(folder, file)) is not None:
            return HOSTS[name], (f"pages are served as by {name.value}, because of {place}",)
    if found := sorted(there & {".nojekyll", "CNAME"}):
        return HOSTS[HostName.GITHUB], (f"pages are served as by github, because of {', '.join(found)}",)
    return UNKNOWN, ("the host is unknown, and so are its redirects and headers; name it with --host",)


def _in_parent(folder: PublishedFolder, file: str) -> Path | None:
    """Return a configuration file in a parent directory that says that it publishes this one."""
    root = Path(folder.root).absolute()
    for place in islice(root.parents, MAX_PARENTS):
        path = place / file
        if not path.is_file():
            continue
        try:
            content = read_file(path, MAX_OF_HOST_FILE)
            if file == "netlify.toml":
                published = re.search(rb"^[ \t]*+publish[ \t]*+=[ \t]*+[\"']([^\"'\n]+)[\"']", content, re.MULTILINE)
                is_it = published is not None and (place / published[1].decode()).resolve() == root.resolve()
            else:
                is_it = names_folder(file, content, root, place)
        except (OSError, ValueError):
            continue
        if is_it:
            return path
    return None


def _wrangler_of(folder: PublishedFolder) -> tuple[Path, str, wrangler.Wrangler | None] | None:
    """Return the configuration of Wrangler that publishes a directory, with its text; None if there is none.

    One in the directory itself that cannot be used has the reason instead.
    """
    root = Path(folder.root).absolute()
    for place in (root, *islice(root.parents, MAX_PARENTS)):
        for file in wrangler.FILES:
            path = place / file
            try:
                if not path.is_file() or not path.resolve().is_relative_to(place.resolve()):
                    continue
                content = read_file(path, MAX_OF_HOST_FILE)
                values = wrangler.decode(file, content)
            except (OSError, NotServedError) as error:
                if place == root:
                    why = reason_of(error) if isinstance(error, OSError) else str(error)
                    return path, why, None
                continue
            if values.publishes(root, place):
                return path, _text(content), values
    return None


def _rules_of(folder: PublishedFolder, host: Host, base: str) -> HostRules:
    rules = HostRules()
    prefix = split_url(base).path
    configuration = _wrangler_of(folder) if host.name is HostName.CLOUDFLARE else None
    if configuration is not None:
        path, text, values = configuration
        if values is None:
            rules.skip_file(path.name, text)
        else:
            wrangler.apply_first(values, path.name, text, rules)
    elif host.name is HostName.CLOUDFLARE and (split_url(base).hostname or "").endswith(".workers.dev"):
        rules.changes |= WORKERS | {"error_page": None}
    for file in host.files:
        if file in (".nojekyll", "CNAME", *wrangler.FILES):
            continue
        path = folder.root / file
        if not path.is_file() and file in _IN_PARENT.values():
            path = _in_parent(folder, file) or path
        if not path.is_file():
            continue
        if not path.resolve().is_relative_to(path.parent.resolve()):
            rules.skip_file(file, "it is a link out of the directory")
            continue
        try:
            _read(file, read_file(path, MAX_OF_HOST_FILE), rules, host, base, folder, path.parent)
            rules.files[file] = path
        except NotServedError as error:
            rules.skip_file(file, str(error))
        except FileTooLargeError as error:
            rules.skip_file(file, reason_of(error))
        except OSError as error:
            rules.skip_file(file, f"it cannot be read: {reason_of(error)}")
    if configuration is not None and (values := configuration[2]) is not None:
        wrangler.apply_last(values, configuration[0].name, configuration[1], rules)
    if host.name is HostName.GITHUB and not (folder.root / ".nojekyll").is_file():
        rules.changes["hides_underscore"] = True
    if host.name is HostName.APACHE:
        _skip_nested(folder, rules, prefix)
    return rules


def _skip_nested(folder: PublishedFolder, rules: HostRules, prefix: str) -> None:
    """Record the `.htaccess` files of subdirectories that could answer a URL without a file."""
    for name in sorted(folder.folders):
        path = folder.root / name / ".htaccess"
        try:
            if not path.is_file():
                continue
            content = read_file(path, MAX_OF_HOST_FILE)
        except OSError:
            content = b"redirect"
        if could_answer(content):
            why = "only the file of the root directory is applied"
            rules.skip_route(
                Route(below(f"{prefix}{name}/"), "", 200, shadows=False), f"{name}/.htaccess", "its start", why
            )


def _read(
    file: str, content: bytes, rules: HostRules, host: Host, base: str, folder: PublishedFolder, place: Path
) -> None:
    name = host.name
    assert name is not None
    prefix = split_url(base).path
    origin = base[: len(base) - len(prefix)]
    match file:
        case "_redirects":
            read_redirects(_text(content), rules, name, origin)
        case "_headers":
            read_headers(_text(content), rules, name, origin)
        case "netlify.toml":
            read_netlify_toml(_text(content), rules, origin)
        case "vercel.json":
            read_vercel(content, rules, origin.partition("://")[2])
        case "firebase.json":
            read_firebase(content, rules, folder.root, place)
        case "staticwebapp.config.json":
            read_azure(content, rules)
        case "_routes.json":
            wrangler.read_routes(content, rules)
        case "_worker.js":
            if not (place / "_routes.json").is_file():
                rules.skip_function(ANY, file, "its start")
        case _:
            read_htaccess(_text(content), rules, prefix)


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig", "replace")


_HOST_OF_FILE = {
    "netlify.toml": HostName.NETLIFY, VERCEL: HostName.VERCEL, FIREBASE: HostName.FIREBASE, AZURE: HostName.AZURE,
    ".htaccess": HostName.APACHE,
}  # fmt: skip


def has_redirects(path: Path) -> bool:
    """Return whether a path has the name of a file in which a host reads redirects."""
    return path.name == "_redirects" or path.name in _HOST_OF_FILE


def open_of_file(path: Path) -> FolderSite:
    """Return the directory of which a host reads this file: the one that it publishes, or else its own.

    Raises:
        InputError: The directory cannot be listed.
        UsageError: Its base URL is unclear.
    """
    place = path.absolute().parent
    named = (
        child
        for child in (sorted(place.iterdir()) if path.name in _IN_PARENT.values() else ())
        if child.is_dir() and _in_parent(PublishedFolder(child), path.name) == place / path.name
    )
    folder = PublishedFolder.of(next(named, path.parent))
    name = _HOST_OF_FILE.get(path.name)
    if name is None and _host_of(folder, None, None)[0].name not in (HostName.NETLIFY, HostName.CLOUDFLARE):
        name = HostName.NETLIFY
    if folder.has_pages:
        return open_site(folder, None, name)
    host, about = _host_of(folder, name, None)
    return FolderSite(folder, UNKNOWN_BASE, host, _rules_of(folder, host, UNKNOWN_BASE), about)


def on_cloudflare(site: FolderSite) -> FolderSite | None:
    """Return the site as Cloudflare would serve it, if it is unknown whether Netlify or Cloudflare does; else None."""
    if not any(note.endswith(ALSO_CLOUDFLARE) for note in site.about):
        return None
    host = HOSTS[HostName.CLOUDFLARE]
    return FolderSite(site.folder, site.base, host, _rules_of(site.folder, host, site.base), (), site.identity)


# The base URL.


def cname_base(folder: PublishedFolder) -> str | None:
    """Return the base URL that a `CNAME` file names, as of GitHub Pages; None if it names none.

    https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site/troubleshooting-custom-domains-and-github-pages#cname-errors
    """
    try:
        content = read_file(folder.root / "CNAME", MAX_OF_HOST_FILE)
    except OSError:
        return None
    names = _text(content).split()
    origin = origin_url(f"https://{names[0].lower()}") if len(names) == 1 and "/" not in names[0] else None
    return f"{origin}/" if origin and "." in origin else None


def canonical_base(folder: PublishedFolder, is_wanted: Callable[[str], bool]) -> tuple[str, int]:
    """Return the base URL on which the canonical links of all pages agree, and the number of these links.

    Args:
        is_wanted: Whether a file is a page of the site.

    Raises:
        UsageError: There are no such links, or they do not agree.
    """
    base, links, other = canonical_base_of(folder, MAX_CANONICALS, is_wanted)
    origins = sorted({origin_url(link) for link in links})
    if len(origins) > 1:
        raise UsageError(f"the base URL is unclear: canonical links are on {enumeration(origins[:3])}; {GIVE_BASE}")
    if base is None:
        named = _identity(folder, _host_of(folder, None, None)[0], None).base
        add = GIVE_BASE
        if named != UNKNOWN_BASE:
            add = f"its robots.txt, sitemaps, or CNAME name {named}: add --base-url {named} if that is right"
        raise UsageError(f"no base URL, and no canonical link has the URL of a page in {folder.root}; {add}")
    if other is not None:
        raise UsageError(f"the base URL is unclear: canonical links are below {base}, but not {other}; {GIVE_BASE}")
    return base, len(links)


class Unlisted(NamedTuple):
    """Files of a directory that have no URL of their own.

    Attributes:
        error_pages: Those that the host shows in place of pages that do not exist.
        hidden: Those that the host does not publish, each with the reason.
    """

    error_pages: frozenset[str]
    hidden: Mapping[str, str]


def unlisted_of(root: Path, names: Sequence[str], base: str) -> Unlisted:
    """Return the files of a directory that are not at URLs of their own, as its host serves it.

    Args:
        names: The files to ask about.
        base: The URL at which the directory is published.
    """
    folder = PublishedFolder(root, set(names))
    host, _ = _host_of(folder, None, base)
    site = FolderSite(folder, base, host, _rules_of(folder, host, base))
    return Unlisted(site.error_pages(), {name: why for name in names if (why := site.why_hidden(name)) is not None})
