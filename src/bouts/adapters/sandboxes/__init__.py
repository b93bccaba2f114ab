"""Backends that make sandboxes."""
