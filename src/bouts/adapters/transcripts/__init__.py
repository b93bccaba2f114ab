"""Readers of agents' transcripts, one file a format."""
