"""Read `_redirects` and `_headers` of Netlify and Cloudflare, and `netlify.toml`."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING
from urllib.parse import unquote

from urlset.hosting.routes import (
    HeaderRule,
    Route,
    UnsupportedError,
    star_pattern,
)
from urlset.net.status import REDIRECTS
from urlset.options.hosts import HostName

if TYPE_CHECKING:
    from urlset.hosting.routes import HostRules

MAX_STATIC, MAX_DYNAMIC, LONGEST_LINE = 2_000, 100, 1_000
"""Limits of Cloudflare for redirects: https://developers.cloudflare.com/pages/configuration/redirects/"""

MAX_HEADER_RULES, LONGEST_HEADER = 100, 2_000
"""Limits of Cloudflare for headers: https://developers.cloudflare.com/pages/configuration/headers/"""

_URL = re.compile(r"https?://", re.IGNORECASE)
_STATUS = re.compile(r"([1-5]\d\d)(!?)")
_PAIR = re.compile(r"[A-Za-z_][\w-]*=")
_HEADER = re.compile(r"([!#$%&'*+.^`|~\w-]+)\s*:\s*(.*)")

TOO_MANY = "there are too many"
OTHER_SITE = "it sends requests to another site"
FUNCTION = "it runs a function"


def read_redirects(text: str, rules: HostRules, host: HostName, origin: str) -> None:
    """Read a `_redirects` file into the rules.

    Args:
        host: Netlify or Cloudflare.
        origin: The origin of the site; lines of other sites are left out.
    """
    file = "_redirects"
    counts = {True: 0, False: 0}
    for number, line in enumerate(text.splitlines(), 1):
        where = f"line {number}"
        words = _split_words(line)
        if not words:
            continue
        try:
            if host is HostName.CLOUDFLARE and len(line) > LONGEST_LINE:
                raise UnsupportedError(f"it is longer than {LONGEST_LINE:,} characters")
            route = _route(words, host, origin)
        except UnsupportedError as error:
            rules.skip(file, where, str(error))
            continue
        if route is None:
            continue
        is_static = route.pattern.regex is None
        counts[is_static] += 1
        if host is HostName.CLOUDFLARE and counts[is_static] > (MAX_STATIC if is_static else MAX_DYNAMIC):
            rules.skip(file, where, f"Cloudflare applies {MAX_STATIC:,} static and {MAX_DYNAMIC} dynamic redirects")
        elif not rules.add(route):
            rules.skip(file, where, TOO_MANY)


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
    if at:
        raise UnsupportedError("it depends on the query")
    if options:
        raise UnsupportedError("it depends on a condition such as Country or Role")
    return _make_route(source, target, status, host, origin, shadows=forced)


def _make_route(source: str, target: str, status: int, host: HostName, origin: str, *, shadows: bool) -> Route | None:
    if _URL.match(source):
        if not source.startswith(f"{origin}/"):
            return None
        source = source[len(origin) :]
    elif not source.startswith("/"):
        raise UnsupportedError("its source is not a path")
    is_redirect = status in REDIRECTS
    if not is_redirect and _URL.match(target):
        raise UnsupportedError(OTHER_SITE)
    if target.startswith("/.netlify/"):
        raise UnsupportedError(FUNCTION)
    if host is HostName.CLOUDFLARE:
        if not is_redirect and status != 200:
            raise UnsupportedError(f"Cloudflare does not support status {status}")
        # "Redirects are always followed, regardless of whether or not an asset matches."
        return Route(star_pattern(unquote(source)), target, status)
    return Route(star_pattern(unquote(source)), target, status, shadows=shadows, any_slash=True)


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
    for count, (source, number, headers) in enumerate(blocks, 1):
        if host is HostName.CLOUDFLARE and count > MAX_HEADER_RULES:
            rules.skip(file, f"line {number}", f"Cloudflare applies {MAX_HEADER_RULES} rules")
            continue
        _add_headers(source, headers, rules, file, f"line {number}", host, origin)


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
        rule = HeaderRule(star_pattern(unquote(source)), tuple(headers))
    except UnsupportedError as error:
        rules.skip(file, where, str(error))
        return
    if not rules.add(rule):
        rules.skip(file, where, TOO_MANY)


def read_netlify_toml(text: str, rules: HostRules, origin: str) -> None:
    """Read the redirects and headers of a `netlify.toml` into the rules."""
    file = "netlify.toml"
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        rules.skip(file, "its start", "the file is not valid TOML")
        return
    for number, item in enumerate(_tables(values.get("redirects")), 1):
        where = f"redirect {number}"
        try:
            if item.get("query") or item.get("conditions") or item.get("headers"):
                raise UnsupportedError("it depends on a condition")
            source, target, status = item.get("from"), item.get("to", ""), item.get("status", 301)
            if not isinstance(source, str) or not isinstance(target, str) or not isinstance(status, int):
                raise UnsupportedError("it is not a redirect")
            forced = item.get("force") is True
            route = _make_route(source, target, status, HostName.NETLIFY, origin, shadows=forced)
        except UnsupportedError as error:
            rules.skip(file, where, str(error))
            continue
        if route is not None and not rules.add(route):
            rules.skip(file, where, TOO_MANY)
    for number, item in enumerate(_tables(values.get("headers")), 1):
        source, named = item.get("for"), item.get("values")
        if not isinstance(source, str) or not isinstance(named, dict):
            rules.skip(file, f"headers {number}", "it has no headers")
            continue
        headers: list[tuple[str, str | None]] = [
            (name.lower(), value) for name, value in named.items() if isinstance(value, str)
        ]
        _add_headers(source, headers, rules, file, f"headers {number}", HostName.NETLIFY, origin)


def _tables(value: object) -> list[dict[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
