"""Training in the window: the runs there are, one run's curves, pool and games, and the form for a new one."""
