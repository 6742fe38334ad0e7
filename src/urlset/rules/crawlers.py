"""SQL that splits the crawlers in the table `blocked_urls` into AI crawlers and others."""

from __future__ import annotations

from urlset.web.agents import Purpose, names_for

_AI = ", ".join(f"'{name.lower()}'" for name in names_for(Purpose.AI_SEARCH, Purpose.AI_TRAINING, Purpose.USER))

IS_AI = f"lower(agent) IN ({_AI})"
"""True for a known AI crawler: one that collects pages to train models, to answer questions, or for a user."""

IS_NOT_AI = f"lower(agent) NOT IN ({_AI})"
"""True for every other crawler: those of search engines, and those that urlset does not know."""


def blocked_urls(crawlers: str) -> str:
    """Return the query of a rule on entries that robots.txt blocks.

    Args:
        crawlers: SQL on `agent`: `IS_AI` or `IS_NOT_AI`.
    """
    return f"""
        WITH blocked AS (
            SELECT
                document_id, ordinal, min(line) AS line, min(col) AS col,
                string_agg(agent, ', ' ORDER BY position) AS agents,
                min(robots_line) AS robots_line, arg_min(pattern, robots_line) AS pattern
            FROM blocked_urls
            WHERE ordinal IS NOT NULL AND {crawlers}
            GROUP BY document_id, ordinal
        )
        SELECT b.document_id, b.ordinal, b.line, b.col, u.loc AS url, b.agents AS value, b.robots_line, b.pattern
        FROM blocked AS b
        LEFT JOIN urls AS u ON u.document_id = b.document_id AND u.ordinal = b.ordinal
    """
