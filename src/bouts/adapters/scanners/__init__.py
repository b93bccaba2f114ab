"""Scanners: they read source files and execute none of them."""
