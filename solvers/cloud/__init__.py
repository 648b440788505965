"""Solvers and bounds for the cloud problem."""
