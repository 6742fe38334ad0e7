"""Find counts that disagree with their noun or verb: "1 URLs", "0 URL", "2 entry", "1 are days"."""

from __future__ import annotations

import re

NOUNS = {
    "alarm", "anomaly:anomalies", "annotation", "article", "byte", "change", "character", "child:children", "code",
    "cluster", "crawler", "criterion:criteria", "cycle", "date", "day", "document", "element", "entry:entries", "error",
    "example", "field", "file", "finding", "fix:fixes", "folder", "group", "hint", "hop", "host", "hour", "image",
    "index:indexes", "info", "item", "language", "letter", "level", "line", "link", "message", "minute", "month",
    "name", "namespace", "occurrence", "origin", "other", "page", "parameter", "part", "path", "pixel", "place",
    "problem", "record", "redirect", "repair", "request", "response", "result", "row", "rule", "run",
    "second", "section", "segment", "set", "site", "sitemap", "source", "tag", "target", "time", "title", "URL",
    "value", "version", "video", "warning", "word", "year",
}  # fmt: skip
"""The nouns that are counted, each with its plural unless that only adds an s."""

PLURALS = {one.partition(":")[0]: one.partition(":")[2] or f"{one}s" for one in NOUNS}

_ANY = "|".join(sorted((*PLURALS, *PLURALS.values()), key=len, reverse=True))
_NUMBER = r"(?<![\w.,:;/&#=-])([\d,]+)(?: of (?:all )?[\d,]+)?"
_NO_ADJECTIVE = "(?:a|an|and|are|as|at|by|do|does|for|from|had|has|have|in|is|of|on|or|than|that|the|to|was|were|with)"
# In "2 child sitemaps", the last noun is the one that is counted.
_COUNTED = re.compile(
    rf"(?<![\w.,:;/&#=-])(\d[\d,]*) (?:(?!{_NO_ADJECTIVE}\b)[a-z-]+ ){{0,2}}?({_ANY})\b(?!-| (?:{_ANY})\b)"
)
# In "the newest of 2 pages is", the verb belongs to another noun.
_VERB = re.compile(rf"(?<!of ){_NUMBER}(?: (?:[a-z-]+ )?(?:{_ANY}))? (is|are|was|were|has|have|does|do)\b")
_SINGULAR_VERBS = frozenset({"is", "was", "has", "does"})


def disagreements(text: str) -> list[str]:
    """Return the phrases of a text in which a count disagrees with the noun or verb that follows."""
    found = []
    for match in _COUNTED.finditer(text):
        is_one = match[1] == "1"
        if match[2] not in (PLURALS if is_one else PLURALS.values()):
            found.append(match[0])
    for match in _VERB.finditer(text):
        is_one = match[1] == "1"
        if is_one != (match[2] in _SINGULAR_VERBS):
            found.append(match[0])
    return found
