"""Files: reading them within limits, decompressing them, and publishing them."""
