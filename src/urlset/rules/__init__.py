"""The rules, one per file. Rules are data: `urlset.rules.registry` finds them, and the engine runs them."""
