"""Read the configuration of Wrangler, with which Cloudflare Workers and Cloudflare Pages serve a directory.

https://developers.cloudflare.com/workers/static-assets/routing/ and
https://developers.cloudflare.com/workers/wrangler/configuration/#assets
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import msgspec

from urlset.files.structured import decode_json
from urlset.hosting.hosts import WORKERS, Slash
from urlset.hosting.patterns import ANY, any_of, except_for, star_pattern
from urlset.hosting.redirects_file import read_toml
from urlset.hosting.routes import FUNCTION, NotServedError, Route, sentence_of

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.hosting.routes import HostRules

FILES = ("wrangler.jsonc", "wrangler.json", "wrangler.toml")

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|$)|//[^\n]*|/\*|,(?=\s*+[}\]])', re.DOTALL)
_NOT_LINE = re.compile(r"[^\n]")

HTML_HANDLING: dict[str, dict[str, object]] = {
    "auto-trailing-slash": {},
    "force-trailing-slash": {"bare": Slash.REDIRECT, "bare_slash": Slash.SERVE},
    "drop-trailing-slash": {"folder": Slash.SERVE, "folder_slash": Slash.REDIRECT},
    "none": {
        "bare": Slash.MISSING, "bare_slash": Slash.MISSING, "folder": Slash.MISSING, "folder_slash": Slash.MISSING,
        "drops_extension": False,
    },
}  # fmt: skip
"""https://developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling/"""


class Assets(msgspec.Struct):
    directory: str | None = None
    html_handling: Literal["auto-trailing-slash", "force-trailing-slash", "drop-trailing-slash", "none"] = (
        "auto-trailing-slash"
    )
    not_found_handling: Literal["none", "404-page", "single-page-application"] = "none"
    run_worker_first: bool | list[str] = False


class Wrangler(msgspec.Struct):
    """What a configuration says about files.

    Attributes:
        main: The script of a Worker, which answers what no file answers.
        pages_build_output_dir: The directory, of a site on Cloudflare Pages.
    """

    assets: Assets | None = None
    main: str | None = None
    pages_build_output_dir: str | None = None

    def publishes(self, folder: Path, place: Path) -> bool:
        """Return whether it publishes a directory; `place` is the directory of the configuration."""
        directory = self.pages_build_output_dir if self.assets is None else self.assets.directory
        try:
            return directory is not None and (place / directory).resolve() == folder.resolve()
        except (OSError, ValueError, RuntimeError):
            return False


def decode(file: str, content: bytes) -> Wrangler:
    """Return the configuration in a file.

    Raises:
        NotServedError: It cannot be used.
    """
    text = content.decode("utf-8-sig", "replace")
    try:
        if file.endswith(".toml"):
            return msgspec.convert(read_toml(text), Wrangler)
        return decode_json(without_comments(text), Wrangler)
    except msgspec.ValidationError as error:
        raise NotServedError(f"it is not as documented ({sentence_of(error)})") from None
    except NotServedError:
        raise
    except ValueError:
        raise NotServedError("it is not valid JSON") from None


def without_comments(text: str) -> str:
    """Return JSON without comments and trailing commas; what remains keeps its place.

    Example:
        >>> without_comments('{"a": "//", /* b */ "c": [1,],} // d')
        '{"a": "//",         "c": [1 ] }     '
    """
    parts: list[str] = []
    at = 0
    while (found := _TOKEN.search(text, at)) is not None:
        end = found.end()
        if found[0] == "/*":
            close = text.find("*/", end)
            end = len(text) if close < 0 else close + 2
        parts.append(text[at : found.start()])
        parts.append(found[0] if found[0].startswith('"') else _NOT_LINE.sub(" ", text[found.start() : end]))
        at = end
    return "".join(parts) + text[at:]


def apply_first(values: Wrangler, file: str, text: str, rules: HostRules) -> None:
    """Add what applies before the files of the directory."""
    assets = values.assets
    if assets is None:
        return
    rules.changes |= WORKERS | HTML_HANDLING[assets.html_handling]
    if assets.not_found_handling != "404-page":
        rules.changes["error_page"] = None
    where = line_of(text, "run_worker_first")
    if assets.run_worker_first is True:
        rules.skip_function(ANY, file, where)
    elif isinstance(assets.run_worker_first, list):
        never = any_of([source[1:] for source in assets.run_worker_first if source.startswith("!")])
        first = ((where, source) for source in assets.run_worker_first if not source.startswith("!"))
        for _, source in rules.until_full(file, first):
            rules.skip_function(except_for(star_pattern(source), never), file, where)


def apply_last(values: Wrangler, file: str, text: str, rules: HostRules) -> None:
    """Add what applies to requests that nothing else answers."""
    if values.assets is None:
        return
    if values.main is not None:
        # "If an appropriate static asset is not found, Cloudflare will invoke your Worker script."
        rules.skip_route(Route(ANY, "", 200, shadows=False), file, line_of(text, "main"), FUNCTION)
    if values.assets.not_found_handling == "single-page-application":
        rules.fallback = "/index.html"


def line_of(text: str, key: str) -> str:
    """Return the line of a key, by its first mention."""
    found = re.search(rf"^[^#\n]*?\"?\b{key}\b\"?\s*[:=]", text, re.MULTILINE)
    number = 1 if found is None else text.count("\n", 0, found.end()) + 1
    return f"line {number}"


class _Routes(msgspec.Struct):
    include: list[str] = []
    exclude: list[str] = []


def read_routes(content: bytes, rules: HostRules) -> None:
    """Read the `_routes.json` of Cloudflare Pages: the paths that functions answer.

    https://developers.cloudflare.com/pages/functions/routing/#functions-invocation-routes

    Raises:
        NotServedError: It cannot be used.
    """
    try:
        values = decode_json(content, _Routes)
    except ValueError as error:
        raise NotServedError(f"it is not as documented ({sentence_of(error)})") from None
    where = line_of(content.decode("utf-8-sig", "replace"), "include")
    never = any_of(values.exclude)
    for _, source in rules.until_full("_routes.json", ((where, source) for source in values.include)):
        rules.skip_function(except_for(star_pattern(source), never), "_routes.json", where)
