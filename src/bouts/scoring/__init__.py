"""From evidence to card: pure functions, exact arithmetic, no world."""
