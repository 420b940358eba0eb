"""StageState: a moment of an episode that a stage can go back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arcade.match.states.errors import StateError


@dataclass(eq=False, frozen=True)
class StageState:
    """A handle of the stage that saved it, which forgets the state with the last reference to the handle.

    It lives in memory and for as long as the episode; a file has the seed and the actions of a match instead, from
    which any stage comes to the same moment.
    """

    index: int  # of the tick
    episode: object  # of the stage
    held: Any  # by a local stage: LocalState; by a hosted one: its number

    def check(self, episode: object) -> None:
        """Raise StateError where it is not of that episode."""
        if self.episode is not episode:
            raise StateError(f"expected a state of this stage's own episode, got one of another, at tick {self.index}")
