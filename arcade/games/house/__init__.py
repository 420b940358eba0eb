"""Our own games, beside those of PettingZoo."""
