"""Read `_redirects` and `_headers` of Netlify and Cloudflare, and `netlify.toml`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

import msgspec

from urlset.files.structured import decode_toml
from urlset.hosting.patterns import UnsupportedError, any_of, except_for, regular_pattern, star_pattern, vercel_pattern
from urlset.hosting.routes import FUNCTION, HeaderRule, HostRules, NotServedError, Route, Status, sentence_of
from urlset.net.status import REDIRECTS
from urlset.options.publishing import HostName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.hosting.patterns import Pattern

T = TypeVar("T")

MAX_STATIC, MAX_DYNAMIC, LONGEST_LINE = 2_000, 100, 1_000
"""Limits of Cloudflare for redirects: https://developers.cloudflare.com/pages/configuration/redirects/

A redirect without wildcards is only static before the first one with wildcards (read 2026-11-29):
https://github.com/cloudflare/workers-sdk/blob/main/packages/workers-shared/utils/configuration/parseRedirects.ts
"""

MAX_HEADER_RULES, LONGEST_HEADER = 100, 2_000
"""Limits of Cloudflare for headers: https://developers.cloudflare.com/pages/configuration/headers/"""

_URL = re.compile(r"https?://", re.IGNORECASE)
_STATUS = re.compile(r"([1-5]\d\d)(!?)")
_PAIR = re.compile(r"[A-Za-z_][\w-]*=")
_INDEX = re.compile(r"/index(?:\.html)?$")
_HEADER = re.compile(r"([!#$%&'*+.^`|~\w-]+)\s*:\s*(.*)")

LOOP = (
    "Cloudflare ignores it, because it would loop: the target without index.html matches the rule again; files are "
    "served as if the rule did not exist"
)
"""https://github.com/cloudflare/workers-sdk/pull/3083, and for sources that end in a wildcard only
https://github.com/cloudflare/workers-sdk/issues/11824"""

OTHER_SITE = "it sends requests to another site"

OF_OTHER_SITE = "its source is on another site"


def read_redirects(text: str, rules: HostRules, host: HostName, origin: str) -> None:
    """Read a `_redirects` file into the rules.

    Args:
        host: Netlify or Cloudflare.
        origin: The origin of the site; lines of other sites are left out.
    """
    file = "_redirects"
    counts = {True: 0, False: 0}
    lines = ((f"line {number}", line) for number, line in enumerate(text.splitlines(), 1) if _split_words(line))
    for where, line in rules.until_full(file, lines):
        words = _split_words(line)
        is_cloudflare = host is HostName.CLOUDFLARE
        try:
            if is_cloudflare and len(line) > LONGEST_LINE:
                raise UnsupportedError(f"it is longer than {LONGEST_LINE:,} characters")
            route = _route(words, host, origin)
        except UnsupportedError as error:
            rules.skip(file, where, str(error))
            continue
        if route is None:
            rules.skip(file, where, OF_OTHER_SITE)
            continue
        is_static = route.pattern.regular is None and not counts[False]
        counts[is_static] += 1
        if is_cloudflare and counts[is_static] > (MAX_STATIC if is_static else MAX_DYNAMIC):
            rules.skip(file, where, f"Cloudflare applies {MAX_STATIC:,} static and {MAX_DYNAMIC} dynamic redirects")
        elif route.why:
            rules.skip_route(route, file, where, route.why)
        else:
            rules.add(route, file, where)


def _split_words(line: str) -> list[str]:
    words = line.split()
    comment = next((at for at, word in enumerate(words) if word.startswith("#")), len(words))
    return words[:comment]


