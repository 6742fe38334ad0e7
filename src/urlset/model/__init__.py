"""What verbs return: plain values, which the pipeline fills in and the renderers in `report/` show.

Each name is imported when it is first used.
"""

from urlset._names import from_stub

__getattr__, __dir__ = from_stub(__name__)
