"""Starts git so that no configuration can start another program: the only place that runs git.

A repository can be untrusted, with a configuration that names programs. Only commands that read objects and the
index are run, none that compares the working tree, since that runs filters of the repository.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import IO, Final

_SETTINGS: Final = {
    # A directory with HEAD, objects, and refs is a repository for git, and anyone can commit one.
    "safe.bareRepository": "explicit",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    # Settings that change the output or scope of `git log`; signatures start GnuPG.
    "log.showSignature": "false",
    "log.follow": "false",
    "log.diffMerges": "first-parent",
    "log.showRoot": "true",
    "i18n.logOutputEncoding": "UTF-8",
    "diff.orderFile": os.devnull,
    "advice.graftFileDeprecated": "false",
    "color.ui": "false",
    # What it says of parents would count more than the commits do.
    "core.commitGraph": "false",
}
"""They take precedence over every file of git's configuration. `safe.directory` of the user still counts."""

_ENVIRONMENT: Final = {
    # Messages in English.
    "LC_ALL": "C",
    # Nothing is written, not even the index.
    "GIT_OPTIONAL_LOCKS": "0",
    # Objects that a partial clone lacks are not fetched. Versions before 2.44 only obey the list of allowed protocols.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    # Histories that a repository substitutes for its own.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
}

# Environment variables that a hook sets for its own repository would apply to other repositories, too (git rev-parse
# --local-env-vars). Settings are kept, since they may mark a directory as safe.
_OWN_REPOSITORY: Final = frozenset(
    {
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
    }
)  # fmt: skip

_QUOTED = re.compile(
    r"(unexpected line in [^:]*|unterminated line in [^:]*|bad shallow line|bad graft data)(?::.*)?"
    r"|(?:error: )?(?:object directory|unable to normalize alternate object path).*",
    re.DOTALL,
)
"""Messages with lines of files in `.git`, which can be links to files with secrets."""

_BARE = re.compile(r"cannot use bare repository '(.*)'(?: \(|$)", re.DOTALL)


OLDEST: Final = (2, 28)
"""The oldest version of git whose `git log` has all options that are needed: `--no-relative`."""

_VERSION = re.compile(r"git version (\d+)\.(\d+)\S*")


class GitError(Exception):
    """git failed; the text is the reason."""


def start(
    folder: str, *arguments: str, stdin: int = subprocess.DEVNULL, errors: IO[bytes] | int = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """Start git in a directory, with its output and errors as streams.

    Args:
        stdin: `subprocess.PIPE` to write to it.
        errors: A file for errors, if they are read after the output: a pipe that is full would block git.

    Raises:
        GitError: git is not installed.
    """
    settings = [argument for name, value in _SETTINGS.items() for argument in ("-c", f"{name}={value}")]
    return subprocess.Popen(
        [_executable(), "--no-pager", "-C", folder, *settings, *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=errors,
        env={name: value for name, value in os.environ.items() if name not in _OWN_REPOSITORY} | _ENVIRONMENT,
    )


def output(folder: str, *arguments: str) -> str:
    """Return the output of git.

    Raises:
        GitError: git is not installed, or it failed.
    """
    with start(folder, *arguments) as process:
        printed, errors = process.communicate()
    if process.returncode != 0:
        raise GitError(reason_of(errors))
    return os.fsdecode(printed)


def check_version(folder: str) -> None:
    """Check that git is recent enough.

    Raises:
        GitError: It is not, or not installed.
    """
    version = _VERSION.match(output(folder, "version"))
    if version is not None and (int(version[1]), int(version[2])) < OLDEST:
        raise GitError(f"{version[0]} is too old; install git {OLDEST[0]}.{OLDEST[1]} or later")


def reason_of(errors: bytes) -> str:
    """Return why git failed, from what it printed to standard error."""
    lines = [line.strip() for line in os.fsdecode(errors).splitlines() if line.strip()]
    fatal = next((line for line in lines if line.startswith("fatal:")), lines[-1] if lines else "it failed")
    reason = fatal.removeprefix("fatal:").strip()
    if reason.startswith("not a git repository"):
        return "the directory is not in a git repository"
    if "does not have any commits" in reason or reason == "Not a valid object name HEAD":
        return "the repository has no commits yet"
    if "dubious ownership" in reason:
        return "the repository belongs to another user; trust it with git config --global --add safe.directory DIR"
    if bare := _BARE.match(reason):
        return (
            f"{bare[1]} looks like a bare repository, whose configuration is not trusted; use a clone with files, or "
            "delete its file HEAD if it should not be a repository"
        )
    if quoted := _QUOTED.fullmatch(reason):
        reason = quoted[1] or "a directory in objects/info/alternates cannot be used"
    return f"git failed: {reason}"


def _executable() -> str:
    # Neither a relative entry of PATH nor, as on Windows, the current directory: there it could be an untrusted file.
    for directory in map(Path, os.get_exec_path()):
        if directory.is_absolute() and (found := shutil.which(str(directory / "git"))):
            return found
    raise GitError("git is not installed")
