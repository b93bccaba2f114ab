"""Unused. Stock is worked out from the open orders whenever it is asked for, so there is nothing to keep."""
