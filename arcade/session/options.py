"""Options of the window."""

from __future__ import annotations

from dataclasses import dataclass

from arcade.match.stage.rules import PLAIN, StageRules


@dataclass(frozen=True, kw_only=True)
class WindowOptions:
    """The options of the window."""

    featured: str = "house/volley"  # the game that the title starts
    seed: int | None = None  # of the first match, counted up from there; None: random
    speed: float = 1.0
    max_ticks: int | None = None
    record: bool = False  # record each match, despite the settings
    rules: StageRules = PLAIN  # of real-time games, until others are chosen
    endpoints: tuple[str, ...] = ("tcp://127.0.0.1:5555",)  # policy servers offered on the seats screen

    def __post_init__(self) -> None:
        if not self.speed > 0:
            raise ValueError(f"expected speed > 0, got: {self.speed}")
        if self.seed is not None and not 0 <= self.seed < 2**32:
            raise ValueError(f"expected 0 <= seed < 2**32, got: {self.seed}")
