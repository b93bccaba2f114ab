"""The package format: read it, check its components, match its rubric, stage a submission over its codebase."""
