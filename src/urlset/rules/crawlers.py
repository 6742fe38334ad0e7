"""Which crawlers a rule is about: SQL on the column `agent` of the table `forbidden`."""

from __future__ import annotations

from urlset.agents import Purpose, names_for

_AI = ", ".join(f"'{name.lower()}'" for name in names_for(Purpose.AI_SEARCH, Purpose.AI_TRAINING, Purpose.USER))

IS_AI = f"lower(agent) IN ({_AI})"
"""True of a known crawler that gets pages for AI: to train models, to answer from, or because a user asked."""

IS_NO_AI = f"lower(agent) NOT IN ({_AI})"
"""True of every other crawler: those of search engines, and those that urlset does not know."""


def forbidden_urls(crawlers: str) -> str:
    """The query of a rule on entries that robots.txt forbids.

    Args:
        crawlers: SQL on `agent`: `IS_AI` or `IS_NO_AI`.
    """
    return f"""
        WITH closed AS (
            SELECT
                document_id, ordinal, min(line) AS line, min(col) AS col,
                string_agg(agent, ', ' ORDER BY position) AS agents,
                min(robots_line) AS robots_line, arg_min(pattern, robots_line) AS pattern
            FROM forbidden
            WHERE ordinal IS NOT NULL AND {crawlers}
            GROUP BY document_id, ordinal
        )
        SELECT c.document_id, c.ordinal, c.line, c.col, u.loc AS url, c.agents AS value, c.robots_line, c.pattern
        FROM closed AS c
        LEFT JOIN urls AS u ON u.document_id = c.document_id AND u.ordinal = c.ordinal
    """
