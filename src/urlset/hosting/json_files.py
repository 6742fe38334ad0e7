"""Read the configuration files of Vercel, Firebase Hosting, and Azure Static Web Apps.

Each rule is typed when it is read, so that a value of another type or size is a sentence about this rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from urlset.files.structured import decode_json
from urlset.hosting.hosts import Slash
from urlset.hosting.patterns import ANY, UnsupportedError, azure_pattern, glob_pattern, regular_pattern, vercel_pattern
from urlset.hosting.redirects_file import OTHER_SITE
from urlset.hosting.routes import FUNCTION, TOO_MANY, HeaderRule, NotServedError, Route, Status, sentence_of
from urlset.net.status import REDIRECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from urlset.hosting.patterns import Pattern
    from urlset.hosting.routes import HostRules

VERCEL, FIREBASE, AZURE = "vercel.json", "firebase.json", "staticwebapp.config.json"

T = TypeVar("T")

MAX_UNKNOWN = 20
"""Unknown keys of a file to name; the others are counted."""

_NOT_SERVING = frozenset(
    {
        "$schema", "name", "version", "buildCommand", "devCommand", "installCommand", "ignoreCommand", "framework",
        "outputDirectory", "git", "github", "regions", "crons", "functions", "public", "images", "builds", "scope",
        "alias", "env", "build", "target", "predeploy", "postdeploy", "site", "auth", "platform", "networking",
        "forwardingGateway", "bunVersion", "fluid", "source", "appAssociation",
    }
)  # fmt: skip
"""Keys that do not change how files are served."""


class _Header(msgspec.Struct):
    key: str
    value: str


class JsonFile:
    """An object of a configuration file, whose values are decoded when they are read.

    Attributes:
        file: The name of the file.
    """

    def __init__(self, file: str, content: bytes, start: int = 0, whole: bytes | None = None) -> None:
        """Decode the keys.

        Args:
            content: The JSON of the object.
            start: Where it is in the whole file.

        Raises:
            NotServedError: It is not a JSON object.
        """
        self.file = file
        self._whole = content if whole is None else whole
        self._start = start
        try:
            values = decode_json(content, dict[str, msgspec.Raw])
        except msgspec.ValidationError:
            raise NotServedError("it is not a JSON object") from None
        except ValueError:
            raise NotServedError("it is not valid JSON") from None
        self.values = {key: bytes(value) for key, value in values.items()}

    def get(self, key: str, kind: type[T], rules: HostRules) -> T | None:
        """Return a value; None if there is none, or one of another type, which is recorded."""
        content = self.values.get(key)
        if content is None or content == b"null":
            return None
        try:
            return decode_json(content, kind)
        except ValueError as error:
            rules.skip(self.file, self.line(key), f"{key} is not as documented ({sentence_of(error)})")
            return None

    def object(self, key: str, rules: HostRules) -> JsonFile | None:
        """Return an object below a key; None if there is none."""
        content = self.values.get(key)
        if content is None or content == b"null":
            return None
        try:
            return self.below(content, self._whole.find(content, self._start))
        except NotServedError as error:
            rules.skip(self.file, self.line(key), f"{key}: {error}")
            return None

    def below(self, content: bytes, place: int) -> JsonFile:
        """Return an object of the file.

        Raises:
            NotServedError: It is not an object.
        """
        return JsonFile(self.file, content, place, self._whole)

    def list(self, key: str, rules: HostRules) -> Iterator[tuple[str, bytes, int]]:
        """Yield the items of a list with their lines and their places in the file."""
        items = self.get(key, list[msgspec.Raw], rules)
        if not items:
            return
        place, number, counted = self._whole.find(self.values[key], self._start), 1, 0
        for item in items:
            content = bytes(item)
            place = self._whole.find(content, place)
            number += self._whole.count(b"\n", counted, place)
            counted = place
            yield f"line {number}", content, place
            place += len(content)

    def line(self, key: str) -> str:
        place = self._whole.find(self.values[key], self._start)
        number = self._whole.count(b"\n", 0, place) + 1
        return f"line {number}"


def read_rules(
    values: JsonFile,
    key: str,
    kind: type[T],
    rules: HostRules,
    make: Callable[[T], Route | HeaderRule | None],
    pattern_of: Callable[[str], Pattern],
    source: str = "source",
    *,
    answers: bool = True,
) -> None:
    """Read a list of rules.

    Args:
        make: Makes the rule of an item; None if it changes no response.
        pattern_of: Makes the pattern of its source.
        source: The field that has its source, for an item that is not as documented.
        answers: Whether the rules could answer paths without a file.
    """
    items = ((where, content) for where, content, _ in values.list(key, rules))
    for where, content in rules.until_full(values.file, items, answers=answers):
        try:
            rule = make(decode_json(content, kind))
        except UnsupportedError as error:
            rules.skip(values.file, where, str(error))
            continue
        except ValueError as error:
            _skip_wrong(values.file, where, content, sentence_of(error), rules, pattern_of, source)
            continue
        if isinstance(rule, Route) and rule.why:
            rules.skip_route(rule, values.file, where, rule.why)
        elif rule is not None:
            rules.add(rule, values.file, where)


def _skip_wrong(
    file: str,
    where: str,
    content: bytes,
    error: str,
    rules: HostRules,
    pattern_of: Callable[[str], Pattern],
    source: str,
) -> None:
    """Record a rule that is not as documented; it could answer the paths of its source."""
    why = f"it is not as documented ({error})"
    try:
        raw = decode_json(content, dict[str, msgspec.Raw])
        pattern = pattern_of(decode_json(raw[source], str))
    except (ValueError, KeyError):
        rules.skip(file, where, why)
        return
    rules.skip_route(Route(pattern, "", 200), file, where, why)


def record_unknown(values: JsonFile, known_keys: frozenset[str], rules: HostRules) -> None:
    """Record the keys that are not applied."""
    unknown = [key for key in values.values if key not in known_keys and key not in _NOT_SERVING]
    for key in unknown[:MAX_UNKNOWN]:
        rules.skip(values.file, values.line(key), f"the key {key[:60]} is not known")
    if more := unknown[MAX_UNKNOWN:]:
        rules.skip(values.file, values.line(more[0]), f"{len(more):,} more keys are not known")


def _lower(headers: list[_Header]) -> tuple[tuple[str, str | None], ...]:
    return tuple((header.key.lower(), _one_line(header.value)) for header in headers)


def _one_line(text: str) -> str:
    return " ".join(text.split())


# Vercel: https://vercel.com/docs/project-configuration/vercel-json


class _VercelHeaders(msgspec.Struct):
    source: str
    headers: list[_Header]
    has: list[dict[str, Any]] = []
    missing: list[dict[str, Any]] = []


class _VercelRule(msgspec.Struct):
    source: str
    destination: str
    permanent: bool = True
    statusCode: Status | None = None  # noqa: N815 - as in the file
    has: list[dict[str, Any]] = []
    missing: list[dict[str, Any]] = []


# https://github.com/vercel/vercel, packages/routing-utils/src/superstatic.ts: convertCleanUrls (2026-11-29)
_VERCEL_FILE_NAMES = tuple(map(regular_pattern, (r"^/(?:(.+)/)?index(?:\.html)?/?$", r"^/(.*)\.html/?$")))


class _VercelRoute(msgspec.Struct):
    src: str | None = None
    dest: str = ""
    status: Status = 200


def read_vercel(content: bytes, rules: HostRules, host: str) -> None:
    """Read a `vercel.json` into the rules.

    Args:
        host: The host of the base URL.
    """
    values = JsonFile(VERCEL, content)
    clean, slash = bool(values.get("cleanUrls", bool, rules)), values.get("trailingSlash", bool, rules)
    if clean:
        rules.changes |= {"bare": Slash.SERVE, "bare_slash": Slash.SERVE, "drops_extension": True}
        # They precede all other routes, and apply whether or not the file exists.
        for names in _VERCEL_FILE_NAMES:
            route_of_names = Route(names, "/$1/" if slash else "/$1", 308, setting="cleanUrls")
            rules.add(route_of_names, VERCEL, values.line("cleanUrls"))
    rules.changes |= _slashes(clean=clean, slash=slash)
    rules.settings += _set(clean=clean, slash=slash)

    def condition(item: _VercelRule | _VercelHeaders) -> str | None:
        """Return why it is unknown whether a rule applies: empty if it does, None if it does not."""
        wanted = [(one, True) for one in item.has] + [(one, False) for one in item.missing]
        for one, is_there in wanted:
            if one.get("type") != "host" or not isinstance(one.get("value"), str):
                return "it depends on a condition"
            if rules.is_full:
                return TOO_MANY
            found = regular_pattern(f"^(?:{one['value']})$")
            rules.spend(found)
            if found.why:
                return found.why
            if (found.match(host) is not None) is not is_there:
                return None
        return ""

    def redirect(item: _VercelRule) -> Route | None:
        if (why := condition(item)) is None:
            return None
        status = item.statusCode or (308 if item.permanent else 307)
        return Route(vercel_pattern(item.source), item.destination, status, why=why, source=item.source)

    def rewrite(item: _VercelRule) -> Route | None:
        if (why := condition(item)) is None:
            return None
        target = item.destination
        if not target.startswith("/"):
            why = why or OTHER_SITE
        elif target.startswith("/api/"):
            why = why or FUNCTION
        return Route(vercel_pattern(item.source), target, 200, shadows=False, why=why)

    def headers(item: _VercelHeaders) -> HeaderRule | None:
        if why := condition(item):
            raise UnsupportedError(why)
        return HeaderRule(vercel_pattern(item.source), _lower(item.headers), True) if why is not None else None

    def route(item: _VercelRoute) -> Route | None:
        if item.src is None:
            return None
        why = "the key routes is not applied"
        pattern = regular_pattern(f"^(?:{item.src})$")
        return Route(pattern, item.dest, item.status, shadows=False, why=why, source=item.src)

    read_rules(values, "routes", _VercelRoute, rules, route, lambda text: regular_pattern(f"^(?:{text})$"), "src")
    read_rules(values, "redirects", _VercelRule, rules, redirect, vercel_pattern)
    read_rules(values, "rewrites", _VercelRule, rules, rewrite, vercel_pattern)
    read_rules(values, "headers", _VercelHeaders, rules, headers, vercel_pattern, answers=False)
    known_keys = {"redirects", "rewrites", "headers", "cleanUrls", "trailingSlash", "routes"}
    record_unknown(values, frozenset(known_keys), rules)


def _set(*, clean: bool, slash: bool | None) -> list[str]:
    """Return the names of the settings that are set."""
    return [*(["cleanUrls"] if clean else []), *(["trailingSlash"] if slash is not None else [])]


def _slashes(*, clean: bool, slash: bool | None) -> dict[str, object]:
    """Return the fields of a host that `trailingSlash` changes, with or without clean URLs."""
    if slash is None:
        return {}
    if slash:
        of_pages = {"bare": Slash.REDIRECT, "bare_slash": Slash.SERVE} if clean else {}
        return {"folder": Slash.REDIRECT, "folder_slash": Slash.SERVE, **of_pages}
    of_pages = {"bare": Slash.SERVE, "bare_slash": Slash.REDIRECT} if clean else {}
    return {"folder": Slash.SERVE, "folder_slash": Slash.REDIRECT, **of_pages}


# Firebase Hosting: https://firebase.google.com/docs/hosting/full-config


class _Matched(msgspec.Struct):
    """What a rule of Firebase applies to; `glob` is the earlier name of `source`, and `regex` has the syntax of RE2."""

    source: str | None = None
    glob: str | None = None
    regex: str | None = None

    def pattern(self) -> Pattern:
        if self.regex is not None:
            return regular_pattern(self.regex)
        source = self.source or self.glob
        if not source:
            raise UnsupportedError("it has no source")
        return glob_pattern(source)


class _FirebaseRedirect(_Matched):
    destination: str = ""
    type: Status = 301


class _FirebaseRewrite(_Matched):
    destination: str | None = None


class _FirebaseHeaders(_Matched):
    headers: list[_Header] = []


def read_firebase(content: bytes, rules: HostRules, folder: Path, place: Path) -> None:
    """Read a `firebase.json` into the rules.

    Args:
        folder: The directory that is published.
        place: The directory of the file.
    """
    site = _site_of(JsonFile(FIREBASE, content), rules, folder, place)
    if site is None:
        return
    clean, slash = bool(site.get("cleanUrls", bool, rules)), site.get("trailingSlash", bool, rules)
    if clean:
        rules.changes |= {"bare": Slash.SERVE, "bare_slash": Slash.REDIRECT, "drops_extension": True}
    rules.changes |= _slashes(clean=clean, slash=slash)
    rules.settings += _set(clean=clean, slash=slash)

    def redirect(item: _FirebaseRedirect) -> Route:
        why = "" if item.type in REDIRECTS else "its type is not a status code of redirects"
        source = item.source or item.regex or ""
        return Route(item.pattern(), item.destination, item.type, why=why, source=source)

    def rewrite(item: _FirebaseRewrite) -> Route:
        why = FUNCTION if item.destination is None else ""
        return Route(item.pattern(), item.destination or "", 200, shadows=False, why=why)

    def headers(item: _FirebaseHeaders) -> HeaderRule:
        return HeaderRule(item.pattern(), _lower(item.headers), True)

    # "Exact-match static content" is between redirects and rewrites.
    read_rules(site, "redirects", _FirebaseRedirect, rules, redirect, glob_pattern)
    read_rules(site, "rewrites", _FirebaseRewrite, rules, rewrite, glob_pattern)
    read_rules(site, "headers", _FirebaseHeaders, rules, headers, glob_pattern, answers=False)
    where = site.line("ignore") if "ignore" in site.values else ""
    ignored = ((where, glob) for glob in site.get("ignore", list[str], rules) or ())
    for _, glob in rules.until_full(FIREBASE, ignored, answers=False):
        pattern = glob_pattern(glob)
        rules.spend(pattern)
        if pattern.why:
            rules.skip(FIREBASE, where, f"files to ignore are not left out: {pattern.why}")
        else:
            rules.hidden.append(pattern)
    if "i18n" in site.values:
        rules.skip(FIREBASE, site.line("i18n"), "files for languages and countries are not applied")
    known = {"public", "ignore", "redirects", "rewrites", "headers", "cleanUrls", "trailingSlash", "i18n"}
    record_unknown(site, frozenset(known), rules)


def _site_of(values: JsonFile, rules: HostRules, folder: Path, place: Path) -> JsonFile | None:
    """Return the site that publishes a directory, or the only site; None for neither, which is recorded."""
    if values.values.get("hosting", b"").lstrip().startswith(b"["):
        items = values.list("hosting", rules)
        sites = [values.below(content, place) for _, content, place in items if content[:1] == b"{"]
    else:
        site = values.object("hosting", rules)
        sites = [] if site is None else [site]
    matching = [site for site in sites if _is_folder(_text(site, "public"), folder, place)]
    if not matching and len(sites) != 1:
        rules.skip_file(FIREBASE, "no single site publishes this directory")
        return None
    return (matching or sites)[0]


def _text(values: JsonFile, key: str) -> str | None:
    try:
        return decode_json(values.values.get(key, b"null"), str | None)
    except ValueError:
        return None


def _is_folder(public: str | None, folder: Path, place: Path) -> bool:
    try:
        return public is not None and (place / public).resolve() == folder.resolve()
    except (OSError, ValueError, RuntimeError):
        return False


def names_folder(file: str, content: bytes, folder: Path, place: Path) -> bool:
    """Return whether a configuration file in a parent directory says that it publishes a directory.

    Raises:
        NotServedError: It is not a JSON object.
    """
    values = JsonFile(file, content)
    if file != FIREBASE:
        return _is_folder(_text(values, "outputDirectory"), folder, place)
    hosting = values.values.get("hosting", b"")
    try:
        sites = decode_json(hosting, list[msgspec.Raw]) if hosting[:1] == b"[" else [hosting]
        return any(_is_folder(_text(JsonFile(file, bytes(site)), "public"), folder, place) for site in sites if site)
    except ValueError:
        return False


# Azure Static Web Apps: https://learn.microsoft.com/azure/static-web-apps/configuration


class _AzureRoute(msgspec.Struct):
    route: str
    methods: list[str] | None = None
    allowedRoles: list[str] = []  # noqa: N815 - as in the file
    headers: dict[str, str] = {}
    redirect: str | None = None
    rewrite: str | None = None
    statusCode: Status | None = None  # noqa: N815


class _AzureFallback(msgspec.Struct):
    rewrite: str
    exclude: list[str] = []


class _AzureOverride(msgspec.Struct):
    rewrite: str | None = None


def read_azure(content: bytes, rules: HostRules) -> None:
    values = JsonFile(AZURE, content)
    if (named := values.get("globalHeaders", dict[str, str], rules)) is not None:
        rules.add(HeaderRule(glob_pattern("**"), _headers_by_name(named), True), AZURE, values.line("globalHeaders"))
    read_rules(values, "routes", _AzureRoute, rules, lambda item: _azure_route(item, rules), azure_pattern, "route")
    slash = values.get("trailingSlash", str, rules)
    if slash in ("always", "never", "auto"):
        rules.settings.append("trailingSlash")
        rules.changes |= {"bare": Slash.SERVE, "bare_slash": Slash.REDIRECT, "drops_extension": True}
        rules.changes |= (
            {"folder": Slash.REDIRECT} if slash == "auto" else _slashes(clean=True, slash=slash == "always")
        )
    elif slash is not None:
        rules.skip(AZURE, values.line("trailingSlash"), "the value is not known")
    _azure_fallback(values, rules)
    overrides = values.object("responseOverrides", rules)
    if overrides is not None and (missing := overrides.get("404", _AzureOverride, rules)) is not None:
        if missing.rewrite is not None:
            rules.error_page = missing.rewrite
        else:
            rules.skip(AZURE, overrides.line("404"), "only a rewrite is applied")
    types = values.get("mimeTypes", dict[str, str], rules)
    rules.types |= {key: value for key, value in (types or {}).items() if key.startswith(".")}
    known = {"routes", "globalHeaders", "trailingSlash", "navigationFallback", "responseOverrides", "mimeTypes"}
    record_unknown(values, frozenset(known), rules)


def _azure_fallback(values: JsonFile, rules: HostRules) -> None:
    key = "navigationFallback"
    if values.values.get(key, b"null") == b"null":
        return
    fallback = values.get(key, _AzureFallback, rules)
    if fallback is None:
        rules.doubt(ANY, AZURE, values.line(key), f"{key} is not as documented")
        return
    rules.fallback = fallback.rewrite
    where = values.line(key)
    for _, glob in rules.until_full(AZURE, ((where, glob) for glob in fallback.exclude)):
        pattern = azure_pattern(glob)
        rules.spend(pattern)
        if pattern.why:
            # It is unknown which files the fallback does not stand for.
            rules.skip_route(Route(pattern, "", 200, shadows=False), AZURE, where, pattern.why)
        else:
            rules.not_fallback.append(pattern)


def _headers_by_name(values: dict[str, str]) -> tuple[tuple[str, str | None], ...]:
    """Return headers by name, where an empty value removes one."""
    return tuple((name.lower(), _one_line(value) or None) for name, value in values.items())


def _azure_route(item: _AzureRoute, rules: HostRules) -> Route | None:
    if item.methods is not None and "GET" not in item.methods:
        return None
    pattern = azure_pattern(item.route)
    if item.headers:
        rules.add(HeaderRule(pattern, _headers_by_name(item.headers), True), AZURE, item.route[:60])
    if item.allowedRoles and "anonymous" not in item.allowedRoles:
        return Route(pattern, "", 401)
    if item.redirect is not None:
        return Route(pattern, item.redirect, item.statusCode or 302, source=item.route)
    if item.rewrite is not None:
        why = FUNCTION if item.rewrite.startswith(("/.auth/", "/api/")) else ""
        return Route(pattern, item.rewrite, item.statusCode or 200, why=why)
    return Route(pattern, "", item.statusCode) if item.statusCode is not None else None
