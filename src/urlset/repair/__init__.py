"""What `fix` does around a repair: output paths, the unified diff, and reading each result again."""
