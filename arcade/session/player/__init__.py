"""The player of this machine: matches, ratings, achievements, favourites, and what to play next."""
