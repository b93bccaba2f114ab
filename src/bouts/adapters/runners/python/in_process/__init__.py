"""The `in-process` boundary: tests and submitted code share a process. Tampering is detected in part, not ruled out."""
