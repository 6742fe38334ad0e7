"""Rules on links between pages."""
