"""What may stand under `[audit]`: every key, its value checked, and what the command and the file come to together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.config import AuditOptions, ProbeMethod, ProbeOptions
from urlset.configfile.build_keys import Key
from urlset.configfile.settings import Kind
from urlset.configfile.values import LARGEST, choice, flag, known_key, table, text, texts, whole, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.config import ValidateOptions

AUDIT_KEYS: Mapping[str, Key] = {
    "store": Key(Kind.TEXT, "The file that keeps everything. Relative to the folder of this file.",
                 'store = "audits.duckdb"', default="`urlset.duckdb`, in the working directory"),
    "pages": Key(Kind.FLAG, "Whether listed pages are looked at.", "pages = false", default="`true`"),
    "images": Key(Kind.FLAG, "Whether listed images and thumbnails are looked at, too.", "images = true",
                  default="`false`"),
    "score": Key(Kind.FLAG, "Whether sites are scored as `urlset check` does.", "score = false", default="`true`"),
    "method": Key(Kind.CHOICE, "How pages are asked for.", 'method = "get"', tuple(ProbeMethod), "`auto`"),
    "sample": Key(Kind.SIZE, "Look at so many pages, spaced evenly over all.", "sample = 1_000", default="all"),
    "max-pages": Key(Kind.SIZE, "Look at so many pages, the first ones.", "max-pages = 50_000", default="all"),
    "include": Key(Kind.TEXTS, "Globs of URLs: look only at pages that match one.", 'include = ["*/blog/*"]'),
    "exclude": Key(Kind.TEXTS, "Globs of URLs: do not look at pages that match one.", 'exclude = ["*?sort=*"]'),
    "max-page-bytes": Key(Kind.SIZE, "Read no more than this of a page, in bytes.", "max-page-bytes = 500_000",
                          default="`2097152`"),
    "max-traffic": Key(Kind.SIZE, "Begin no page after so many bytes of pages.", "max-traffic = 10_000_000_000"),
    "max-time": Key(Kind.SECONDS, "Begin no page after so many seconds.", "max-time = 3_600"),
    "ask-forbidden": Key(Kind.FLAG, "Whether pages are asked for that robots.txt forbids: on your own site.",
                         "ask-forbidden = true", default="`false`"),
    "inventory": Key(Kind.TEXT, "File of the URLs that are there, one a line. Relative to the folder of this file.",
                     'inventory = "urls.txt"'),
}  # fmt: skip
"""Every key."""

PATHS = ("store", "inventory")

USUAL = AuditOptions()

DEFAULTS: Mapping[str, object] = {
    "store": USUAL.store, "pages": USUAL.look, "images": USUAL.images, "score": USUAL.score,
    "method": USUAL.probe.method, "sample": None, "max_pages": None, "include": (), "exclude": (),
    "max_page_bytes": USUAL.probe.max_page_bytes, "max_traffic": None, "max_time": None,
    "ask_forbidden": USUAL.probe.ask_forbidden, "inventory": None,
}  # fmt: skip
"""What holds where nothing is said, by the names of the options."""


def audit_values(given: Any, where: str, folder: Path) -> dict[str, object]:
    """The values of a table `[audit]`, by the names of the options.

    Args:
        given: The table.
        where: The file, for messages.
        folder: Where its paths are meant from.

    Raises:
        ConfigError: A key is unknown or a value makes no sense.
    """
    place = f"{where}: audit"
    known_key(table(given, place), AUDIT_KEYS, place)
    values: dict[str, object] = {}
    for key, value in given.items():
        name = key.replace("-", "_")
        values[name] = _value(AUDIT_KEYS[key], value, f"{place}.{key}")
        if key in PATHS:
            values[name] = folder / Path(str(values[name])).expanduser()
    return values


def _value(key: Key, value: Any, place: str) -> object:
    match key.kind:
        case Kind.FLAG:
            return flag(value, place)
        case Kind.CHOICE:
            return ProbeMethod(choice(value, key.choices, place))
        case Kind.SIZE:
            return whole(value, place, key.kind)
        case Kind.SECONDS:
            if type(value) not in (int, float) or not 0 < value <= LARGEST:
                raise wrong(place, key.kind.words, value)
            return float(value)
        case Kind.TEXTS:
            return texts(value, place)
        case _:
            return text(value, place)


def audit_options(values: Mapping[str, Any], validate: ValidateOptions, *, resume: bool = False) -> AuditOptions:
    """The options of an audit.

    Args:
        values: What is in force, by the names of the options.
        validate: How sitemaps are read and judged.
        resume: Whether to go on with a run.
    """
    return AuditOptions(
        validate=validate,
        store=Path(values["store"]),
        look=values["pages"],
        images=values["images"],
        probe=ProbeOptions(
            method=ProbeMethod(values["method"]),
            ask_forbidden=values["ask_forbidden"],
            max_page_bytes=values["max_page_bytes"],
            max_total_bytes=values["max_traffic"],
            max_seconds=values["max_time"],
        ),
        include=tuple(values["include"] or ()),
        exclude=tuple(values["exclude"] or ()),
        sample=values["sample"],
        max_pages=values["max_pages"],
        inventory=values["inventory"],
        score=values["score"],
        resume=resume,
    )
