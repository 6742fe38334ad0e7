"""Rules on llms.txt."""
