"""Recordings on the screen: the list of all recordings, and what people say of one after its match."""
