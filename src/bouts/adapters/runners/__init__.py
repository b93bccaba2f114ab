"""Runners: one folder a language."""
