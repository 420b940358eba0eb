"""Many matches: evaluation, executors, vectorised envs."""
