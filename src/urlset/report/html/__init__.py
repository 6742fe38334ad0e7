"""The HTML report: `view.py` prepares what it shows, and `render.py` renders it with the template in `files/`."""
