"""Answers to HEAD, and whether they are any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.fetch.answer import Trouble

if TYPE_CHECKING:
    from urlset.fetch.answer import Answer

NO_HEAD = frozenset({
    Trouble.RESET, Trouble.READ_TIMEOUT, Trouble.TIMEOUT, Trouble.HEADERS_TOO_LARGE, Trouble.BAD_ANSWER,
    Trouble.BAD_ENCODING, Trouble.CUT_OFF, Trouble.TOO_MANY_REDIRECTS, Trouble.REDIRECT_LOOP, Trouble.BAD_REDIRECT,
})  # fmt: skip
"""What a server that knows no HEAD may do; whatever else is wrong, GET would meet as well."""


def is_not_understood(answer: Answer) -> bool:
    """Whether an answer to HEAD says nothing of what GET would bring: it is an error, or makes no sense."""
    if answer.trouble is not None:
        return answer.trouble in NO_HEAD
    # A server that knows no HEAD says all kinds of things.
    return answer.status is None or not 200 <= answer.status < 300
