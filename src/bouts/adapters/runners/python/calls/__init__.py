"""The `calls` boundary: tests import stand-ins, every call crosses into the sandbox, plain data comes back."""
