"""The imperative shell: it touches the world through the ports and decides nothing about worth."""
