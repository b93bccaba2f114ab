"""Reports of test runners, read from bytes into plain facts. Pure, and trusting nothing.

Whatever a process wrote that ran submitted code is data of unknown truth: readers bound size, depth and number, expand
no entity, resolve nothing, and escape what will be shown. A report never decides a score.
"""