def _route(words: list[str], host: HostName, origin: str) -> Route | None:
    """Return the redirect of a line; None for one of another site."""
    source, *rest = words
    at = next((at for at, word in enumerate(rest) if word.startswith("/") or _URL.match(word)), None)
    if at is None:
        raise UnsupportedError("it has no target")
    target, *options = rest[at:]
    status, forced = (302 if host is HostName.CLOUDFLARE else 301), False
    if options and (found := _STATUS.fullmatch(options[0])) is not None:
        status, forced = int(found[1]), bool(found[2])
        options = options[1:]
    if at and not all(_PAIR.match(word) for word in rest[:at]):
        raise UnsupportedError("it is not a redirect")
    if options and not all(_PAIR.match(word) for word in options):
        raise UnsupportedError("it is not a redirect")
    why = "it depends on the query" if at else "it depends on a condition such as Country or Role" if options else ""
    return _make_route(source, target, status, host, origin, shadows=forced, why=why)


def _make_route(
    source: str, target: str, status: int, host: HostName, origin: str, *, shadows: bool, why: str = ""
) -> Route | None:
    if _URL.match(source):
        if not source.startswith(f"{origin}/"):
            return None
        source = source[len(origin) :]
    elif not source.startswith("/"):
        raise UnsupportedError("its source is not a path")
    is_redirect = status in REDIRECTS
    if host is HostName.CLOUDFLARE:
        if not is_redirect and status != 200:
            raise UnsupportedError(f"Cloudflare does not support status {status}")
        if source.endswith("/*") and _INDEX.search(target) and not _URL.match(target):
            raise UnsupportedError(LOOP)
    if not is_redirect and _URL.match(target):
        why = why or OTHER_SITE
    if target.startswith("/.netlify/"):
        why = why or FUNCTION
    pattern = star_pattern(unquote(source))
    if host is HostName.CLOUDFLARE:
        # "Redirects are always followed, regardless of whether or not an asset matches."
        return Route(pattern, target, status, why=why, source=source)
    return Route(pattern, target, status, shadows=shadows, any_slash=True, why=why, source=source)


