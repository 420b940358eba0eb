"""Players of Multi-Particle Environments: a module a game, and the motion that all share."""
