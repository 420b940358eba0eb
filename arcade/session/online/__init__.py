"""Play over the network, as the window has it."""
