"""From cards and runs to figures about agents: pure functions, exact arithmetic, no world."""
