"""Compiled arithmetic on float64 arrays: pure functions without any notion of steps, plans or goals."""
