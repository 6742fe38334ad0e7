"""Open a directory as a site: find its host, read the files of the host, and infer the base URL."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.bounded import FileTooLargeError, read_file
from urlset.errors import InputError, UsageError, reason_of
from urlset.hosting.base_url import canonical_base_of, identity_of
from urlset.hosting.folder import PublishedFolder
from urlset.hosting.hosts import HOSTS, UNKNOWN
from urlset.hosting.htaccess import read_htaccess
from urlset.hosting.json_files import (
    AZURE,
    FIREBASE,
    VERCEL,
    NotServedError,
    decode,
    names_folder,
    read_azure,
    read_firebase,
    read_vercel,
)
from urlset.hosting.redirects_file import read_headers, read_netlify_toml, read_redirects
from urlset.hosting.routes import MAX_OF_HOST_FILE, HostRules
from urlset.hosting.site import FolderSite
from urlset.net.origin import origin_url
from urlset.net.urlparts import host_of, split_url
from urlset.options.hosts import HostName
from urlset.sizes import enumeration, quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from urlset.hosting.hosts import Host

MAX_PARENTS = 3
"""Maximum parent directories in which a configuration file is searched that names the directory."""

MAX_CANONICALS = 2_000
"""Number of pages whose canonical links must agree on the base URL of a build."""

GIVE_BASE = "add --base-url with the URL of the directory of the sitemaps, such as https://example.com/"
"""What to do without a base URL."""

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
        raise InputError(str(folder.root), "no file in this directory ends in .html, so there are no pages to audit")
    found, about = _host_of(folder, host)
    domain = _domain_of(folder) if found.name is HostName.GITHUB else None
    identity = identity_of(folder, None if base_url is None else _base(base_url), domain)
    rules = _rules_of(folder, found, identity.base)
    if identity.about:
        about = (identity.about, *about)
    return FolderSite(folder, identity.base, found, rules, about, identity)


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


def _domain_of(folder: PublishedFolder) -> str | None:
    """Return the host in the CNAME of GitHub Pages; None without one."""
    text = _text(folder.start("CNAME")) if "CNAME" in folder.files else ""
    return next((host_of(f"https://{line.strip()}/") for line in text.splitlines() if line.strip()), None)


# The host.


def _host_of(folder: PublishedFolder, host_name: HostName | None) -> tuple[Host, tuple[str, ...]]:
    """Return the host, and how it was recognized."""
    if host_name is not None:
        return HOSTS[host_name], (f"pages are served as by {host_name.value} (--host)",)
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
                unsure = "; Cloudflare has files of the same name (--host cloudflare)"
            return HOSTS[name], (f"pages are served as by {name.value}, because of {', '.join(found)}{unsure}",)
    for name, file in _IN_PARENT.items():
        if (place := _in_parent(folder, file)) is not None:
            return HOSTS[name], (f"pages are served as by {name.value}, because of {place}",)
    if found := sorted(there & {".nojekyll", "CNAME"}):
        return HOSTS[HostName.GITHUB], (f"pages are served as by github, because of {', '.join(found)}",)
    return UNKNOWN, ("the host is unknown, so that its redirects and headers are, too; name it with --host",)


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
                published = re.search(rb"^\s*publish\s*=\s*[\"']([^\"'\n]+)[\"']", content, re.MULTILINE)
                is_it = published is not None and (place / published[1].decode()).resolve() == root.resolve()
            else:
                is_it = names_folder(file, decode(content), root, place)
        except (OSError, ValueError):
            continue
        if is_it:
            return path
    return None


def _rules_of(folder: PublishedFolder, host: Host, base: str) -> HostRules:
    rules = HostRules()
    prefix = split_url(base).path
    origin = base[: len(base) - len(prefix)]
    for file in host.files:
        if file in ("_worker.js", "_routes.json") and (folder.root / file).is_file():
            rules.skip(file, "its start", "functions do not run")
        path = folder.root / file
        if not path.is_file() and file in _IN_PARENT.values():
            path = _in_parent(folder, file) or path
        if file in (".nojekyll", "CNAME", "_worker.js", "_routes.json") or not path.is_file():
            continue
        if not path.resolve().is_relative_to(path.parent.resolve()):
            rules.skip(file, "its start", "it is a link out of the directory")
            continue
        try:
            content = read_file(path, MAX_OF_HOST_FILE)
            _read(file, content, rules, host, origin, prefix, folder.root, path.parent)
        except (FileTooLargeError, NotServedError) as error:
            rules.skip(file, "its start", str(error) if isinstance(error, NotServedError) else reason_of(error))
        except OSError as error:
            rules.skip(file, "its start", f"it cannot be read: {reason_of(error)}")
    if host.name is HostName.GITHUB and not (folder.root / ".nojekyll").is_file():
        rules.changes["hides_underscore"] = True
    if host.name is HostName.APACHE and (below := sum(1 for _ in islice(_nested_htaccess(folder), 1_000))):
        rules.skip(".htaccess", "a subdirectory", f"{quantity(below, 'file')} below the root directory not read")
    return rules


def _nested_htaccess(folder: PublishedFolder) -> Iterator[Path]:
    for name in {name.rpartition("/")[0] for name in folder.files} - {""}:
        if (folder.root / name / ".htaccess").is_file():
            yield folder.root / name


def _read(
    file: str, content: bytes, rules: HostRules, host: Host, origin: str, prefix: str, root: Path, place: Path
) -> None:
    name = host.name
    assert name is not None
    match file:
        case "_redirects":
            read_redirects(_text(content), rules, name, origin)
        case "_headers":
            read_headers(_text(content), rules, name, origin)
        case "netlify.toml":
            read_netlify_toml(_text(content), rules, origin)
        case "vercel.json":
            read_vercel(decode(content), rules)
        case "firebase.json":
            read_firebase(decode(content), rules, root, place)
        case "staticwebapp.config.json":
            read_azure(decode(content), rules)
        case _:
            read_htaccess(_text(content), rules, prefix)


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig", "replace")


# The base URL.


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
        raise UsageError(f"no base URL, and no canonical link has the URL of a page in {folder.root}; {GIVE_BASE}")
    if other is not None:
        raise UsageError(f"the base URL is unclear: canonical links are below {base}, but not {other}; {GIVE_BASE}")
    return base, len(links)


def error_pages_of(root: Path, names: Iterable[str]) -> frozenset[str]:
    """Return the files of a directory that its host shows in place of pages that do not exist."""
    folder = PublishedFolder(root, set(names))
    host, _ = _host_of(folder, None)
    base = "https://base.invalid/"
    return FolderSite(folder, base, host, _rules_of(folder, host, base)).error_pages()
