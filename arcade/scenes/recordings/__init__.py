"""Recordings on the screen: the shelf of all recordings, and what people say of one after its match."""
