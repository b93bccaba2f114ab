"""Integrity checks that parse foreign code; they run in the scanner's child."""
