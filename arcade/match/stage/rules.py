"""StageRules: sticky actions and frame skip (MAX_SKIP) over any real-time game.

Sticky actions are those of Machado et al. 2018 (arXiv 1709.06009): by chance a seat does again what it did last.  With
frame skip a seat decides at every n-th tick only, and what it does is held in between; the ticks themselves, and their
pictures, stay as many as they were.  Training's wrappers of the same names mean the same.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from agents.errors import UserError
from arcade.language import _

if TYPE_CHECKING:
    from arcade.games.spec import GameSpec

MAX_SKIP = 16


class RulesError(UserError, ValueError):
    """Invalid rules, or rules that don't apply to a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRules:
    """How a stage changes the actions that it is sent; by default not at all."""

    sticky_actions: float = 0.0  # chance, at each decision, that a seat's last action is done again; 0 <= it < 1
    frame_skip: int = 1  # ticks from one decision to the next; 1 to 16

    def __post_init__(self) -> None:
        if not 0 <= self.sticky_actions < 1:
            raise RulesError(f"expected 0 <= sticky_actions < 1, got: {self.sticky_actions:g}")
        if not 1 <= self.frame_skip <= MAX_SKIP:
            raise RulesError(f"expected 1 <= frame_skip <= {MAX_SKIP}, got: {self.frame_skip}")

    @property
    def any(self) -> bool:
        """Whether there is a rule at all."""
        return self.sticky_actions > 0 or self.frame_skip > 1

    @property
    def text(self) -> str:
        """The rules for people; "" without a rule."""
        sticky = _("sticky actions {chance:.3g}").format(chance=self.sticky_actions) if self.sticky_actions else ""
        skip = _("frame skip {count}").format(count=self.frame_skip) if self.frame_skip > 1 else ""
        return ", ".join(filter(None, (sticky, skip)))

    def check(self, spec: GameSpec) -> None:
        """Raise RulesError where they don't apply to that game."""
        if self.any and spec.turn_based:
            raise RulesError(f"expected no {self.text} in {spec.id}, which waits for each move; leave it out")

    def decides_at(self, index: int) -> bool:
        """Whether the action after tick `index` is a new one, and not held."""
        return index % self.frame_skip == 0

    def as_options(self) -> list[str]:
        """The command-line options for them."""
        sticky = ["--sticky-actions", f"{self.sticky_actions:g}"] if self.sticky_actions else []
        return sticky + (["--frame-skip", str(self.frame_skip)] if self.frame_skip > 1 else [])

    def as_settings(self) -> dict[str, Any]:
        """The entries of a match's settings; none without a rule."""
        return {"rules": asdict(self)} if self.any else {}


PLAIN = StageRules()
"""Every action is played as it comes."""
