"""The host of a match over the network, and what it keeps of its guests."""
