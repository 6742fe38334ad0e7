"""Read the configuration files of Vercel, Firebase Hosting, and Azure Static Web Apps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from urlset.hosting.hosts import Slash
from urlset.hosting.redirects_file import FUNCTION, OTHER_SITE, TOO_MANY
from urlset.hosting.routes import HeaderRule, Pattern, PatternBuilder, Route, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from urlset.hosting.routes import HostRules

VERCEL, FIREBASE, AZURE = "vercel.json", "firebase.json", "staticwebapp.config.json"

_NOT_SERVING = frozenset(
    {
        "$schema", "name", "version", "buildCommand", "devCommand", "installCommand", "ignoreCommand", "framework",
        "outputDirectory", "git", "github", "regions", "crons", "functions", "public", "images", "builds", "scope",
        "alias", "env", "build", "target", "predeploy", "postdeploy", "site", "auth", "platform", "networking",
        "forwardingGateway", "bunVersion", "fluid", "source", "appAssociation",
    }
)  # fmt: skip
"""Keys that do not change how files are served."""

_VERCEL_TOKEN = re.compile(r"(/?):(\w+)([*+?]?)(\()?|(/?)\(\.\*\)|[()*+?{}]|[^:/(){}*+?]+|/")
_GLOB_TOKEN = re.compile(r"\*\*/|\*\*|\*|@\(([^()]*)\)|\{([^{}]*)\}|/?:(\w+)(\*?)|[!+?]\(|\?|[^*@{:!+?/]+|.")
_LITERAL_CHOICE = re.compile(r"[\w.|,-]+")


class NotServedError(ValueError):
    """A configuration file cannot be used. The text says why."""


def decode(content: bytes) -> dict[str, object]:
    """Return a JSON object.

    Raises:
        NotServedError: It is not one.
    """
    try:
        value = msgspec.json.decode(content)
    except (ValueError, RecursionError):
        raise NotServedError("it is not valid JSON") from None
    if not isinstance(value, dict):
        raise NotServedError("it is not a JSON object")
    return value


class _Reader:
    """Reads the lists of rules of a file."""

    def __init__(self, file: str, values: dict[str, object], rules: HostRules) -> None:
        self.file, self.values, self.rules = file, values, rules

    def each(self, key: str, make: Callable[[dict[str, object]], Route | HeaderRule | None]) -> None:
        items = self.values.get(key)
        if items is None:
            return
        if not isinstance(items, list):
            self.rules.skip(self.file, key, "it is not a list")
            return
        for number, item in enumerate(items, 1):
            where = f"{key} {number}"
            try:
                if not isinstance(item, dict):
                    raise UnsupportedError("it is not an object")
                rule = make(item)
            except UnsupportedError as error:
                self.rules.skip(self.file, where, str(error))
                continue
            if rule is not None and not self.rules.add(rule):
                self.rules.skip(self.file, where, TOO_MANY)

    def record_unknown(self, known_keys: frozenset[str]) -> None:
        """Record the keys that are not applied."""
        for key in self.values:
            if key not in known_keys and key not in _NOT_SERVING:
                self.rules.skip(self.file, f"key {key[:60]}", "the key is not known")

    def flag(self, key: str) -> bool | None:
        """Return a flag; None if it is not set."""
        value = self.values.get(key)
        return value if isinstance(value, bool) else None


def _text(item: dict[str, object], key: str) -> str:
    value = item.get(key)
    if not isinstance(value, str) or not value:
        raise UnsupportedError(f"it has no {key}")
    return value


def _headers(item: object, name: str, value: str) -> tuple[tuple[str, str | None], ...]:
    pairs = item if isinstance(item, list) else []
    found = [(one.get(name), one.get(value)) for one in pairs if isinstance(one, dict)]
    return tuple(
        (key.lower(), _one_line(text)) for key, text in found if isinstance(key, str) and isinstance(text, str)
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def read_vercel(values: dict[str, object], rules: HostRules) -> None:
    reader = _Reader(VERCEL, values, rules)
    known_keys = {"redirects", "rewrites", "headers", "cleanUrls", "trailingSlash"}
    if reader.flag("cleanUrls"):
        rules.changes |= {"bare": Slash.SERVE, "bare_slash": Slash.SERVE, "drops_extension": True}
    clean, slash = bool(reader.flag("cleanUrls")), reader.flag("trailingSlash")
    rules.changes |= _slashes(clean=clean, slash=slash)

    def redirect(item: dict[str, object]) -> Route:
        _check_unconditional(item, "has", "missing")
        status = item.get("statusCode")
        if not isinstance(status, int):
            status = 307 if item.get("permanent") is False else 308
        return Route(vercel_pattern(_text(item, "source")), _text(item, "destination"), status)

    def rewrite(item: dict[str, object]) -> Route:
        _check_unconditional(item, "has", "missing")
        target = _text(item, "destination")
        if not target.startswith("/"):
            raise UnsupportedError(OTHER_SITE)
        if target.startswith("/api/"):
            raise UnsupportedError(FUNCTION)
        return Route(vercel_pattern(_text(item, "source")), target, 200, shadows=False)

    def headers(item: dict[str, object]) -> HeaderRule:
        _check_unconditional(item, "has", "missing")
        return HeaderRule(vercel_pattern(_text(item, "source")), _headers(item.get("headers"), "key", "value"), True)

    reader.each("redirects", redirect)
    reader.each("rewrites", rewrite)
    reader.each("headers", headers)
    reader.record_unknown(frozenset(known_keys))


def _slashes(*, clean: bool, slash: bool | None) -> dict[str, object]:
    """Return the fields of a host that `trailingSlash` changes, with or without clean URLs."""
    if slash is None:
        return {}
    if slash:
        of_pages = {"bare": Slash.REDIRECT, "bare_slash": Slash.SERVE} if clean else {}
        return {"folder": Slash.REDIRECT, "folder_slash": Slash.SERVE, **of_pages}
    of_pages = {"bare": Slash.SERVE, "bare_slash": Slash.REDIRECT} if clean else {}
    return {"folder": Slash.SERVE, "folder_slash": Slash.REDIRECT, **of_pages}


def _check_unconditional(item: dict[str, object], *conditions: str) -> None:
    if any(item.get(name) for name in conditions):
        raise UnsupportedError("it depends on a condition")


def vercel_pattern(source: str) -> Pattern:
    """Return a pattern of path-to-regexp, as far as it has no regular expressions of its own."""
    builder, number, at = PatternBuilder(), 0, 0
    while at < len(source):
        token = _VERCEL_TOKEN.match(source, at)
        if token is None:
            raise UnsupportedError("its source is not a path")
        at = token.end()
        if token[2] is not None:
            if token[4] is not None:
                if not source.startswith(".*)", at):
                    raise UnsupportedError("its source is a regular expression")
                at += len(".*)")
                builder.text(token[1])
                builder.splat(token[2])
            elif token[3] in ("*", "?"):
                builder.add_rest(token[2], several=token[3] == "*")
            else:
                builder.text(token[1])
                (builder.splat if token[3] == "+" else builder.segment)(token[2])
        elif token[0].endswith("(.*)"):
            number += 1
            builder.text(token[5])
            builder.splat(f"_{number}")
        elif token[0] in "()*+?{}":
            raise UnsupportedError("its source is a regular expression")
        else:
            builder.text(token[0])
    return builder.pattern()


def read_firebase(values: dict[str, object], rules: HostRules, folder: Path, place: Path) -> None:
    """Read a `firebase.json` into the rules.

    Args:
        folder: The directory that is published.
        place: The directory of the file.
    """
    hosting = values.get("hosting")
    sites = [site for site in (hosting if isinstance(hosting, list) else [hosting]) if isinstance(site, dict)]
    matching_sites = [site for site in sites if _is_folder(site.get("public"), folder, place)]
    if not matching_sites and len(sites) != 1:
        rules.skip(FIREBASE, "key hosting", "no single site publishes this directory")
        return
    site = (matching_sites or sites)[0]
    reader = _Reader(FIREBASE, site, rules)
    clean, slash = bool(reader.flag("cleanUrls")), reader.flag("trailingSlash")
    if clean:
        rules.changes |= {"bare": Slash.SERVE, "bare_slash": Slash.REDIRECT, "drops_extension": True}
    rules.changes |= _slashes(clean=clean, slash=slash)

    def redirect(item: dict[str, object]) -> Route:
        status = item.get("type", 301)
        if not isinstance(status, int):
            raise UnsupportedError("its type is not a status code")
        return Route(glob_pattern(_source(item)), _text(item, "destination"), status)

    def rewrite(item: dict[str, object]) -> Route:
        source = glob_pattern(_source(item))
        if not isinstance(item.get("destination"), str):
            raise UnsupportedError(FUNCTION)
        return Route(source, _text(item, "destination"), 200, shadows=False)

    def headers(item: dict[str, object]) -> HeaderRule:
        return HeaderRule(glob_pattern(_source(item)), _headers(item.get("headers"), "key", "value"), True)

    reader.each("redirects", redirect)
    reader.each("rewrites", rewrite)
    reader.each("headers", headers)
    ignored = site.get("ignore")
    for glob in ignored if isinstance(ignored, list) else ():
        if glob not in ("firebase.json", "**/.*", "**/node_modules/**"):
            rules.skip(FIREBASE, f"ignore {str(glob)[:60]}", "files to ignore are not left out")
    reader.record_unknown(
        frozenset({"public", "ignore", "redirects", "rewrites", "headers", "cleanUrls", "trailingSlash"})
    )


def _source(item: dict[str, object]) -> str:
    if "regex" in item:
        raise UnsupportedError("its source is a regular expression")
    # `glob` is the earlier name.
    return _text(item, "source" if "source" in item else "glob")


def _is_folder(public: object, folder: Path, place: Path) -> bool:
    try:
        return isinstance(public, str) and (place / public).resolve() == folder.resolve()
    except (OSError, ValueError, RuntimeError):
        return False


def names_folder(file: str, values: dict[str, object], folder: Path, place: Path) -> bool:
    """Return whether a configuration file in a parent directory says that it publishes a directory."""
    if file == FIREBASE:
        hosting = values.get("hosting")
        sites = hosting if isinstance(hosting, list) else [hosting]
        return any(isinstance(site, dict) and _is_folder(site.get("public"), folder, place) for site in sites)
    return _is_folder(values.get("outputDirectory"), folder, place)


def glob_pattern(source: str) -> Pattern:
    """Return a pattern of a glob: `*` is in one segment, `**` any segments, `@(a|b)` and `{a,b}` a choice."""
    builder, at = PatternBuilder(), 0
    if not source.startswith(("/", "**")) or source.startswith("**/"):
        builder.text("/")
    while at < len(source):
        token = _GLOB_TOKEN.match(source, at)
        assert token is not None
        at, text = token.end(), token[0]
        choice = token[1] if token[1] is not None else token[2]
        if text == "**/":
            builder.splat(slash=True)
        elif text == "**":
            builder.splat()
        elif text == "*":
            builder.segment(least=0)
        elif choice is not None:
            if not _LITERAL_CHOICE.fullmatch(choice):
                raise UnsupportedError("its source has a glob that is not supported")
            builder.choice(choice.split("|" if token[1] is not None else ","))
        elif token[3] is not None:
            if text.startswith("/") and token[4]:
                builder.add_rest(token[3], several=True)
            else:
                builder.text("/" if text.startswith("/") else "")
                (builder.splat if token[4] else builder.segment)(token[3])
        elif text in ("!(", "+(", "?(", "?", "{"):
            raise UnsupportedError("its source has a glob that is not supported")
        else:
            builder.text(text)
    return builder.pattern()


def read_azure(values: dict[str, object], rules: HostRules) -> None:
    reader = _Reader(AZURE, values, rules)
    for route in _azure_headers(values):
        rules.add(route)
    reader.each("routes", lambda item: _azure_route(item, rules))
    slash = values.get("trailingSlash")
    if slash in ("always", "never", "auto"):
        rules.changes |= {"bare": Slash.SERVE, "bare_slash": Slash.REDIRECT, "drops_extension": True}
        rules.changes |= (
            {"folder": Slash.REDIRECT} if slash == "auto" else _slashes(clean=True, slash=slash == "always")
        )
    elif slash is not None:
        rules.skip(AZURE, "key trailingSlash", "the value is not known")
    fallback = values.get("navigationFallback")
    if isinstance(fallback, dict) and isinstance(fallback.get("rewrite"), str):
        rules.fallback = fallback["rewrite"]
        for glob in fallback.get("exclude") or ():
            try:
                rules.not_fallback.append(azure_pattern(str(glob)))
            except UnsupportedError as error:
                rules.skip(AZURE, f"exclude {str(glob)[:60]}", str(error))
    overrides = values.get("responseOverrides")
    missing = overrides.get("404") if isinstance(overrides, dict) else None
    if isinstance(missing, dict):
        if isinstance(missing.get("rewrite"), str):
            rules.error_page = missing["rewrite"]
        else:
            rules.skip(AZURE, "responseOverrides 404", "only a rewrite is applied")
    types = values.get("mimeTypes")
    if isinstance(types, dict):
        rules.types |= {key: value for key, value in types.items() if isinstance(value, str) and key.startswith(".")}
    reader.record_unknown(
        frozenset({"routes", "globalHeaders", "trailingSlash", "navigationFallback", "responseOverrides", "mimeTypes"})
    )


def _azure_headers(values: dict[str, object]) -> Iterator[HeaderRule]:
    global_headers = values.get("globalHeaders")
    if isinstance(global_headers, dict):
        yield HeaderRule(glob_pattern("**"), _headers_by_name(global_headers), True)


def _headers_by_name(values: dict[str, object]) -> tuple[tuple[str, str | None], ...]:
    """Return headers by name, where an empty value removes one."""
    return tuple((name.lower(), _one_line(value) or None) for name, value in values.items() if isinstance(value, str))


def _azure_route(item: dict[str, Any], rules: HostRules) -> Route | None:
    methods, roles = item.get("methods"), item.get("allowedRoles")
    if isinstance(methods, list) and "GET" not in methods:
        return None
    pattern = azure_pattern(_text(item, "route"))
    if isinstance(item.get("headers"), dict) and not rules.add(
        HeaderRule(pattern, _headers_by_name(item["headers"]), True)
    ):
        raise UnsupportedError(TOO_MANY)
    if isinstance(roles, list) and roles and "anonymous" not in roles:
        return Route(pattern, "", 401)
    status = item.get("statusCode")
    if isinstance(item.get("redirect"), str):
        return Route(pattern, item["redirect"], status if isinstance(status, int) else 302)
    if isinstance(item.get("rewrite"), str):
        if item["rewrite"].startswith(("/.auth/", "/api/")):
            raise UnsupportedError(FUNCTION)
        return Route(pattern, item["rewrite"], status if isinstance(status, int) else 200)
    return Route(pattern, "", status) if isinstance(status, int) else None


def azure_pattern(route: str) -> Pattern:
    """Return a route pattern: a wildcard at its end, which a choice of extensions may follow."""
    start, star, end = route.partition("*")
    builder = PatternBuilder()
    builder.text(start)
    if star:
        builder.splat()
    if end:
        found = re.fullmatch(r"(\.)(?:([\w-]+)|\{([\w,-]+)\})", end)
        if found is None:
            raise UnsupportedError("its route has a wildcard that is not at the end")
        builder.text(".")
        builder.choice([found[2]] if found[2] else found[3].split(","))
    return builder.pattern()
