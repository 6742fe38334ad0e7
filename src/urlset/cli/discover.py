"""`urlset discover`: the sitemaps of a site."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from urlset.cli.fetching import Reading, with_fetch_options
from urlset.cli.options import Colour, ColourOption, Format
from urlset.cli.origins import Origins, OriginsFile, origins_of

EXAMPLES = """\b
Examples:
  urlset discover example.com
  urlset discover https://example.com/shop/ --paths /feeds/pages.xml -v
  urlset discover example.com --urls | xargs urlset validate
  urlset discover --from sites.txt --format json
"""


@with_fetch_options
def discover(
    reading: Reading,
    origins: Origins = None,
    file: OriginsFile = None,
    paths: Annotated[
        list[str] | None,
        typer.Option("--paths", metavar="PATH", help="More paths to ask for, before the usual ones. Several: /a,/b."),
    ] = None,
    urls: Annotated[bool, typer.Option("--urls", help="Print the URLs of the sitemaps, one a line.")] = False,
    form: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="text for people, or json.")] = Format.TEXT,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show what was tried in vain, too.")] = False,
    colour: ColourOption = Colour.AUTO,
) -> None:
    """Find the sitemaps of a site: in robots.txt, at well-known paths, and in links of its home page.

    What answers is read, and only what is a sitemap, an index or a feed counts: a page that says "not found" with
    status 200 does not. A sitemap that is found in several ways is listed once, with each of them.

    A path in an origin is that of the home page. robots.txt and the well-known paths are those of the root; below the
    folder of the home page the most usual names are asked for as well.

    Exits with 0 if every site has a sitemap, with 1 if one has none, with 3 if one cannot be reached.
    """
    from urlset.cli.output import Output, complain
    from urlset.cli.progress import ProgressBar
    from urlset.config import DiscoverOptions
    from urlset.errors import ExitCode, MisuseError, exit_code_for, is_internal_error
    from urlset.pipeline.discover import discover_all

    if urls and form is Format.JSON:
        raise MisuseError("--urls prints plain lines; leave out --format json")
    output = Output(colour)
    more = tuple(path for text in paths or () for path in text.split(",") if path.strip())
    options = DiscoverOptions(read=reading.options(), more_paths=more)
    asked = origins_of(origins, file)
    with ProgressBar() as progress:
        found = discover_all(asked, options, progress)
    unreachable = [one for one in found if one.unreachable is not None]
    for one in unreachable:
        complain(f"{one.origin}: {one.unreachable}")
    if urls:
        from urlset.safe import one_line, safe

        escape = safe if output.is_terminal else one_line
        output.write(escape(candidate.url) for one in found for candidate in one.candidates)
    else:
        output.show("discover", form, found, replace(output.style, verbose=verbose))
    if any(is_internal_error(candidate.why_not) for one in found for candidate in one.tried):
        raise typer.Exit(ExitCode.FAULT)
    if unreachable:
        raise typer.Exit(exit_code_for(one.unreachable or "" for one in unreachable))
    raise typer.Exit(ExitCode.CLEAN if all(one.candidates for one in found) else ExitCode.FINDINGS)
