"""What verbs return: plain values, which the pipeline fills in and the renderers in `report/` show."""
