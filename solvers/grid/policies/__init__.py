"""Policies: by what rule schedulers place their jobs, each in a file of its own."""
