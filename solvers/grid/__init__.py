"""Solvers for grid steps, and policies and bounds for grid systems."""
