"""A directory of source files of pages, in the project of the generator that makes them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from urlset.build.layouts.layout_rules import SourcePlace
from urlset.build.layouts.layout_table import LAYOUTS, MARKDOWN, PLAIN
from urlset.build.layouts.site_settings import SiteSettings, configuration_of, settings_of
from urlset.build.sources.paths import files_of
from urlset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from urlset.build.layouts.layout_table import Layout
    from urlset.build.sources.paths import FolderFile


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFolder:
    """A directory of source files, and the project of a generator that it belongs to.

    Attributes:
        folder: The directory with the files.
        project: The directory with the configuration of the generator.
        settings: What the configuration says about URLs.
        above: The path of the directory in the project, or in the directory of its content.
        inner: The path of the project in the directory, if the directory is above it.
        omitted: A directory in it that is not read, because it has the pages that were built.
    """

    folder: Path
    project: Path
    layout: Layout = PLAIN
    settings: SiteSettings = field(default_factory=SiteSettings)
    above: str = ""
    inner: str = ""
    omitted: Path | None = None

    @classmethod
    def of(cls, folder: Path, pages: Path | None = None) -> SourceFolder:
        """Return the sources in a directory; one without a known configuration has the plain layout.

        The configuration is in the directory, in one above it up to the top of its repository, or in one directly
        below it if that is the only one.

        Args:
            pages: The directory of the pages that were built.

        Raises:
            InputError: There is no such directory.
        """
        if not folder.is_dir():
            raise InputError(str(folder), "is a file, not a directory" if folder.exists() else "no such directory")
        project, layout = _project_of(folder)
        if layout is None:
            inner = [(child, known) for child in sorted(folder.absolute().iterdir())
                     if child.is_dir() and (known := _layout_in(child)) is not None]  # fmt: skip
            project, layout = inner[0] if len(inner) == 1 else (folder.absolute(), PLAIN)
        settings = settings_of(project, layout)
        content = project / settings.content
        # A path or a link out of the project would make any directory readable.
        if not content.resolve().is_relative_to(project.resolve()):
            settings, content = replace(settings, content=""), project
        if settings.content and folder.absolute() == project and content.is_dir():
            folder = content
        paths = (_path_in(folder.absolute(), place) for place in (content, project))
        return cls(
            folder=folder,
            project=project,
            layout=layout,
            settings=settings,
            above=next((path for path in paths if path is not None), ""),
            inner=_path_in(project, folder.absolute()) or "",
            omitted=pages,
        )

    @classmethod
    def beside(cls, pages: Path) -> SourceFolder | None:
        """Return the sources that pages were built from, if their directory is in the project of a known generator."""
        project, layout = _project_of(pages.absolute().parent)
        return None if layout is None else cls.of(project, pages)

    @property
    def top(self) -> Path:
        """The directory that all files of a site are in: the repository, or what is known of it."""
        for place in (self.project, *self.project.parents):
            if (place / ".git").exists():
                return place
        return self.project if self.folder.absolute().is_relative_to(self.project) else self.folder.absolute()

    def files(self) -> Iterator[FolderFile]:
        """Yield the files that pages may be made from."""
        omitted = None if self.omitted is None else _path_in(self.omitted.absolute(), self.folder.absolute())
        for file in files_of(self.folder):
            is_built = bool(omitted) and file.name.startswith(str(omitted))
            if file.name.lower().endswith(self.layout.suffixes) and not is_built and "node_modules/" not in file.name:
                yield file

    def place_of(self, file: FolderFile) -> SourcePlace | None:
        """Return a file with its path in the content of the project, or in the directory if it is not in the project.

        Programs outside of the directories of pages are no pages.
        """
        name = self.above + file.name.removeprefix(self.inner)
        usual = {folder: below for folder, below in self.layout.mounts.items() if folder not in self.settings.mounts}
        mounts = self.settings.mounts | usual
        mounted = _mounted(name, mounts)
        if mounted is None and mounts and not name.lower().endswith(MARKDOWN):
            return None
        name, below = mounted or (name, "")
        return SourcePlace(name=name, below=below, settings=self.settings)


def _project_of(folder: Path) -> tuple[Path, Layout | None]:
    """Return the nearest directory with a configuration, up to the top of the repository."""
    inner = folder.absolute()
    for project in (inner, *inner.parents):
        if (layout := _layout_in(project)) is not None:
            return project, layout
        if (project / ".git").exists():
            break
    return inner, None


def _path_in(path: Path, folder: Path) -> str | None:
    """Return the path of a directory in another, with a trailing slash or empty; None if it is not in it."""
    if not path.is_relative_to(folder):
        return None
    inner = path.relative_to(folder).as_posix()
    return "" if inner == "." else f"{inner}/"


def _layout_in(project: Path) -> Layout | None:
    """Return the layout of a directory; None if no configuration or those of several generators are in it."""
    layouts = [layout for layout in LAYOUTS if configuration_of(project, layout) is not None]
    return layouts[0] if len(layouts) == 1 else None


def _mounted(name: str, mounts: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the path of a file below its mount, and the path of the mount; None if it is in none."""
    for folder, below in mounts.items():
        expression = re.escape(f"{folder}/" if folder else "").replace(r"\*", "([^/]+)")
        match = re.match(expression, name)
        if match is not None:
            filled = below.replace("*", match[1]) if "*" in below else below
            return name[match.end() :], f"{filled}/" if filled and not filled.endswith(":") else filled
    return None
