"""The files' shapes as pydantic models: structure, types, and limits of single values."""
