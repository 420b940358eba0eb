"""Players of the Atari games: a module a family, each deciding from the console's memory."""
