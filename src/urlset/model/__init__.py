"""Results of the verbs: plain values, which the pipeline creates and the renderers in `report/` show.

Names are imported on first use.
"""

from urlset._names import from_stub

__getattr__, __dir__ = from_stub(__name__)
