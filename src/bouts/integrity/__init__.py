"""Integrity: pure functions from facts to observations. Each shows what a reviewer can check in a minute."""
