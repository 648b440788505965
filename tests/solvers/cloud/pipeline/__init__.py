"""Tests of the greedy pipeline."""
