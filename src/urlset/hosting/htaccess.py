"""Read the `.htaccess` of Apache HTTP Server: redirects, headers, and error pages."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from urlset.hosting.hosts import Slash
from urlset.hosting.redirects_file import TOO_MANY
from urlset.hosting.routes import HeaderRule, PatternBuilder, Route, UnsupportedError

if TYPE_CHECKING:
    from urlset.hosting.routes import HostRules, Pattern

FILE = ".htaccess"

_STATUSES = {"permanent": 301, "temp": 302, "seeother": 303, "gone": 410}
_SECTION = re.compile(r"<(/?)(\w+)\s*([^>]*)>")
_SAME = re.compile(
    r"expires\w*|addoutputfilter\w*|setoutputfilter|fileetag|options|addencoding|addicon\w*|indexoptions|setenvif\w*|"
    r"browsermatch\w*|serversignature|rewriteengine|rewritebase|rewriteoptions|require|order|allow|deny|php_\w+|"
    r"addhandler|sethandler|addlanguage|limitrequestbody|deflate\w*|addcharset|defaulttype|contentdigest",
    re.IGNORECASE,
)
"""Directives that do not change what is read of a public page."""
_EXTENSIONS = re.compile(r"\\\.(?:\(([\w|]+)\)|(\w+))\$")
_LITERAL_RULE = re.compile(r"\^/?([\w./-]*?)(/\?)?\$")
_TRANSPARENT = ("ifmodule", "ifversion", "ifdefine")


def read_htaccess(text: str, rules: HostRules, prefix: str) -> None:
    """Read a `.htaccess` file of the root directory into the rules.

    Args:
        prefix: The path of the directory on the site, with a slash at both ends.
    """
    sections: list[tuple[str, Pattern | None]] = []
    conditional = False
    for number, line in enumerate(text.replace("\\\n", " ").splitlines(), 1):
        line = line.strip()
        where = f"line {number}"
        if not line or line.startswith("#"):
            continue
        try:
            if (section := _SECTION.fullmatch(line)) is not None:
                _enter(section, sections)
                continue
            words = _split_words(line)
            name = words[0].lower()
            if any(kind not in (*_TRANSPARENT, "files", "filesmatch") for kind, _ in sections):
                raise UnsupportedError(f"it is in a section <{sections[-1][0]}>")
            if name == "rewritecond":
                conditional = True
                continue
            if name == "rewriterule" and conditional:
                conditional = False
                raise UnsupportedError("a RewriteRule with conditions")
            _directive(name, words[1:], next((one for _, one in sections if one is not None), None), rules, prefix)
        except UnsupportedError as error:
            rules.skip(FILE, where, str(error))


def _enter(section: re.Match[str], sections: list[tuple[str, Pattern | None]]) -> None:
    kind = section[2].lower()
    if section[1]:
        if sections:
            sections.pop()
        return
    sections.append((kind, None))
    pattern = None
    argument = section[3].strip().strip("\"'")
    if kind == "files":
        builder = PatternBuilder()
        builder.text("/")
        builder.splat(slash=True)
        start, star, end = argument.partition("*")
        builder.text(start)
        if star:
            builder.segment(least=0)
        builder.text(end)
        pattern = builder.pattern()
    elif kind == "filesmatch":
        found = _EXTENSIONS.fullmatch(argument.removeprefix("(?i)"))
        if found is None:
            sections[-1] = ("filesmatch with a regular expression", None)
            return
        builder = PatternBuilder()
        builder.splat()
        builder.text(".")
        builder.choice((found[1] or found[2]).split("|"))
        pattern = builder.pattern()
    sections[-1] = (kind, pattern)


def _split_words(line: str) -> list[str]:
    try:
        # Backslashes are part of regular expressions.
        lexer = shlex.shlex(line, posix=True)
        lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
        return list(lexer) or [line]
    except ValueError:
        raise UnsupportedError("its quotes are not closed") from None


def _directive(name: str, words: list[str], within: Pattern | None, rules: HostRules, prefix: str) -> None:
    match name:
        case "redirect" | "redirectpermanent" | "redirecttemp":
            _add(rules, *_redirect(name, words))
        case "rewriterule":
            _add(rules, _rewrite(words, prefix))
        case "header":
            _add(rules, _header(words, within))
        case "errordocument" if len(words) == 2:
            if words[0] == "404" and words[1].startswith("/"):
                rules.error_page = words[1]
        case "directoryindex":
            rules.changes["indexes"] = tuple(words)
        case "directoryslash" if words and words[0].lower() == "off":
            rules.changes["folder"] = Slash.MISSING
        case "adddefaultcharset" if words:
            if words[0].lower() not in ("on", "off"):
                rules.changes["html_type"] = f"text/html; charset={words[0]}"
        case "addtype" if len(words) >= 2:
            rules.types |= {f".{word.lstrip('.')}": words[0] for word in words[1:]}
        case _ if not _SAME.fullmatch(name):
            raise UnsupportedError(f"{name} is not applied")


def _add(rules: HostRules, *added: Route | HeaderRule | None) -> None:
    for one in added:
        if one is not None and not rules.add(one):
            raise UnsupportedError(TOO_MANY)


def _redirect(name: str, words: list[str]) -> list[Route]:
    status = {"redirectpermanent": 301}.get(name, 302)
    if name == "redirect" and words and (words[0].lower() in _STATUSES or words[0].isdecimal()):
        first = words.pop(0).lower()
        status = _STATUSES.get(first) or int(first)
    if not words or not words[0].startswith("/") or len(words) > 2:
        raise UnsupportedError("it is not a redirect")
    source, target = words[0], words[1] if len(words) == 2 else ""
    # A redirect applies to everything below its path, too.
    exact, below = PatternBuilder(), PatternBuilder()
    exact.text(source)
    below.text(source if source.endswith("/") else f"{source}/")
    below.splat("rest")
    rest = target + (":rest" if target.endswith("/") and source.endswith("/") else "/:rest") if target else ""
    return [Route(exact.pattern(), target, status), Route(below.pattern(), rest, status)]


def _rewrite(words: list[str], prefix: str) -> Route | None:
    if len(words) < 2:
        raise UnsupportedError("it is not a RewriteRule")
    flags = [flag.strip().upper() for flag in words[2].strip("[]").split(",")] if len(words) > 2 else []
    found = _LITERAL_RULE.fullmatch(words[0])
    redirect = next((flag for flag in flags if flag == "R" or flag.startswith("R=")), None)
    if (
        found is None
        or "$" in words[1]
        or "%" in words[1]
        or words[1] == "-"
        or (redirect is None and "G" not in flags)
    ):
        raise UnsupportedError("a RewriteRule with a regular expression")
    pattern = PatternBuilder()
    pattern.text(prefix + found[1])
    if redirect is None:
        return Route(pattern.pattern(), "", 410, any_slash=found[2] is not None)
    code = redirect.partition("=")[2].lower()
    status = _STATUSES.get(code) or (int(code) if code.isdecimal() else 302)
    target = words[1] if words[1].startswith(("/", "http://", "https://")) else prefix + words[1]
    return Route(pattern.pattern(), target, status, any_slash=found[2] is not None)


def _header(words: list[str], within: Pattern | None) -> HeaderRule | None:
    if words and words[0].lower() in ("always", "onsuccess"):
        words = words[1:]
    action = words[0].lower() if words else ""
    if action not in ("set", "append", "add", "merge", "setifempty", "unset") or len(words) < 2:
        raise UnsupportedError("it is not a header")
    if any(word.startswith(("env=", "expr=")) for word in words[3:]):
        raise UnsupportedError("a header with a condition")
    pattern = within
    if pattern is None:
        builder = PatternBuilder()
        builder.splat()
        pattern = builder.pattern()
    name = words[1].rstrip(":").lower()
    if action == "unset":
        return HeaderRule(pattern, ((name, None),))
    if len(words) < 3:
        raise UnsupportedError("it is not a header")
    return HeaderRule(pattern, ((name, words[2]),), replaces=action == "set")
