"""Training screens: the list of runs, one run with its curves, pool and games, and the form for a new run."""
