"""The `in-process` boundary: tests and submitted code share a process in the sandbox. Tampering is detected, not ruled out."""
