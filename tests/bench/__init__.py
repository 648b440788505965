"""Benchmarks that people can run again: `python -m tests.bench cloud`."""
