"""Judge 2, process: metrics of the agent's session, computed from its events alone."""
