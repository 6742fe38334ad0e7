"""Recognize files of a directory that are not pages of the site, by their names."""

from __future__ import annotations

import re

from urlset.hosting.special_files import stem_of
from urlset.model.build import Reason

TOOLING = frozenset({
    "node_modules", "bower_components", "jspm_packages", "_next", "_nuxt", "_astro", "_app", "__pycache__",
    "__macosx", "__tests__", "cgi-bin", "cdn-cgi", "_vti_cnf", "_vti_bin", "_notes",
})  # fmt: skip
"""Directories of package managers, frameworks, editors, and servers, in lowercase."""

PARTIALS = frozenset({
    "_includes", "_include", "_layouts", "_layout", "_partials", "_partial", "_components", "_templates", "_data",
    "_sass", "_snippets", "_shared", "_inc", "_macros",
})  # fmt: skip
"""Directories of parts of pages in Jekyll, Eleventy, and others, in lowercase."""

FRAGMENTS = frozenset({
    "partials", "includes", "include", "inc", "layouts", "fragments", "snippets", "components",
    "templates", "tpl", "shortcodes", "macros",
})  # fmt: skip
"""Directories that often have parts of pages, but can have pages, too."""

DRAFTS = frozenset({"_drafts", "_draft"})

_TOKEN = re.compile(r"[a-z]*[-_]?(?=[a-z0-9]*[0-9])[a-z0-9]{16,}", re.IGNORECASE)
"""A name, without extension, that is random characters, with the name of a service before them."""

MAX_WORDS_OF_TOKEN = 10
"""Words of a page up to which a name of random characters means that it verifies the owner."""

_CODES = (
    "aaabaeafakamanarasavayazbabebgbhbibmbnbobrbscacechcocrcscucvcydadedvdzeeeleneoeseteufafffifjfofrfyga"
    "gdglgngugvhahehihohrhthuhyhziaidieigiiikisitiujajvkakgkikjkkklkmknkokrkskukvkwkylalblglilnloltlulvmg"
    "mhmimkmlmnmrmsmtmynanbndnengnlnnnonrnvnyocojomorospapiplpsptqurmrnrorurwsascsdsesgsiskslsmsnsosqsrss"
    "stsusvswtatetgthtitktltntotrtstttwtyugukuruzvevivowawoxhyiyozazhzu"
)
LANGUAGES = frozenset(_CODES[at : at + 2] for at in range(0, len(_CODES), 2))
"""The languages of ISO 639-1, without Ido, whose code is part of names such as socket.io."""

_LANGUAGE = re.compile(r"(?P<stem>.+)\.(?P<language>[a-z]{2}(?:[-_][A-Za-z]{2,4})?)")


def tooling(name: str) -> tuple[Reason, str] | None:
    """Return why a file is left out because of its directories or because of a name that starts with `_`.

    Args:
        name: The path of the file, relative to the directory, with slashes.

    Example:
        >>> tooling("node_modules/a/index.html")
        (<Reason.TOOLING: 'tooling'>, 'in node_modules/')
        >>> tooling("blog/_header.html")
        (<Reason.PARTIAL: 'partial'>, 'its name starts with _')
        >>> tooling("blog/_index.md")
    """
    *folders, file = name.split("/")
    for folder in folders:
        lower = folder.lower()
        if lower in TOOLING:
            return Reason.TOOLING, f"in {folder}/"
        if lower in DRAFTS:
            return Reason.DRAFT, f"in {folder}/"
        if lower in PARTIALS:
            return Reason.PARTIAL, f"in {folder}/"
    if file.startswith("_") and file.partition(".")[0].lower() != "_index":
        return Reason.PARTIAL, "its name starts with _"
    return None


def is_token(name: str, words: int, title: str | None) -> bool:
    """Return whether a page verifies the owner of the site: its name is random characters, and it has few words."""
    return not title and words <= MAX_WORDS_OF_TOKEN and _TOKEN.fullmatch(stem_of(name)) is not None


def language_version(name: str, names: frozenset[str]) -> tuple[str, str] | None:
    """Return the name without language, and the language, of a file such as `about.de.md` next to `about.md`.

    Hugo and the i18n plugin of MkDocs publish it below `/de/`.

    Args:
        names: The paths of all files.

    Returns:
        None if the name has no language. The name without language is empty if there is no file with this name, in
        which case the language may be the default one, which has no directory.

    Example:
        >>> language_version("blog/about.de.md", frozenset({"blog/about.md"}))
        ('blog/about.md', 'de')
        >>> language_version("about.de.md", frozenset()), language_version("v1.2.md", frozenset())
        (('', 'de'), None)
    """
    folder, slash, file = name.rpartition("/")
    stem, _, extension = file.rpartition(".")
    match = _LANGUAGE.fullmatch(stem)
    if match is None or match["language"][:2] not in LANGUAGES:
        return None
    plain = f"{folder}{slash}{match['stem']}.{extension}"
    return (plain if plain in names else ""), match["language"].replace("_", "-").lower()
