"""Batch studies: many instances × solvers × seeds, each cell once, whatever happens in between.

`spec` and `reading` say what is to be run, `problems` and `cells` which cells that makes, `store` keeps what
came of them, `running` gets the missing ones done by an engine, `collecting` and `frames` show them.
"""
