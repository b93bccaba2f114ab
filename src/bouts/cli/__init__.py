"""The command line. Modules here import the rest of Bouts only when a command runs, so that `--help` is quick."""
