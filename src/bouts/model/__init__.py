"""Facts: frozen, closed types. They import nothing else of ours but the errors."""
