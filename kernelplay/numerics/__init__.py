"""Numerics: triangular factors, Gram factors, the box QP, grids and contours."""
