"""Tools: what a press of the mouse means, as generators free of Qt; one file a family, found by scanning."""
