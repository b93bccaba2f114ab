"""The trusted agent that is the first process inside a sandbox.

These modules run in the sandbox's own bare interpreter, not in Bouts: they import built-in C modules alone (each
import costs every sandbox), name each other by relative imports, and never execute submitted code in their process.
"""
