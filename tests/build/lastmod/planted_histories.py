"""Histories whose true dates are known, and a repository that contains all of them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

SWEPT = 12
"""Number of files that a sweep changes."""

IGNORED = ".git-blame-ignore-revs"

_FIRST_DAY = datetime(2020, 1, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Commit:
    """A commit of a history, on a day of its own: all first commits of histories come before all second ones.

    Attributes:
        label: Its subject, by which cases name it.
        writes: New contents of files.
        moves: Renamed files.
        branch: Where it is made; the branch starts at `main` as it is then.
        merges: Branches that it merges. `writes` has what the merge changes in the files of its own branch.
        authored: Date of the author, if it differs.
        committed: Date of the committer, if it is not that of the order.
        ignored: Whether `.git-blame-ignore-revs` names it.
    """

    label: str
    writes: Mapping[str, str] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)
    deletes: Sequence[str] = ()
    executable: bool = False
    branch: str = "main"
    merges: Sequence[str] = ()
    authored: datetime | None = None
    committed: datetime | None = None
    ignored: bool = False


@dataclass(frozen=True, kw_only=True)
class History:
    """Commits, and for each page the one whose date its text has.

    Attributes:
        why: Why these are the true dates.
        changed_by: The label of that commit by page; None if its date cannot be known.
        sweep: Number of files that the commit of all pages changes in the same way; 0 if that is not to be said.
    """

    name: str
    why: str
    commits: Sequence[Commit]
    changed_by: Mapping[str, str | None]
    sweep: int = 0


def _commit(label: str, /, *files: Mapping[str, str], **facts: object) -> Commit:
    writes = {name: content for contents in files for name, content in contents.items()}
    return Commit(label=label, writes=writes, **facts)  # type: ignore[arg-type]


def _markdown(*paragraphs: str, **front: str) -> dict[str, str]:
    return {"page.md": _source(*paragraphs, **front)}


def _source(*paragraphs: str, **front: str) -> str:
    header = "".join(f"{key}: {value}\n" for key, value in front.items())
    return (f"---\n{header}---\n\n" if header else "") + "\n\n".join(paragraphs) + "\n"


def _html(main: str, *, head: str = "", nav: str = "Home", footer: str = "", tag: str = "<main>") -> dict[str, str]:
    return {
        "page.html": f"<!doctype html>\n<html lang=en>\n<head><title>Cellar</title>{head}</head>\n<body>\n"
        f"<nav><a href=/>{nav}</a></nav>\n{tag}\n{main}\n</main>\n<footer>{footer}</footer>\n</body>\n</html>\n"
    }


TEXT = "The cellar is open to visitors from Tuesday to Saturday, and closed on public holidays."
MORE = "Groups of more than ten people call a day before, so that a guide is there for them."
NEW = "Since spring the cellar is also open on Sundays, from noon until the sun sets."
LONG = f"{TEXT} {MORE} The way down has forty steps, and no lift, but the press house is level with the yard."

_MAIN = f"<h1>Cellar</h1>\n<p>{LONG}</p>"


def _assets(image: str, script: str) -> dict[str, str]:
    return _html(f"{_MAIN}<img src=/a.{image}.png alt=Press>", head=f"<script src=/a.{script}.js></script>")


def _pages(*paragraphs: str, **front: str) -> dict[str, str]:
    return {f"page{number:02}.md": _source(f"# Wine {number}", *paragraphs, **front) for number in range(SWEPT)}


def _each_page(label: str) -> dict[str, str | None]:
    return {f"page{number:02}.md": label for number in range(SWEPT)}


HISTORIES: Sequence[History] = (
    History(
        name="text",
        why="The last commit has other words.",
        commits=(_commit("text", _markdown(TEXT)), _commit("words", _markdown(TEXT, NEW))),
        changed_by={"page.md": "words"},
    ),
    History(
        name="one word",
        why="A single word is a change that readers see.",
        commits=(_commit("text", _markdown(LONG)), _commit("word", _markdown(LONG.replace("forty", "fifty")))),
        changed_by={"page.md": "word"},
    ),
    History(
        name="front matter only",
        why="Readers do not see tags and dates in front matter.",
        commits=(
            _commit("text", _markdown(TEXT, tags="[wine]", date="2020-01-01")),
            _commit("tags", _markdown(TEXT, tags="[wine, cellar]", lastmod="2021-01-01")),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="front matter added",
        why="The body is the same with and without front matter.",
        commits=(_commit("text", _markdown(TEXT)), _commit("front", _markdown(TEXT, layout="page"))),
        changed_by={"page.md": "text"},
    ),
    History(
        name="front matter from YAML to TOML",
        why="The body is the same whatever the format of the front matter.",
        commits=(
            _commit("text", _markdown(TEXT, layout="page")),
            _commit("toml", {"page.md": f'+++\nlayout = "page"\n+++\n\n{TEXT}\n'}),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="whitespace only",
        why="Spaces at the ends of lines and empty lines are not shown.",
        commits=(
            _commit("text", _markdown(TEXT, MORE)),
            _commit("spaces", {"page.md": f"{TEXT} \n\n\n\n{MORE}\n\n\n"}),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="line ends of Windows",
        why="CRLF in place of LF is not shown.",
        commits=(
            _commit("text", _markdown(TEXT, MORE)),
            _commit("crlf", {"page.md": f"{TEXT}\r\n\r\n{MORE}\r\n"}),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="byte order mark",
        why="A byte order mark is not shown.",
        commits=(_commit("text", _markdown(TEXT)), _commit("mark", {"page.md": f"\ufeff{TEXT}\n"})),
        changed_by={"page.md": "text"},
    ),
    History(
        name="rewrapped lines",
        why="Where lines of a paragraph end in the source is not shown.",
        commits=(
            _commit("text", _markdown(LONG)),
            _commit("wrapped", _markdown(LONG.replace(", ", ",\n").replace(" people ", "\npeople "))),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="other markup for the same words",
        why="Markers of headings, lists, and emphasis are formatting.",
        commits=(
            _commit("text", _markdown("Cellar\n======", f"* {TEXT}\n* {MORE}", "It is *cool* and __dark__ there.")),
            _commit("markup", _markdown("# Cellar", f"- {TEXT}\n- {MORE}", "It is _cool_ and **dark** there.")),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="hashed image",
        why="The name of an image file is not shown.",
        commits=(
            _commit("text", _markdown(TEXT, "![The press](/img/press.3f2a91c0.jpg)")),
            _commit("asset", _markdown(TEXT, "![The press](/img/press.b81d44e7.jpg)")),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="moved paragraphs",
        why="Readers see the paragraphs in another order.",
        commits=(_commit("text", _markdown(TEXT, MORE)), _commit("order", _markdown(MORE, TEXT))),
        changed_by={"page.md": "order"},
    ),
    History(
        name="code block",
        why="Code in a page is shown.",
        commits=(
            _commit("text", _markdown(TEXT, "```sh\nbook --day friday\n```")),
            _commit("code", _markdown(TEXT, "```sh\nbook --day sunday\n```")),
        ),
        changed_by={"page.md": "code"},
    ),
    History(
        name="comment",
        why="An HTML comment in Markdown is not shown.",
        commits=(
            _commit("text", _markdown("<!-- Copyright 2020 The Cellar -->", TEXT)),
            _commit("year", _markdown("<!-- Copyright 2021 The Cellar -->", TEXT)),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="reverted",
        why="The revert changes what readers see, also if they saw it before.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("words", _markdown(TEXT, NEW)),
            _commit("revert", _markdown(TEXT)),
        ),
        changed_by={"page.md": "revert"},
    ),
    History(
        name="reverted front matter",
        why="Neither the commit nor its revert changes the body.",
        commits=(
            _commit("text", _markdown(TEXT, layout="page")),
            _commit("front", _markdown(TEXT, layout="wide")),
            _commit("revert", _markdown(TEXT, layout="page")),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="deleted and restored",
        why="Between the two commits there was nothing to see on this branch.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("delete", deletes=("page.md",)),
            _commit("restore", _markdown(TEXT)),
        ),
        changed_by={"page.md": "restore"},
    ),
    History(
        name="renamed",
        why="A renamed file has the text that it had before.",
        commits=(
            _commit("text", {"old.md": _source(TEXT, MORE)}),
            _commit("rename", moves={"old.md": "page.md"}),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="renamed twice",
        why="Both renames are followed.",
        commits=(
            _commit("text", {"old.md": _source(TEXT, MORE)}),
            _commit("rename", moves={"old.md": "folder/middle.md"}),
            _commit("rename again", moves={"folder/middle.md": "page.md"}),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="renamed with new front matter",
        why="The rename is followed although the file is not the same byte for byte; its body is.",
        commits=(
            _commit("text", {"old.md": _source(LONG, MORE, layout="page")}),
            _commit("rename", _markdown(LONG, MORE, layout="page", weight="3"), deletes=("old.md",)),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="renamed with new words",
        why="The commit that renames the file also changes its words.",
        commits=(
            _commit("text", {"old.md": _source(LONG, MORE)}),
            _commit("rename", _markdown(LONG, MORE, NEW), deletes=("old.md",)),
        ),
        changed_by={"page.md": "rename"},
    ),
    History(
        name="moved away and back",
        why="The file has its old name again, and had its text all the time.",
        commits=(
            _commit("text", _markdown(TEXT, MORE)),
            _commit("away", moves={"page.md": "archive/page.md"}),
            _commit("back", moves={"archive/page.md": "page.md"}),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="changed, then renamed",
        why="The words changed under the old name.",
        commits=(
            _commit("text", {"old.md": _source(TEXT, MORE)}),
            _commit("words", {"old.md": _source(TEXT, MORE, NEW)}),
            _commit("rename", moves={"old.md": "page.md"}),
        ),
        changed_by={"page.md": "words"},
    ),
    History(
        name="mode only",
        why="Permissions of a file are not shown.",
        commits=(_commit("text", _markdown(TEXT)), _commit("mode", _markdown(TEXT), executable=True)),
        changed_by={"page.md": "text"},
    ),
    History(
        name="merged",
        why="The text came to this branch on the day of the merge.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("words", _markdown(TEXT, NEW), branch="topic"),
            _commit("merge", _markdown(TEXT, NEW), merges=("topic",)),
        ),
        changed_by={"page.md": "merge"},
    ),
    History(
        name="merged without this file",
        why="The merge brings the text of another file.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("other", {"other.md": _source(MORE)}, branch="topic"),
            _commit("merge", {"other.md": _source(MORE)}, merges=("topic",)),
        ),
        changed_by={"page.md": "text", "other.md": "merge"},
    ),
    History(
        name="merged twice",
        why="The text came to main with the second merge, whatever happened on the branches before.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("words", _markdown(TEXT, NEW), branch="topic"),
            _commit("merge to develop", _markdown(TEXT, NEW), branch="develop", merges=("topic",)),
            _commit("merge to main", _markdown(TEXT, NEW), merges=("develop",)),
        ),
        changed_by={"page.md": "merge to main"},
    ),
    History(
        name="conflict",
        why="Both sides changed the paragraph, and the merge has words that neither had.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("theirs", _markdown(TEXT.replace("Tuesday", "Monday")), branch="topic"),
            _commit("ours", _markdown(TEXT.replace("Saturday", "Sunday"))),
            _commit("merge", _markdown(TEXT.replace("Tuesday to Saturday", "Monday to Sunday")), merges=("topic",)),
        ),
        changed_by={"page.md": "merge"},
    ),
    History(
        name="merged with the text of this branch",
        why="The merge keeps the text that this branch had (strategy `ours`).",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("theirs", _markdown(TEXT, NEW), branch="topic"),
            _commit("ours", _markdown(TEXT, MORE)),
            _commit("merge", merges=("topic",)),
        ),
        changed_by={"page.md": "ours"},
    ),
    History(
        name="merge of three branches",
        why="An octopus merge brings the texts of all its branches on its day.",
        commits=(
            _commit("text", _markdown(TEXT), {"other.md": _source(MORE)}),
            _commit("one", _markdown(TEXT, NEW), branch="one"),
            _commit("two", {"other.md": _source(MORE, NEW)}, branch="two"),
            _commit("merge", _markdown(TEXT, NEW), {"other.md": _source(MORE, NEW)}, merges=("one", "two")),
        ),
        changed_by={"page.md": "merge", "other.md": "merge"},
    ),
    History(
        name="reverted merge",
        why="The revert takes the text away that the merge brought.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("words", _markdown(TEXT, NEW), branch="topic"),
            _commit("merge", _markdown(TEXT, NEW), merges=("topic",)),
            _commit("revert", _markdown(TEXT)),
        ),
        changed_by={"page.md": "revert"},
    ),
    History(
        name="squashed",
        why="The branch became one commit on main.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("one", _markdown(TEXT, MORE), branch="topic"),
            _commit("two", _markdown(TEXT, MORE, NEW), branch="topic"),
            _commit("squash", _markdown(TEXT, MORE, NEW)),
        ),
        changed_by={"page.md": "squash"},
    ),
    History(
        name="cherry-picked",
        why="The pick brought the text to main, later than the commit on the branch.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("words", _markdown(TEXT, NEW), branch="topic"),
            _commit("pick", _markdown(TEXT, NEW), authored=datetime(2020, 2, 1, tzinfo=UTC)),
        ),
        changed_by={"page.md": "pick"},
    ),
    History(
        name="cherry-picked, then merged",
        why="The text was on main when the merge came.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("words", _markdown(TEXT, NEW), branch="topic"),
            _commit("pick", _markdown(TEXT, NEW)),
            _commit("merge", merges=("topic",)),
        ),
        changed_by={"page.md": "pick"},
    ),
    History(
        name="rebased",
        why="A rebase gives a commit the date on which it was made anew; that of the author is older.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("words", _markdown(TEXT, NEW), authored=datetime(2019, 5, 5, tzinfo=UTC)),
        ),
        changed_by={"page.md": "words"},
    ),
    History(
        name="amended date",
        why="The date of the committer counts, also if an amended one is older than the commit before.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit(
                "words",
                _markdown(TEXT, NEW),
                authored=datetime(2024, 5, 5, tzinfo=UTC),
                committed=datetime(2018, 5, 5, 8, tzinfo=UTC),
            ),
        ),
        changed_by={"page.md": "words"},
    ),
    History(
        name="date in the future",
        why="A clock was wrong, so it is unknown when the text changed.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("words", _markdown(TEXT, NEW), committed=datetime(2090, 1, 1, tzinfo=UTC)),
        ),
        changed_by={"page.md": None},
    ),
    History(
        name="sweep over front matter",
        why="A sweep outside of the text changes no page.",
        commits=(
            _commit("text", _pages(TEXT, layout="page")),
            _commit("sweep", _pages(TEXT, layout="page", sidebar="left")),
        ),
        changed_by=_each_page("text"),
    ),
    History(
        name="sweep over licence headers",
        why="Comments are not shown.",
        commits=(
            _commit("text", _pages(TEXT)),
            _commit("sweep", _pages(TEXT, "<!-- SPDX-License-Identifier: CC-BY-4.0 -->")),
        ),
        changed_by=_each_page("text"),
    ),
    History(
        name="sweep over components",
        why="The name of a component is not shown, only what is in it.",
        commits=(
            _commit("text", {name + "x": text for name, text in _pages(f"<Note>\n\n{TEXT}\n\n</Note>", MORE).items()}),
            _commit("sweep", {name + "x": text for name, text in _pages(f"<Hint>\n\n{TEXT}\n\n</Hint>", MORE).items()}),
        ),
        changed_by={f"{name}x": "text" for name in _each_page("text")},
    ),
    History(
        name="sweep over words",
        why="Readers see the new words, and the proof says that all these files changed in the same way.",
        commits=(
            _commit("text", _pages(TEXT)),
            _commit("sweep", _pages(TEXT.replace("The cellar", "The winery"))),
        ),
        changed_by=_each_page("sweep"),
        sweep=SWEPT,
    ),
    History(
        name="ignored revision",
        why="The owner says in .git-blame-ignore-revs that the commit is not a change.",
        commits=(
            _commit("text", _markdown(TEXT)),
            _commit("style", _markdown(TEXT.replace("Tuesday to Saturday", "Tue–Sat")), ignored=True),
        ),
        changed_by={"page.md": "text"},
    ),
    History(
        name="translation",
        why="Each language version has its own text.",
        commits=(
            _commit("text", _markdown(TEXT), {"page.de.md": _source("Der Keller ist dienstags bis samstags offen.")}),
            _commit("german", {"page.de.md": _source("Der Keller ist auch sonntags offen.")}),
        ),
        changed_by={"page.md": "text", "page.de.md": "german"},
    ),
    History(
        name="include",
        why="The words of an included file are words of the page.",
        commits=(
            _commit("text", {"page.rst": f"{TEXT}\n\n.. include:: hours.txt\n", "hours.txt": f"{MORE}\n"}),
            _commit("hours", {"hours.txt": f"{NEW}\n"}),
        ),
        changed_by={"page.rst": "hours"},
    ),
    History(
        name="include, rewrapped",
        why="The included file has the same words.",
        commits=(
            _commit("text", {"page.rst": f"{TEXT}\n\n.. include:: hours.txt\n", "hours.txt": f"{MORE}\n"}),
            _commit("lines", {"hours.txt": MORE.replace(", ", ",\n") + "\n"}),
        ),
        changed_by={"page.rst": "text"},
    ),
    History(
        name="comment in reStructuredText",
        why="Comments and targets are not shown.",
        commits=(
            _commit("text", {"page.rst": f"Cellar\n======\n\n{TEXT}\n"}),
            _commit("target", {"page.rst": f".. _cellar:\n\n.. Written in spring.\n\nCellar\n------\n\n{TEXT}\n"}),
        ),
        changed_by={"page.rst": "text"},
    ),
    History(
        name="copied",
        why="The copy is a new page, and the text of the original is as old as before.",
        commits=(
            _commit("text", _markdown(TEXT, MORE)),
            _commit("copy", {"other.md": _source(TEXT, MORE)}),
        ),
        changed_by={"page.md": "text", "other.md": "copy"},
    ),
    History(
        name="HTML: text",
        why="The main text has other words.",
        commits=(
            _commit("text", _html(_MAIN)),
            _commit("words", _html(_MAIN.replace("forty", "fifty"))),
        ),
        changed_by={"page.html": "words"},
    ),
    History(
        name="HTML: reordered attributes",
        why="The order of attributes is not shown.",
        commits=(
            _commit("text", _html(_MAIN, tag='<main id="main" class="wide">')),
            _commit("attributes", _html(_MAIN, tag='<main class="wide" id="main">')),
        ),
        changed_by={"page.html": "text"},
    ),
    History(
        name="HTML: hashed assets",
        why="The names of stylesheets, scripts, and images are not shown.",
        commits=(
            _commit("text", _assets("11aa22bb", "3f2a91c0")),
            _commit("assets", _assets("99ff00ee", "b81d44e7")),
        ),
        changed_by={"page.html": "text"},
    ),
    History(
        name="HTML: licence year",
        why="The footer is not part of the main text.",
        commits=(
            _commit("text", _html(_MAIN, footer="© 2020 The Cellar")),
            _commit("year", _html(_MAIN, footer="© 2021 The Cellar")),
        ),
        changed_by={"page.html": "text"},
    ),
    History(
        name="HTML: navigation",
        why="The navigation is not part of the main text.",
        commits=(
            _commit("text", _html(_MAIN)),
            _commit("navigation", _html(_MAIN, nav="Start")),
        ),
        changed_by={"page.html": "text"},
    ),
    History(
        name="HTML: lines",
        why="Where lines end in HTML is not shown.",
        commits=(
            _commit("text", _html(_MAIN)),
            _commit("lines", _html(_MAIN.replace(". ", ".\n").replace("<p>", "<p>\n    "))),
        ),
        changed_by={"page.html": "text"},
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Planted:
    """A commit as it is in the repository: its hash, and its date in whole seconds."""

    hash: str
    date: datetime
    subject: str


class PlantedRepository:
    """A repository with all histories, each in a folder of its own, named after its number.

    It is imported as one stream, because one process per commit would take seconds.
    """

    def __init__(self, folder: Path, histories: Sequence[History] = HISTORIES) -> None:
        self.folder = folder
        self._histories = histories
        self._dates: dict[int, datetime] = {}
        self._subjects: dict[int, str] = {}
        self._marks: dict[tuple[int, str], int] = {}
        self._ignored: list[int] = []
        subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
        with (folder / ".git" / "config").open("a") as config:
            config.write("[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n")
        self._import(b"".join(self._stream(histories)), "--export-marks=marks")
        self._hashes = {
            int(mark[1:]): name
            for mark, name in (line.split() for line in (folder / ".git" / "marks").read_text().splitlines())
        }
        ignored = "".join(f"{self._hashes[mark]}\n" for mark in self._ignored)
        day = _FIRST_DAY + timedelta(days=1000)
        last = [*_head("refs/heads/main", 0, "ignore", day, day), b"from refs/heads/main^0\n", *_file(IGNORED, ignored)]
        self._import(b"".join(last))
        subprocess.run(["git", "-C", str(folder), "reset", "-q", "--hard"], check=True)
        self.pages = {
            f"{number:02}/{page}": None if label is None else self._planted(number, label)
            for number, history in enumerate(histories)
            for page, label in history.changed_by.items()
        }
        """The commit whose date the text of each page has; None if it cannot be known."""

    def clone(self, folder: Path, *options: str) -> Path:
        """Clone it with options such as `--depth=9`; as from a server, which sends only what is asked for."""
        subprocess.run(["git", "clone", "-q", *options, self.folder.as_uri(), str(folder)], check=True)
        return folder

    def page(self, path: str) -> str:
        """Return the page at the path of a URL; a translation is published below its language."""
        language, slash, rest = path.partition("/")
        return f"{rest.removesuffix('.md')}.{language}.md" if slash and language == "de" else path

    def history_of(self, page: str) -> tuple[str, int]:
        """Return the name of the history of a page, and how many files its commit changes in the same way."""
        history = self._histories[int(page[:2])]
        return history.name, history.sweep

    @property
    def including(self) -> set[str]:
        """The pages whose words are also in other files."""
        return {page for page in self.pages if self.history_of(page)[0].startswith("include")}

    def _planted(self, number: int, label: str) -> Planted:
        mark = self._marks[number, label]
        return Planted(self._hashes[mark], self._dates[mark], self._subjects[mark])

    def _import(self, stream: bytes, *options: str) -> None:
        subprocess.run(["git", "-C", str(self.folder / ".git"), "fast-import", "--quiet", "--force", *options],
                       input=stream, check=True)  # fmt: skip

    def _stream(self, histories: Sequence[History]) -> Iterator[bytes]:
        tips: dict[str, int] = {}
        rounds = max(len(history.commits) for history in histories)
        for step in range(rounds):
            for number, history in enumerate(histories):
                if step < len(history.commits):
                    date = _FIRST_DAY + timedelta(days=step * len(histories) + number)
                    yield from self._commit(number, history.commits[step], date, tips)

    def _commit(self, number: int, commit: Commit, date: datetime, tips: dict[str, int]) -> Iterator[bytes]:
        mark = len(self._dates) + 1
        branch = "main" if commit.branch == "main" else f"{number:02}/{commit.branch}"
        self._dates[mark] = committed = commit.committed or date
        self._subjects[mark] = f"{number:02}: {commit.label}"
        self._marks[number, commit.label] = mark
        if commit.ignored:
            self._ignored.append(mark)
        yield from _head(f"refs/heads/{branch}", mark, self._subjects[mark], commit.authored or committed, committed)
        parent = tips.get(branch, tips.get("main"))
        if parent is not None:
            yield b"from :%d\n" % parent
        for merged in commit.merges:
            yield b"merge :%d\n" % tips[f"{number:02}/{merged}"]
        for old, new in commit.moves.items():
            yield f"R {number:02}/{old} {number:02}/{new}\n".encode()
        for name in commit.deletes:
            yield f"D {number:02}/{name}\n".encode()
        for name, content in commit.writes.items():
            yield from _file(f"{number:02}/{name}", content, executable=commit.executable)
        tips[branch] = mark


def _head(ref: str, mark: int, subject: str, authored: datetime, committed: datetime) -> list[bytes]:
    message = subject.encode()
    dates = [f"{who} A <a@example.org> {date.timestamp():.0f} +0000\n" for who, date in
             (("author", authored), ("committer", committed))]  # fmt: skip
    given = [f"mark :{mark}\n"] if mark else []
    return ["".join([f"commit {ref}\n", *given, *dates]).encode(), b"data %d\n%b\n" % (len(message), message)]


def _file(name: str, content: str, *, executable: bool = False) -> list[bytes]:
    written = content.encode()
    mode = "100755" if executable else "100644"
    return [f"M {mode} inline {name}\ndata {len(written)}\n".encode(), written, b"\n"]
