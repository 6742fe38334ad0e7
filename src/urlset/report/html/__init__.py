"""The report as one page for a browser: `model.py` is what it shows, `render.py` draws it with the files beside it."""
