"""Column generation for very large cloud instances (docs/model-cloud.md, "A million tasks")."""
