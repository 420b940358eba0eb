"""Recordings on the screen: the shelf of all takes, and what people say of one after its match."""
