"""Which crawlers a rule is about: SQL on the column `agent` of the table `forbidden`."""

from __future__ import annotations

from urlset.agents import Purpose, names_for

_AI = ", ".join(f"'{name.lower()}'" for name in names_for(Purpose.AI_SEARCH, Purpose.AI_TRAINING, Purpose.USER))

IS_AI = f"lower(agent) IN ({_AI})"
"""True of a known crawler that gets pages for AI: to train models, to answer from, or because a user asked."""

IS_NO_AI = f"lower(agent) NOT IN ({_AI})"
"""True of every other crawler: those of search engines, and those that urlset does not know."""
