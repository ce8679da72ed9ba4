"""Data sets: one file a family, found by scanning this folder."""
