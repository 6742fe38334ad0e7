"""The options of every command and function: one frozen dataclass for each group of them.

The options of a verb inherit from groups, so that a function that only uses the network can declare
`FetchingOptions` and accept the options of any verb. Each name is imported on first use.
"""

from urlset._names import from_stub

__getattr__, __dir__ = from_stub(__name__)
