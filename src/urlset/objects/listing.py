"""Lists the objects below a prefix or of a glob, page by page and up to a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.errors import InputError, UsageError, reason_of
from urlset.objects.object_address import is_glob, literal_prefix, parts_of
from urlset.objects.system import call, file_system, readable
from urlset.text.masking import mask_url
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_LISTED = 1_000_000
"""Maximum keys to list for a target, wanted or not."""

MAX_FOUND = 100_000
"""Maximum objects to return for a target: the default limit on documents."""

SECONDS = 60.0
"""Maximum time for a page of a listing."""


def objects_of(url: str, is_wanted: Callable[[str], bool], reason_if_empty: str) -> Iterator[tuple[str, str]]:
    """Yield the objects of a glob, or those below a prefix.

    Args:
        url: A glob, or a prefix that ends with a slash.
        is_wanted: Returns whether an object below a prefix is wanted, by its path below the prefix; unused for a glob.
        reason_if_empty: Why a prefix without such objects is refused.

    Yields:
        The URL of each object, and its path below the prefix.

    Raises:
        InputError: They cannot be listed, no object matches, or more match than the limit, after the first ones.
        UsageError: The URL contains credentials.
    """
    root, key = parts_of(url)
    prefix = literal_prefix(key)
    folder = prefix[: prefix.rfind("/") + 1]
    matches = _matcher(url, key) if is_glob(key) else None
    # A pattern whose last part alone is special matches nothing in deeper folders.
    is_deep = matches is None or "/" in key[len(folder) :] or "**" in key
    listed = found = 0
    for page in _pages(url, root, prefix, is_deep):
        listed += max(len(page), 1)
        for one in page:
            path = one[len(folder) :]
            if not (is_wanted(path) if matches is None else matches(one)):
                continue
            if found == MAX_FOUND:
                raise InputError(
                    mask_url(url), f"only its first {quantity(MAX_FOUND, 'object')} were read; give a longer prefix"
                )
            found += 1
            yield root + one, path
        if listed >= MAX_LISTED:
            raise InputError(
                mask_url(url), f"only its first {quantity(MAX_LISTED, 'key')} were listed; give a longer prefix"
            )
    if not found:
        raise InputError(mask_url(url), reason_if_empty if matches is None else "no object matches")


def _matcher(url: str, key: str) -> Callable[[str], object]:
    # Imports fsspec, or says that it is missing.
    file_system(url)
    from fsspec.utils import glob_translate

    try:
        # In linear time, where the end of a text has another name.
        expression = _core.Expression(glob_translate(key).replace(r"\Z", r"\z"))
        return lambda text: expression.matches(text.encode("utf-8", "replace"))
    except ValueError as error:
        raise UsageError(f"{mask_url(url)}: {reason_of(error)}") from None


def _pages(url: str, root: str, prefix: str, is_deep: bool) -> Iterator[Sequence[str]]:
    """Yield the keys that begin with a prefix."""
    system, place = file_system(root)
    with readable(mask_url(url)):
        if hasattr(system, "call_s3"):
            yield from _s3_pages(system, place.strip("/"), prefix, is_deep)
        else:
            yield from _folders(system, root, prefix, is_deep)


def _s3_pages(system: object, bucket: str, prefix: str, is_deep: bool) -> Iterator[Sequence[str]]:
    more: dict[str, str] = {} if is_deep else {"Delimiter": "/"}
    while True:
        page = call(system, "call_s3", "list_objects_v2", Bucket=bucket, Prefix=prefix, seconds=SECONDS, **more)
        # A key that ends with a slash is the marker of an empty folder.
        yield [one["Key"] for one in page.get("Contents", ()) if not one["Key"].endswith("/")]
        if not page.get("IsTruncated"):
            return
        more["ContinuationToken"] = page["NextContinuationToken"]


def _folders(system: Any, root: str, prefix: str, is_deep: bool) -> Iterator[Sequence[str]]:
    """Yield the keys folder by folder, for file systems without a common way to list pages."""
    _, start = file_system(root + prefix[: prefix.rfind("/") + 1])
    for folder, _, names in system.walk(start, maxdepth=None if is_deep else 1, on_error="raise"):
        below = folder.strip("/").partition("/")[2]
        keys = (f"{below}/{name}" if below else name for name in names)
        yield sorted(key for key in keys if key.startswith(prefix))
