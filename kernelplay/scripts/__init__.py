"""Fits as short programs for NumPy alone or for scikit-learn, which find the same numbers by themselves."""
