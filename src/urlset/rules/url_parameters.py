"""SQL that finds a URL parameter by its name."""

from __future__ import annotations


def parameter_of(names: str, loc: str = "loc") -> str:
    """Return SQL for the name, as written in the URL, of the first listed parameter that has a value, or for ''.

    The fragment is searched too, because login flows pass tokens in it.

    Args:
        names: The list of parameter names, as one of `families.PARAMETERS`.
        loc: SQL for the URL.
    """
    return f"regexp_extract({loc}, '(?i)[?&;#](' || ${names} || ')=[^&;#]', 1)"
