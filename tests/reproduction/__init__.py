"""What the papers claim, measured: `python -m tests.reproduction cloud|grid|dealt` writes the reports in docs/."""
