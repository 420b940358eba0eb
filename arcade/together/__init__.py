"""One match between several arcades over the network: each plays the game itself, and only actions travel."""
