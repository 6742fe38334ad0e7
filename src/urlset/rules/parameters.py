"""SQL that finds a parameter of loc by its name."""

from __future__ import annotations


def parameter_of(names: str, loc: str = "loc") -> str:
    """Return SQL for the first parameter of a list that has a value, as it is written in loc; '' where there is none.

    A fragment counts as well: after a login, tokens are handed over in it.

    Args:
        names: The list: a name of `rule.PARAMETERS`.
        loc: SQL for the URL.
    """
    return f"regexp_extract({loc}, '(?i)[?&;#](' || ${names} || ')=[^&;#]', 1)"
