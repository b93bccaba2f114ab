"""Runs Python test suites; submitted code stays behind a boundary."""
