"""Options of `ignore`: an entry of the baseline that covers all findings of a rule until a date."""

from __future__ import annotations

from datetime import date

from urlset.errors import UsageError
from urlset.options.declare import PER_RUN, Names, OptionFacts, OptionGroup, Panel, Text, option, option_group, required

ALL_DOCUMENTS = "*"


@option_group(faces=PER_RUN)
class IgnoreOptions(OptionGroup):
    """What to ignore, why, and for how long."""

    code: Text = required(
        OptionFacts(
            help="Code of a rule, such as LOC003",
            panel=Panel.TARGETS,
            metavar="CODE",
            positional=True,
            names=Names.RULES,
        )
    )
    document: Text = option(
        ALL_DOCUMENTS,
        OptionFacts(
            help="A file, a URL, - for standard input, or a glob pattern",
            panel=Panel.TARGETS,
            metavar="DOCUMENT",
            positional=True,
            default_text="all documents",
        ),
    )
    reason: Text = required(OptionFacts(help="Reason for accepting the findings", panel=Panel.RULES, metavar="TEXT"))
    until: date = required(
        OptionFacts(
            help="Last day to ignore the findings, such as 2027-01-31",
            panel=Panel.RULES,
            metavar="DATE",
            more="The findings count again from the next day.",
        )
    )

    def check(self) -> None:
        if not self.reason.strip():
            raise UsageError("reason: say why the findings are accepted")
