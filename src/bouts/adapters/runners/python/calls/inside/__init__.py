"""What runs inside the sandbox, standard library only. `plain` is used on both sides."""
