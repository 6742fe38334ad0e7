"""Recognize files of a directory that are published and are not pages of the site, by their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

VERIFICATION = re.compile(
    r"google[0-9a-f]{16}|(?=[a-z-]*[0-9])pinterest-[0-9a-f]{5,}|yandex_[0-9a-f]{8,}|naver[0-9a-f]{32}"
    r"|baidu_verify_[\w-]+|bingsiteauth|livesearchsiteauth|y_key_[0-9a-f]+|alexaverifyid[\w-]*|(?:nortonsw|norton)_[\w-]+"
    r"|wmail_[0-9a-f]+|mailru-(?:domain|verification)\w*|zohoverify|verifyforzoho|godaddy|fileauth|loaderio-[0-9a-f]+"
    r"|mywot[0-9a-f]+|seznam-wmt-\w+|sogousiteverification|shenma-site-verification[\w-]*|360[0-9a-f]{6,}"
    r"|majestic_[\w-]+|mj12_[\w-]+|ahrefs[-_][0-9a-f]+|detectify-verification[\w-]*|facebook[-_]?domain[-_]verification[\w-]*"
    r"|(?:[a-z]+[-_])?(?:domain|site)[-_]verif(?:ication|y)[-_][\w-]+",
    re.IGNORECASE,
)
"""Names, without extension, of the files with which webmaster tools and other services verify the owner of a site."""

_ERROR = re.compile(r"(?:4(?:00|01|03|04|05|10|29)|5(?:00|02|03|04|0x)|[45]xx)", re.IGNORECASE)
_NAMED_ERROR = re.compile(r"_?(?:error|not[-_]found)|_error|(?:http)?[-_]?error[-_]?[45][0-9x]{2}", re.IGNORECASE)
_STATUS = re.compile(r"[1-5][0-9]{2}")


def verification(name: str) -> str:
    """Return how the name of a file shows that it is for a service instead of visitors; empty if it does not.

    Example:
        >>> verification("google1234567890abcdef.html"), verification("google-cloud.html")
        ('verifies the owner of the site', '')
    """
    if name.startswith(".well-known/"):
        return "in .well-known/"
    return "verifies the owner of the site" if VERIFICATION.fullmatch(stem_of(name)) else ""


def error_pages(names: Iterable[str]) -> frozenset[str]:
    """Return the files that servers show in place of others, such as `404.html` and `de/404/index.html`.

    Hosts of single-page apps show `200.html` for URLs without a file. A directory with pages on other status codes,
    too, is documentation.

    Example:
        >>> sorted(error_pages(["200.html", "404.html", "de/404/index.html", "http/200.html", "http/404.html"]))
        ['200.html', '404.html', 'de/404/index.html']
    """
    found: dict[str, str] = {}
    codes: dict[str, set[str]] = {}
    for name in names:
        path = name.removesuffix("/" + name.rpartition("/")[2]) if stem_of(name).lower() == "index" else name
        folder, _, last = path.rpartition("/")
        stem = stem_of(last) if path == name else last
        if _STATUS.fullmatch(stem):
            codes.setdefault(folder, set()).add(stem)
        if _ERROR.fullmatch(stem) or _NAMED_ERROR.fullmatch(stem) or name == "200.html":
            found[name] = folder
    return frozenset(
        name
        for name, folder in found.items()
        if not folder or all(_ERROR.fullmatch(code) for code in codes.get(folder, ()))
    )


def stem_of(name: str) -> str:
    """Return the file name without directories and extension."""
    file = name.rpartition("/")[2]
    return file.rpartition(".")[0] or file
