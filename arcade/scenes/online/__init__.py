"""The screens of play over the network."""
