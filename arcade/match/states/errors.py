"""Why a state cannot be saved or loaded."""

from __future__ import annotations

from agents.errors import UserError


class StateError(UserError):
    """A state that cannot be saved or loaded."""


class UnknownKindError(StateError):
    """A game with an object of a kind that cannot be copied."""


class UnsettledError(StateError):
    """A moment at which an emulator is in the middle of a picture; a few ticks later it can be saved."""
