"""`urlset discover`: find the sitemaps of sites."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.cli.command import CommandSpec
from urlset.cli.origins import OriginOptions, origins_of
from urlset.cli.show import ColorOptions, Format, format_option, output_option
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import option_group
from urlset.options.searching import DiscoverOptions

if TYPE_CHECKING:
    from urlset.options.resolve import ResolvedOptions


@option_group
class Options(OriginOptions, DiscoverOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset discover`."""

    urls: bool = output_option(False, "Print only the URLs of the sitemaps, one per line")
    format: Format = format_option(Format.TEXT)
    verbose: bool = output_option(False, "Also show the URLs where nothing was found", short="v")

    def check(self) -> None:
        """Check that the options can be combined.

        Raises:
            UsageError: They cannot.
        """
        if self.urls and self.format is Format.JSON:
            raise UsageError("--urls prints plain lines and cannot be combined with --format json")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.cli.progress_bar import ProgressBar
    from urlset.errors import exit_code_for, is_internal_error
    from urlset.pipeline.discover import discover_all

    options = configuration.options
    output = Output(options.color)
    origins = origins_of(options)
    with ProgressBar() as progress:
        discoveries = discover_all(origins, options, progress)
    unreachable = [discovery for discovery in discoveries if discovery.unreachable is not None]
    messages = (f"{discovery.origin}: {discovery.unreachable}" for discovery in unreachable)
    output.complain(messages, has_messages=options.format is Format.TEXT and not options.urls)
    if options.urls:
        from urlset.text.safe import one_line, safe

        escape = safe if output.is_terminal else one_line
        output.write(escape(candidate.url) for discovery in discoveries for candidate in discovery.candidates)
    else:
        output.show("discover", options.format, discoveries, replace(output.style, verbose=options.verbose))
    if any(is_internal_error(candidate.why_not) for discovery in discoveries for candidate in discovery.tried):
        return ExitCode.FAULT
    if unreachable:
        return exit_code_for(discovery.unreachable or "" for discovery in unreachable)
    return ExitCode.CLEAN if all(discovery.candidates for discovery in discoveries) else ExitCode.FINDINGS


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Find the sitemaps of a site: in robots.txt, at common locations, and in links of its home page.

    Every candidate is read, and only a sitemap, a sitemap index, or a feed counts; a page that says "not found" with
    status 200 does not. A sitemap that is found in several ways is listed once, with all of them.

    A path in an origin names the home page. robots.txt and the common locations are at the root; the most frequent
    names are also tried in the directory of the home page.""",
    examples=(
        "urlset discover example.com",
        "urlset discover https://example.com/shop/ --paths /feeds/pages.xml -v",
        "urlset discover example.com --urls | xargs urlset validate",
        "urlset discover --from sites.txt --format json",
    ),
    exit_status="0 every site has a sitemap; 1 a site has none; 2 usage or configuration error; 3 a site could not be "
    "reached; 4 internal error.",
)
