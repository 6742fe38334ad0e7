"""Read the `.htaccess` of Apache HTTP Server: redirects, rewrite rules, headers, and error pages."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset.hosting.hosts import Slash
from urlset.hosting.patterns import ANY, PatternBuilder, UnsupportedError, regular_pattern
from urlset.hosting.regular import Regular
from urlset.hosting.rewriting import Condition, Rewriter, RewriteRule
from urlset.hosting.routes import MAX_COST, MAX_ROUTES, TOO_MANY, HeaderRule, Route, place_of, status_of

if TYPE_CHECKING:
    from urlset.hosting.patterns import Pattern
    from urlset.hosting.routes import HostRules

FILE = ".htaccess"

MAX_SECTIONS = 100
"""Maximum sections within each other."""

LONGEST_LINE = 16_384
"""Maximum characters of a line. Words in quotes take quadratic time."""

_STATUSES = {"permanent": 301, "temp": 302, "seeother": 303, "gone": 410}
_SECTION = re.compile(r"<(/?)(\w+)\s*([^>]*)>")
_SAME = re.compile(
    r"expires\w*|addoutputfilter\w*|setoutputfilter|fileetag|addencoding|addicon\w*|indexoptions|setenvif\w*|setenv|"
    r"browsermatch\w*|serversignature|rewriteoptions|require|order|allow|deny|satisfy|php_\w+|unsetenv|passenv|"
    r"addhandler|sethandler|addlanguage|limitrequestbody|deflate\w*|addcharset|defaulttype|contentdigest|"
    r"auth\w+|acceptpathinfo|indexignore|removetype|forcetype|suphp_\w+",
    re.IGNORECASE,
)
"""Directives that do not change what is read of a public page."""
_EXTENSIONS = re.compile(r"\\\.(?:\(([\w|]+)\)|(\w+))\$")
_SHORT = {
    "ORNEXT": "OR", "NOCASE": "NC", "REDIRECT": "R", "FORBIDDEN": "F", "GONE": "G", "LAST": "L", "CHAIN": "C",
    "SKIP": "S", "PROXY": "P",
}  # fmt: skip
"""The short names of flags."""
_TRANSPARENT = ("ifmodule", "ifversion", "ifdefine")
_ANSWERS = re.compile(
    rb"^[ \t]*(?:rewriterule|redirect\w*|fallbackresource|alias\w*|scriptalias\w*|errordocument[ \t]+404)\b",
    re.IGNORECASE | re.MULTILINE,
)


def could_answer(content: bytes) -> bool:
    """Return whether a `.htaccess` file has rules by which a path without a file may have a response."""
    return _ANSWERS.search(content) is not None


def read_htaccess(text: str, rules: HostRules, prefix: str) -> None:
    """Read a `.htaccess` file of the root directory into the rules.

    Args:
        prefix: The path of the directory on the site, with a slash at both ends.
    """
    _Htaccess(rules, prefix).read(text)


class _Htaccess:
    def __init__(self, rules: HostRules, prefix: str) -> None:
        self._rules = rules
        self._prefix = prefix
        self._rewriter = Rewriter(prefix, prefix)
        self._is_on = True
        self._cost = 0
        self._conditions: list[Condition] = []
        self._sections: list[tuple[str, Pattern | None]] = []
        self._deeper = 0
        """Sections that are open within too many others."""

    def read(self, text: str) -> None:
        for number, line in enumerate(text.replace("\\\n", " ").splitlines(), 1):
            line, where = line.strip(), f"line {number}"
            if not line or line.startswith("#"):
                continue
            if len(line) > LONGEST_LINE:
                why = f"it is longer than {LONGEST_LINE:,} characters"
                self._rules.skip_route(Route(ANY, "", 200, shadows=False), FILE, where, why)
                continue
            try:
                if (section := _SECTION.fullmatch(line)) is not None:
                    self._enter(section)
                    continue
                words = _split_words(line)
                self._directive(words[0].lower(), words[1:], where)
            except UnsupportedError as error:
                self._rules.skip(FILE, where, str(error))
        if self._is_on and self._rewriter.rules:
            self._rules.rewriter = self._rewriter

    def _enter(self, section: re.Match[str]) -> None:
        kind = section[2].lower()
        if section[1]:
            if self._deeper:
                self._deeper -= 1
            elif self._sections:
                self._sections.pop()
            return
        if len(self._sections) >= MAX_SECTIONS:
            self._deeper += 1
            return
        argument = section[3].strip().strip("\"'")
        pattern = None
        if kind == "ifmodule" and argument.startswith("!"):
            # Hosts have the modules that files ask for.
            kind = "ifmodule without a module"
        elif kind == "files":
            builder = PatternBuilder()
            builder.wildcard("(?:.*/)?")
            start, star, end = argument.partition("*")
            builder.text(start)
            if star:
                builder.wildcard("[^/]*")
            builder.text(end)
            pattern = builder.pattern()
        elif kind == "filesmatch":
            found = _EXTENSIONS.fullmatch(argument.removeprefix("(?i)"))
            if found is None:
                kind = "filesmatch with a regular expression"
            else:
                choice = "|".join(map(re.escape, (found[1] or found[2]).split("|")))
                builder = PatternBuilder()
                builder.wildcard(rf".*\.(?:{choice})")
                pattern = builder.pattern()
        self._sections.append((kind, pattern))

    def _directive(self, name: str, words: list[str], where: str) -> None:
        kinds = [kind for kind, _ in self._sections]
        if "ifmodule without a module" in kinds:
            return
        conditional = next((kind for kind in kinds if kind not in (*_TRANSPARENT, "files", "filesmatch")), None)
        why = "" if conditional is None else f"it is in a section <{conditional}>"
        if self._deeper:
            why = f"it is in more than {MAX_SECTIONS} sections"
        rules = self._rules
        match name:
            case "rewritecond" | "rewriterule" if self._is_full:
                rules.skip_route(Route(ANY, "", 200, shadows=False), FILE, where, TOO_MANY)
            case "redirect" | "redirectpermanent" | "redirecttemp" | "redirectmatch" if rules.is_full:
                rules.skip_route(Route(ANY, "", 200, shadows=False), FILE, where, TOO_MANY)
            case "rewritecond":
                self._conditions.append(_condition(words))
                self._spend(self._conditions[-1].regular)
            case "rewriterule":
                conditions, self._conditions = tuple(self._conditions), []
                self._add_rewrite(words, conditions, where, why)
            case "redirect" | "redirectpermanent" | "redirecttemp" | "redirectmatch":
                status, problem = _redirect_status(name, words)
                for route in _redirect(name, words, status):
                    if problem or why:
                        rules.skip_route(route, FILE, where, problem or why)
                    else:
                        rules.add(route, FILE, where)
            case "fallbackresource" if words and why:
                rules.skip_route(Route(ANY, words[0], 200, shadows=False), FILE, where, why)
            case _ if _SAME.fullmatch(name):
                return
            case _ if why:
                raise UnsupportedError(why)
            case _:
                self._setting(name, words, where)

    def _setting(self, name: str, words: list[str], where: str) -> None:
        rules = self._rules
        match name:
            case "rewriteengine":
                self._is_on = not words or words[0].lower() != "off"
            case "rewritebase" if words and words[0].startswith("/"):
                self._rewriter.base = words[0].rstrip("/") + "/"
            case "header":
                within = next((pattern for _, pattern in self._sections if pattern is not None), None)
                rules.add(_header(words, within), FILE, where)
            case "errordocument" if len(words) >= 2:
                if words[0] == "404" and words[1].startswith("/"):
                    rules.error_page = words[1]
                elif words[0] == "404" and words[1].startswith(("http://", "https://")):
                    # "Apache HTTP Server will send a redirect to the client": it is not a 404 any more.
                    rules.add(Route(ANY, words[1], 302, shadows=False), FILE, where)
            case "directoryindex":
                rules.changes["indexes"] = tuple(words)
            case "directoryslash" if words and words[0].lower() == "off":
                rules.changes["folder"] = Slash.MISSING
            case "fallbackresource" if words and words[0].startswith("/"):
                rules.fallback = words[0]
            case "adddefaultcharset" if words:
                if words[0].lower() not in ("on", "off"):
                    rules.changes["html_type"] = f"text/html; charset={words[0]}"
            case "addtype" if len(words) >= 2:
                rules.types |= {f".{word.lstrip('.')}": words[0] for word in words[1:]}
            case "options":
                if any(word.lower().lstrip("+") == "multiviews" for word in words):
                    # https://httpd.apache.org/docs/2.4/content-negotiation.html: /a is a.html.
                    rules.changes["bare"] = Slash.SERVE
            case _:
                raise UnsupportedError(f"{name} is not applied")

    @property
    def _is_full(self) -> bool:
        return len(self._rewriter.rules) >= MAX_ROUTES or self._cost > MAX_COST

    def _spend(self, regular: Regular | None) -> None:
        self._cost += 0 if regular is None else regular.cost

    def _add_rewrite(self, words: list[str], conditions: tuple[Condition, ...], where: str, why: str) -> None:
        rule = _rewrite(words, conditions, where)
        rule = replace(rule, why=why or rule.why)
        regulars = [rule.regular, *(one.regular for one in conditions if one.regular is not None)]
        self._spend(rule.regular)
        unknown = rule.why or next((one.why for one in regulars if one.why), "")
        if unknown:
            self._rules.skip(FILE, where, unknown)
        self._rewriter.rules.append(rule)


def _split_words(line: str) -> list[str]:
    try:
        # Backslashes are part of regular expressions.
        lexer = shlex.shlex(line, posix=True)
        lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
        return list(lexer) or [line]
    except ValueError:
        raise UnsupportedError("its quotes are not closed") from None


def _redirect_status(name: str, words: list[str]) -> tuple[int, str]:
    """Take the status of a redirect from its words, and return it with what is wrong with it."""
    if name in ("redirect", "redirectmatch") and words and (words[0].lower() in _STATUSES or words[0].isdecimal()):
        return _status(words.pop(0))
    return {"redirectpermanent": 301}.get(name, 302), ""


def _redirect(name: str, words: list[str], status: int) -> list[Route]:
    if not words or len(words) > 2 or (name != "redirectmatch" and not words[0].startswith("/")):
        raise UnsupportedError("it is not a redirect")
    source, target = words[0], words[1] if len(words) == 2 else ""
    if name == "redirectmatch":
        return [Route(regular_pattern(source), target, status, source=source)]
    # A redirect applies to everything below its path, too.
    exact, below = PatternBuilder(), PatternBuilder()
    exact.text(source)
    below.text(source if source.endswith("/") else f"{source}/")
    below.capture(".*", "rest")
    rest = target + (":rest" if target.endswith("/") and source.endswith("/") else "/:rest") if target else ""
    return [
        Route(exact.pattern(), target, status, source=source),
        Route(below.pattern(), rest, status, source=source),
    ]


def _status(word: str) -> tuple[int, str]:
    """Return the status of a redirect, with what is wrong with it; any status then, as its response is unknown."""
    try:
        number = int(word) if word.isdecimal() and len(word) < 10 else None
        return _STATUSES.get(word.lower()) or status_of(number), ""
    except UnsupportedError as error:
        return 302, str(error)


def _flags(word: str) -> dict[str, str]:
    """Return the flags of a rule or condition by their short names."""
    found = {}
    for flag in word.strip("[]").split(","):
        name, _, value = flag.strip().partition("=")
        found[_SHORT.get(name.upper(), name.upper())] = value
    return found


def _condition(words: list[str]) -> Condition:
    if len(words) < 2:
        raise UnsupportedError("it is not a RewriteCond")
    flags = _flags(words[2]) if len(words) > 2 else {}
    test = words[1]
    negated = test.startswith("!")
    test = test[1:] if negated else test
    or_next = "OR" in flags
    if test.startswith("=") and test != "=":
        text = test[1:].strip('"')
        return Condition(words[0], "=", text, is_negated=negated, or_next=or_next)
    if re.fullmatch(r"-[a-zA-Z]{1,2}", test) or test[:1] in ("<", ">", "=") or words[0].lower() == "expr":
        known = test if words[0].lower() != "expr" else "expr"
        return Condition(words[0], known, is_negated=negated, or_next=or_next)
    regular = Regular.of(test, ignore_case="NC" in flags)
    return Condition(words[0], "", regular=regular, is_negated=negated, or_next=or_next)


def _rewrite(words: list[str], conditions: tuple[Condition, ...], where: str) -> RewriteRule:
    if len(words) < 2:
        raise UnsupportedError("it is not a RewriteRule")
    flags = _flags(words[2]) if len(words) > 2 else {}
    source = words[0]
    is_negated = source.startswith("!")
    redirect, why = _status(flags["R"]) if flags.get("R") else (302 if "R" in flags else None, "")
    error = 403 if "F" in flags else 410 if "G" in flags else None
    if redirect is not None and not 300 <= redirect <= 399:
        redirect, error = None, redirect
    return RewriteRule(
        Regular.of(source.removeprefix("!"), ignore_case="NC" in flags),
        is_negated,
        conditions,
        words[1],
        place_of(FILE, where),
        source,
        redirect,
        error,
        ends_round="L" in flags or "P" in flags,
        ends_all="END" in flags,
        is_chained="C" in flags,
        skips=int(flags["S"]) if flags.get("S", "").isdecimal() and len(flags["S"]) < 6 else 0,
        why="it sends requests to another site" if "P" in flags else why,
    )


def _header(words: list[str], within: Pattern | None) -> HeaderRule:
    if words and words[0].lower() in ("always", "onsuccess"):
        words = words[1:]
    action = words[0].lower() if words else ""
    if action not in ("set", "append", "add", "merge", "setifempty", "unset") or len(words) < 2:
        raise UnsupportedError("it is not a header")
    if any(word.startswith(("env=", "expr=")) for word in words[3:]):
        raise UnsupportedError("a header with a condition")
    pattern = within or ANY
    name = words[1].rstrip(":").lower()
    if action == "unset":
        return HeaderRule(pattern, ((name, None),))
    if len(words) < 3:
        raise UnsupportedError("it is not a header")
    return HeaderRule(pattern, ((name, words[2]),), replaces=action == "set")
