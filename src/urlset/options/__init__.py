"""The options of every command and function: one frozen dataclass for each group of them.

The options of a verb inherit the groups that it takes, so that a function that needs the network alone asks for
`FetchingOptions` and takes the options of any verb. Each name is imported when it is first used.
"""

from urlset._names import from_stub

__getattr__, __dir__ = from_stub(__name__)
