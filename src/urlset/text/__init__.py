"""Text for people: safe for the place where it is shown, with sizes and secrets in a readable form."""
