"""What a grid step and a grid system are, and how they are judged and simulated."""
