"""Solvers, found through `solvers.catalog` and imported only when used."""
