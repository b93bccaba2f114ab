"""Similarity of submissions to one task: pure measures over shapes of code that somebody else has read."""
