"""Models: one file each, found by scanning this folder."""
