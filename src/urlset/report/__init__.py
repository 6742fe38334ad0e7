"""Reports: one renderer a file, all drawing from the one model in `report.model`. Importing this loads none of them."""
