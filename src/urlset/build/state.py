"""Reads the state that builds keep between runs: the only way in for all of it.

What a build knows of a published set is in the state directory of the user, since what is published is what others can
read and change. Only the work in progress is next to the published files. A cache can still carry a forged state, and
sets of earlier versions have theirs next to the published files. Every file is therefore limited in size, must be a
regular file, and must have exactly the known shape. Every name in it must be that of a file of the set, which is always
directly in the directory of the set.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from urlset.build.manifest import Manifest
from urlset.build.target import WORK_FOLDER
from urlset.errors import OutputError, reason_of
from urlset.files.bounded import MAX_MANIFEST_BYTES, read_own
from urlset.files.built_parts import state_of
from urlset.files.own_files import check_own
from urlset.files.publish import publish
from urlset.files.structured import decode_json
from urlset.text.safe import shorten
from urlset.text.sizes import KiB, size

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

T = TypeVar("T")

WORK = ("lock", "staging")
"""Suffixes, after the name of the set, of files and directories next to the published files."""

STATE = ("journal.json", "ledger.parquet", "ledger.new", "pages.json", "notified", "new", "json")
"""Suffixes, after the name of the set, of files and directories in the state."""

TAKEN_OVER = ("ledger.parquet", "pages.json", "notified")
"""Files that are taken over from the state of an earlier version, besides the manifest."""

MAX_LOCK_BYTES = 64 * KiB
"""Maximum size of a lock object to read, in bytes; one has 0.3 KiB."""

LONGEST_NAME = 255
"""Maximum length of a file name on common file systems, in bytes."""

_SEPARATORS = re.compile(r"[/\\\0:]" if os.name == "nt" else r"[/\\\0]")

StagedName = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,254}\Z")]
"""The name of an unpublished file."""


class Journal(Struct, frozen=True, forbid_unknown_fields=True):
    """The remaining steps to publish a set.

    Attributes:
        rename: Unpublished files, and their public names.
        remove: Public names of obsolete files.
        manifest: The manifest of the new set.
        ledger: Whether there is a new ledger.
    """

    rename: tuple[tuple[StagedName, str], ...]
    remove: tuple[str, ...]
    manifest: Manifest
    ledger: bool = False

    def values(self) -> dict[str, object]:
        return {**msgspec.structs.asdict(self), "manifest": self.manifest.values()}


def take_over(place: Path, name: str) -> Path:
    """Return the directory for what builds know of a set, once it has what an earlier version kept in `place`.

    Raises:
        OutputError: That is damaged, contains links, or cannot be moved.
    """
    state, old = state_of(place), place / WORK_FOLDER
    if check_entry(state / f"{name}.json") or not check_entry(old):
        return state
    manifest = old / f"{name}.json"
    if not check_entry(manifest):
        return state
    content = read_manifest(manifest, name)
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        # What remained to be done is not: this build publishes the whole set again.
        (old / f"{name}.journal.json").unlink(missing_ok=True)
        for ending in TAKEN_OVER:
            if check_entry(old / f"{name}.{ending}"):
                # What an interruption left of a directory would be moved into.
                shutil.rmtree(state / f"{name}.{ending}", ignore_errors=True)
                shutil.move(old / f"{name}.{ending}", state / f"{name}.{ending}")
        # Last, because it shows that the rest is done.
        if content is not None:
            publish(state / f"{name}.json", content.to_json(), follow=False)
        manifest.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"{old}: cannot be moved to {state}: {reason_of(error)}") from error
    return state


OBSOLETE = "delete it, and the sitemaps that are no longer needed"
"""The advice on a damaged manifest."""


def read_manifest(path: Path, name: str, remedy: str = OBSOLETE) -> Manifest | None:
    """Return the manifest of a set; None if there is none.

    Args:
        remedy: What to do if it is damaged, for the message.

    Raises:
        OutputError: It is not a regular file, is too large or damaged, or names a file that is not of the set.
    """
    content = _content(path)
    return None if content is None else parse_manifest(content, str(path), name, remedy)


def parse_manifest(content: bytes, place: str, name: str, remedy: str = OBSOLETE) -> Manifest:
    """Return the manifest of a set from the content of its file.

    Raises:
        OutputError: It is damaged, or names a file that is not of the set.
    """
    try:
        manifest = decode_json(content, Manifest)
    except ValueError:
        raise OutputError(f"{place}: damaged, so the files of the last build are unknown; {remedy}") from None
    _check_names([*manifest.files, *manifest.urls], name, place, remedy)
    return manifest


def read_journal(path: Path, name: str) -> Journal | None:
    """Return the journal of an interrupted build; None if there is none.

    Raises:
        OutputError: It is not a regular file, is too large or damaged, or names a file that is not of the set.
    """
    content = _content(path)
    if content is None:
        return None
    remedy = "delete it and build again"
    try:
        journal = decode_json(content, Journal)
    except ValueError:
        raise OutputError(f"{path}: damaged, so the interrupted build cannot be completed; {remedy}") from None
    public = [public for _, public in journal.rename]
    _check_names([*public, *journal.remove, *journal.manifest.files, *journal.manifest.urls], name, str(path), remedy)
    return journal


def read_object(system: Any, path: str, max_bytes: int) -> bytes | None:
    """Return the bytes of an object of state on an fsspec file system; None if there is none.

    Raises:
        OutputError: It is not a regular file, or is larger than `max_bytes` bytes.
        OSError: It cannot be read.
    """
    problem = "is not a regular file"
    try:
        if is_plain_object(system, path):
            with system.open(path, "rb") as file:
                content: bytes = file.read(max_bytes + 1)
            if len(content) <= max_bytes:
                return content
            problem = f"is larger than {size(max_bytes)}"
    except FileNotFoundError:
        return None
    raise OutputError(f"{path}: {problem}; delete it and build again")


def is_plain_object(system: Any, path: str, kind: str = "file") -> bool:
    """Return whether a path on an fsspec file system is a file, or of another kind, and not a link.

    Raises:
        FileNotFoundError: There is nothing of this name.
    """
    info = system.info(path)
    return info.get("type") == kind and not info.get("islink")


def check_entry(path: Path) -> bool:
    """Return whether a file or directory of the state exists.

    Raises:
        OutputError: It is a link, belongs to another user, or is neither a file nor a directory.
    """
    try:
        return check_own(path, folder=True)
    except OSError as error:
        raise OutputError(f"{path}: {reason_of(error).removeprefix('it ')} and build again") from None


def is_regular(path: Path) -> bool:
    """Return whether a path is a regular file, and not a link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def is_plain(name: str) -> bool:
    r"""Return whether a name can only be that of a file directly in a folder.

    Example:
        >>> [is_plain(name) for name in ("sitemap.xml", "a/b.xml", "a\\b.xml", "..", "")]
        [True, False, False, False, False]
    """
    is_long = len(name.encode(errors="surrogatepass")) > LONGEST_NAME
    return bool(name) and name not in (".", "..") and not is_long and not _SEPARATORS.search(name)


def _check_names(names: Iterable[str], name: str, place: str, remedy: str) -> None:
    of_set = re.compile(rf"{re.escape(name)}(-[A-Za-z0-9_-]+)?\.xml(\.gz)?")
    for file in names:
        if len(file) > LONGEST_NAME or not of_set.fullmatch(file):
            raise OutputError(f"{place}: names {shorten(file, 80)!r}, which is not a file of the set {name}; {remedy}")


def _content(path: Path) -> bytes | None:
    try:
        return read_own(path, MAX_MANIFEST_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {reason_of(error)}; delete it and build again") from error
