"""The HTML report: `view.py` prepares what it shows, and `template.py` renders it with the template in `files/`."""