def read_headers(text: str, rules: HostRules, host: HostName, origin: str) -> None:
    """Read a `_headers` file into the rules; arguments as for `read_redirects`."""
    file = "_headers"
    blocks: list[tuple[str, int, list[tuple[str, str | None]]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        where, words = f"line {number}", line.strip()
        if not words or words.startswith("#"):
            continue
        if words.startswith("/") or _URL.match(words):
            blocks.append((words, number, []))
        elif host is HostName.CLOUDFLARE and words.startswith("! ") and blocks:
            blocks[-1][2].append((words[2:].strip().lower(), None))
        elif (header := _HEADER.fullmatch(words)) is not None and blocks:
            if host is HostName.CLOUDFLARE and len(line) > LONGEST_HEADER:
                rules.skip(file, where, f"it is longer than {LONGEST_HEADER:,} characters")
            else:
                blocks[-1][2].append((header[1].lower(), header[2].strip()))
        else:
            rules.skip(file, where, "it is not a header")
    placed = ((f"line {number}", (count, source, headers)) for count, (source, number, headers) in enumerate(blocks, 1))
    for where, (count, source, headers) in rules.until_full(file, placed, answers=False):
        if host is HostName.CLOUDFLARE and count > MAX_HEADER_RULES:
            rules.skip(file, where, f"Cloudflare applies {MAX_HEADER_RULES} rules")
            continue
        _add_headers(source, headers, rules, file, where, host, origin)


def _add_headers(
    source: str,
    headers: list[tuple[str, str | None]],
    rules: HostRules,
    file: str,
    where: str,
    host: HostName,
    origin: str,
) -> None:
    if _URL.match(source):
        # Cloudflare ignores protocol and port.
        name = origin.partition("://")[2]
        authority, slash, path = source.partition("://")[2].partition("/")
        if host is not HostName.CLOUDFLARE or authority != name:
            return
        source = slash + path
    try:
        rules.add(HeaderRule(star_pattern(unquote(source)), tuple(headers)), file, where)
    except UnsupportedError as error:
        rules.skip(file, where, str(error))


class _Redirect(msgspec.Struct, rename={"source": "from", "target": "to"}):
    source: str
    target: str = ""
    status: Status = 301
    force: bool = False
    query: object = None
    conditions: object = None


class _Headers(msgspec.Struct, rename={"source": "for"}):
    source: str
    values: dict[str, object]


class _EdgeFunction(msgspec.Struct, rename={"excluded": "excludedPath"}):
    path: str | list[str] | None = None
    pattern: str | list[str] | None = None
    excluded: str | list[str] | None = None


def read_netlify_toml(text: str, rules: HostRules, origin: str) -> None:
    """Read the redirects, headers, and edge functions of a `netlify.toml` into the rules.

    https://docs.netlify.com/build/configure-builds/file-based-configuration/
    """
    file = "netlify.toml"
    values = read_toml(text)
    for where, item in _typed(values, text, "edge_functions", _EdgeFunction, rules, file):
        # Edge functions run before redirects and files: https://docs.netlify.com/build/edge-functions/overview/
        never = any_of(_listed(item.excluded))
        kinds = ((_url_pattern, _listed(item.path)), (regular_pattern, _listed(item.pattern)))
        sources = ((where, (make, source)) for make, listed in kinds for source in listed)
        for _, (make, source) in rules.until_full(file, sources):
            rules.skip_function(except_for(make(source), never), file, where)
    for where, redirect in rules.until_full(file, _typed(values, text, "redirects", _Redirect, rules, file)):
        why = "it depends on a condition" if redirect.query or redirect.conditions else ""
        try:
            route = _make_route(
                redirect.source,
                redirect.target,
                redirect.status,
                HostName.NETLIFY,
                origin,
                shadows=redirect.force,
                why=why,
            )
        except UnsupportedError as error:
            rules.skip(file, where, str(error))
            continue
        if route is not None and route.why:
            rules.skip_route(route, file, where, route.why)
        elif route is not None:
            rules.add(route, file, where)
    typed = _typed(values, text, "headers", _Headers, rules, file)
    for where, headers in rules.until_full(file, typed, answers=False):
        named: list[tuple[str, str | None]] = [
            (name.lower(), value) for name, value in headers.values.items() if isinstance(value, str)
        ]
        _add_headers(headers.source, named, rules, file, where, HostName.NETLIFY, origin)


def read_toml(text: str) -> dict[str, object]:
    """Return the values of a TOML file.

    Raises:
        NotServedError: It is not valid.
    """
    try:
        return decode_toml(text)
    except ValueError:
        raise NotServedError("the file is not valid TOML") from None


def _typed(
    values: dict[str, object], text: str, key: str, kind: type[T], rules: HostRules, file: str
) -> Iterator[tuple[str, T]]:
    """Yield the tables of a list with their places; those that are not as documented are recorded."""
    items = values.get(key)
    if items is None:
        return
    if not isinstance(items, list):
        rules.skip(file, f"key {key}", "it is not a list")
        return
    lines = [number for number, line in enumerate(text.splitlines(), 1) if re.match(rf"\s*\[\[\s*{key}\s*\]\]", line)]
    for number, item in enumerate(items, 1):
        where = f"line {lines[number - 1]}" if len(lines) == len(items) else f"{key} {number}"
        try:
            yield where, msgspec.convert(item, kind)
        except msgspec.ValidationError as error:
            source = item.get("from") if isinstance(item, dict) else None
            why = f"it is not as documented ({sentence_of(error)})"
            if isinstance(source, str) and source.startswith("/"):
                rules.skip_route(Route(star_pattern(source), "", 200, any_slash=True), file, where, why)
            else:
                rules.skip(file, where, why)


def _url_pattern(source: str) -> Pattern:
    """Return a pattern of the paths of an edge function, in which `*` is anything."""
    return vercel_pattern(source.replace("/*", "/(.*)") if "(" not in source else source)


def _listed(value: str | list[str] | None) -> list[str]:
    return [value] if isinstance(value, str) else value or []
