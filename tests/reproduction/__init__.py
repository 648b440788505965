"""What the papers claim, measured: `python -m tests.reproduction grid|dealt` writes the reports in docs/."""
