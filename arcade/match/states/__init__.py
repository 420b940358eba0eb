"""Saved states of a game in this process: what is saved, and how each kind of object is brought back."""

from arcade.match.states.errors import StateError, UnknownKindError, UnsettledError
from arcade.match.states.memento import Memento

__all__ = ["Memento", "StateError", "UnknownKindError", "UnsettledError"]
