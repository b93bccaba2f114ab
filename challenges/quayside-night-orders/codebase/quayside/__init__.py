"""Order desk of the Quayside wholesale depot."""

__version__ = "1.8.2"
