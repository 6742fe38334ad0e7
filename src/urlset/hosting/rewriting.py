"""The rewrite rules of Apache HTTP Server in a `.htaccess` file.

https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html

A condition is true, false, or unknown. What decides it is the URL and the files of the directory; a crawler sends no
cookies and no referrer. Its name, its address, and the time are unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from urlset.hosting.routes import changes_only_host
from urlset.net.origin import DEFAULT_PORTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.hosting.regular import Regular

MAX_ROUNDS = 10
"""Internal redirects after which Apache gives up: LimitInternalRecursion."""

PROGRAMS = (".php", ".php5", ".phtml", ".cgi", ".fcgi", ".pl", ".py", ".asp", ".aspx", ".jsp")
"""Endings of programs, whose response is not in the directory."""

ROOT = "/\0root"
"""Stands for the directory on the server that is the root of the site."""

_REFERENCE = re.compile(r"\\(.)|\$(\d)|%(\d)|%\{([\w:.-]+)\}", re.DOTALL)


class Files(Protocol):
    """The files of a site, by the path of their URL."""

    def is_file(self, path: str) -> bool | None:
        """Return whether there is a file; None if the path is not below the base URL."""
        ...

    def is_folder(self, path: str) -> bool | None: ...


class Condition(Struct, frozen=True):
    """A RewriteCond.

    Attributes:
        subject: What it tests, such as `%{REQUEST_FILENAME}`.
        test: `-f`, `-d`, and so on, `=` for equality with `text`, or empty for the regular expression.
        or_next: Whether it suffices that this one or the next one holds.
    """

    subject: str
    test: str
    text: str = ""
    regular: Regular | None = None
    is_negated: bool = False
    or_next: bool = False


class RewriteRule(Struct, frozen=True):
    """A RewriteRule with its conditions.

    Attributes:
        target: What replaces the path; `-` to keep it.
        redirect: The status of a redirect; None to rewrite.
        error: The status that ends the request, such as 403; None for none.
        ends_round: Whether the rules after it are left out.
        ends_all: Whether the rules do not run again for the new path.
        is_chained: Whether the next rule applies only if this one does.
        skips: Number of rules to leave out if it applies.
        why: Why it is not applied; empty if it is.
        place: Where it is, such as `.htaccess:5`.
        source: The regular expression as written.
    """

    regular: Regular
    is_negated: bool
    conditions: tuple[Condition, ...]
    target: str
    place: str
    source: str
    redirect: int | None = None
    error: int | None = None
    ends_round: bool = False
    ends_all: bool = False
    is_chained: bool = False
    skips: int = 0
    why: str = ""


class Request(Struct, frozen=True):
    """What is known of a request.

    Attributes:
        path: The decoded path.
        query: The query as written.
        scheme: Of the base URL, as is the host.
    """

    path: str
    query: str
    scheme: str
    host: str


class Rewritten(Struct, frozen=True):
    """What the rules make of a request.

    Attributes:
        path: The path whose file is served.
        location: The target of a redirect; None for none.
        status: The status of the redirect or of the error; 200 for neither.
        doubt: The place of the first rule that could have answered, and why it was not applied; None if there is none.
        place: The place of the rule that changed the path last.
    """

    path: str
    location: str | None = None
    status: int = 200
    doubt: tuple[str, str] | None = None
    place: str = ""


@dataclass
class Rewriter:
    """The rules of a directory.

    Attributes:
        prefix: The path of the directory on the site, with a slash at both ends.
        base: The path that relative targets are below: RewriteBase.
    """

    prefix: str
    base: str
    rules: list[RewriteRule] = field(default_factory=list)

    def apply(self, request: Request, files: Files) -> Rewritten:
        """Apply the rules until the path no longer changes."""
        run = _Run(self, request, files)
        for _ in range(MAX_ROUNDS):
            before = run.path
            end = run.round()
            if end is not None:
                return end
            if run.path == before or run.is_over:
                return Rewritten(run.path, doubt=run.doubt, place=run.place)
            run.is_again = True
        return Rewritten(run.path, status=500, doubt=run.doubt)


class _Run:
    def __init__(self, rewriter: Rewriter, request: Request, files: Files) -> None:
        self._rewriter = rewriter
        self._request = request
        self._files = files
        self.path = request.path
        self.query = request.query
        self.doubt: tuple[str, str] | None = None
        self.place = ""
        self.is_again = False
        self.is_over = False

    def round(self) -> Rewritten | None:
        """Apply each rule once; return the end of the request if one ends it."""
        rules = self._rewriter.rules
        at = 0
        while at < len(rules):
            rule = rules[at]
            at += 1
            is_applied, groups, parts, unknown = self._decide(rule)
            if not is_applied:
                while rule.is_chained and at < len(rules):
                    rule = rules[at]
                    at += 1
                continue
            target = None if rule.target == "-" else self._target(rule, groups, parts)
            if rule.redirect is not None and target is not None and changes_only_host(target, self._request.path):
                # The same file is missing there, too, so only a page is moved.
                if not unknown and (
                    self._files.is_file(self._request.path) or self._files.is_folder(self._request.path)
                ):
                    return Rewritten(self.path, target, rule.redirect, self.doubt)
                continue
            if unknown:
                if rule.error is None and (target is not None or rule.redirect is not None):
                    self.doubt = self.doubt or (rule.place, unknown)
                continue
            if rule.error is not None:
                return Rewritten(self.path, status=rule.error, doubt=self.doubt)
            if rule.redirect is not None:
                location = self.path if target is None else target
                return Rewritten(self.path, location, rule.redirect, self.doubt)
            if target is not None:
                if target.startswith(("http://", "https://")):
                    return Rewritten(self.path, target, 302, self.doubt)
                self.path, mark, query = target.partition("?")
                self.place = rule.place
                self.query = query if mark else self.query
            if rule.ends_all:
                self.is_over = True
            if rule.ends_round or rule.ends_all:
                return None
            at += rule.skips
        return None

    def _decide(self, rule: RewriteRule) -> tuple[bool, Sequence[str], Sequence[str], str]:
        """Return whether a rule may apply, the groups of it and of its conditions, and why this is unknown."""
        nothing: tuple[bool, Sequence[str], Sequence[str], str] = (False, (), (), "")
        prefix = self._rewriter.prefix
        if not self.path.startswith(prefix):
            return nothing
        found = rule.regular.groups(self.path[len(prefix) :])
        unknown = rule.why or rule.regular.why
        if unknown:
            # The expression may match more than Apache does, and its opposite less.
            if found is None and not rule.is_negated:
                return nothing
        elif (found is None) is not rule.is_negated:
            return nothing
        groups = found or ()
        parts: Sequence[str] = ()
        holds: bool | None = False
        why = ""
        for condition in rule.conditions:
            if holds is not True:
                value, reason, matched = self._holds(condition, groups, parts)
                parts = parts if matched is None else matched
                if value is True:
                    holds = True
                elif value is None:
                    holds, why = None, why or reason
            if not condition.or_next:
                if holds is False:
                    return nothing
                unknown = unknown or ("" if holds else why)
                holds, why = False, ""
        return True, groups, parts, unknown

    def _holds(
        self, condition: Condition, groups: Sequence[str], parts: Sequence[str]
    ) -> tuple[bool | None, str, Sequence[str] | None]:
        """Return whether a condition holds, or why that is unknown, and the groups of its match."""
        subject, unknown = self._expand(condition.subject, groups, parts)
        if unknown:
            return None, f"it depends on {unknown}", None
        matched: Sequence[str] | None = None
        holds: bool | None
        match condition.test:
            case "=":
                holds = subject == condition.text
            case "-f" | "-F" | "-U" | "-s" | "-d":
                check = self._files.is_folder if condition.test == "-d" else self._files.is_file
                path = subject.removeprefix(ROOT)
                holds = check(path) if path.startswith("/") else False
                if holds is None:
                    return None, f"it depends on a file above {self._rewriter.prefix}", None
            case "-l" | "-h" | "-L" | "-x":
                holds = False
            case "":
                assert condition.regular is not None
                if condition.regular.why:
                    return None, condition.regular.why, None
                matched = condition.regular.groups(subject)
                holds = matched is not None
            case _:
                return None, f"a condition with {condition.test} is not applied", None
        if condition.is_negated:
            return not holds, "", None
        return holds, "", matched

    def _target(self, rule: RewriteRule, groups: Sequence[str], parts: Sequence[str]) -> str:
        """Return the target as a path of the site or a URL; a host that is unknown is `unknown.invalid`."""
        target, _ = self._expand(rule.target, groups, parts)
        # A question mark at the end drops the query.
        target = target.removesuffix("?") if rule.redirect is not None else target
        if target.startswith(("/", "http://", "https://")):
            return target.removeprefix(ROOT) if target.startswith(ROOT) else target
        return self._rewriter.base + target

    def _expand(self, text: str, groups: Sequence[str], parts: Sequence[str]) -> tuple[str, str]:
        """Return a text with its references filled in, and the first variable whose value is unknown."""
        unknown = ""
        variables = self._variables()

        def value(found: re.Match[str]) -> str:
            nonlocal unknown
            escaped, group, part, name = found.groups()
            if escaped is not None:
                return str(escaped)
            if name is None:
                values, number = (groups, int(group)) if group is not None else (parts, int(part))
                return values[number] if number < len(values) else ""
            known = variables.get(name.upper())
            if known is None:
                unknown = unknown or name
                return "unknown.invalid"
            return known

        return _REFERENCE.sub(value, text), unknown

    def _variables(self) -> Mapping[str, str]:
        request = self._request
        is_https = request.scheme == "https"
        name, _, port = request.host.partition(":")
        query = f"?{request.query}" if request.query else ""
        return {
            "HTTPS": "on" if is_https else "off",
            "REQUEST_SCHEME": request.scheme,
            "SERVER_PORT": port or str(DEFAULT_PORTS[request.scheme]),
            "HTTP_HOST": request.host, "HTTP:HOST": request.host, "SERVER_NAME": name,
            "HTTP:X-FORWARDED-PROTO": request.scheme, "HTTP:X-FORWARDED-SSL": "on" if is_https else "off",
            "REQUEST_URI": self.path, "SCRIPT_NAME": self.path,
            "REQUEST_FILENAME": ROOT + self.path, "SCRIPT_FILENAME": ROOT + self.path, "DOCUMENT_ROOT": ROOT,
            "QUERY_STRING": self.query, "REQUEST_METHOD": "GET", "SERVER_PROTOCOL": "HTTP/1.1",
            "THE_REQUEST": f"GET {request.path}{query} HTTP/1.1", "ENV:REDIRECT_STATUS": "200" if self.is_again else "",
            "HTTP_REFERER": "", "HTTP:REFERER": "", "HTTP_COOKIE": "", "HTTP:COOKIE": "", "HTTP:AUTHORIZATION": "",
            "IS_SUBREQ": "false",
        }  # fmt: skip
