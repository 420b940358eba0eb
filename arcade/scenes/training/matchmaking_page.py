"""Matchmaking: the opponents of the learning policy, which can be changed while it trains."""

from __future__ import annotations

import pygame

from agents.wire.trainer_events import WEIGHTINGS
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Choice, Slider, Widget
from arcade.scenes.training.pages import AREA, RunPage
from arcade.session.training.run_link import RunLink

SEND_AFTER = 0.4
"""Seconds without another change until it is sent, so that dragging a slider is one request."""

WORDS = {
    "play_against_latest_model_ratio": (
        "Against itself", "Share of episodes with the learning policy in every seat",
    ),
    "newest_ratio": ("Against the newest", "Share of the newest snapshot in the episodes against snapshots"),
    "fixed_ratio": ("Against fixed opponents", "Share of episodes against scripted players, files, engines …"),
}  # fmt: skip
WEIGHTING_HINT = "Draw older snapshots uniformly, prefer even matches (variance), or strong opponents (hard)"


class MatchmakingPage(RunPage):
    """Shows the settings in force; changes are sent after a short pause, and refused ones revert."""

    title = "Matchmaking"

    def __init__(self, link: RunLink) -> None:
        super().__init__(link)
        self._changed: dict[str, float | str] = {}  # unsent
        self._at: float | None = None  # time of the last change
        self._touched = False
        self._shown: tuple[object, ...] = ()

    def widgets(self) -> list[Widget]:
        matchmaking = self.link.status.matchmaking
        rows = [
            pygame.Rect(AREA.left, AREA.top + 50 + place * 72, 900, 58) for place in range(len(matchmaking.ratios) + 1)
        ]
        sliders: list[Widget] = [
            Slider(
                rect, WORDS[name][0], value=value, step=0.05, hint=WORDS[name][1],
                change=lambda value, name=name: self._change(name, value),  # type: ignore[misc]
            )
            for rect, (name, value) in zip(rows, matchmaking.ratios, strict=False)
        ]  # fmt: skip
        if matchmaking.weighting:
            index = WEIGHTINGS.index(matchmaking.weighting)
            sliders.append(
                Choice(
                    rows[-1], "Older snapshots", WEIGHTINGS, index=index, hint=WEIGHTING_HINT,
                    change=lambda index: self._change("weighting", WEIGHTINGS[index]),
                )
            )  # fmt: skip
        for widget in sliders:
            widget.enabled = self.link.live
        return sliders

    def update(self, now: float) -> bool:
        if self._touched:
            self._touched, self._at = False, now
        if self._at is not None and now - self._at >= SEND_AFTER:
            self._send()
        matchmaking = self.link.status.matchmaking
        shown = (matchmaking.ratios, matchmaking.weighting, self.link.live)
        if self._changed or self._at is not None or shown == self._shown:
            return False
        self._shown = shown
        return True

    def hide(self) -> None:
        self._send()

    def draw(self, canvas: pygame.Surface) -> None:
        if self.link.status.matchmaking.model_fields_set:
            words = "Changes apply from the next episodes on"
        elif self.link.live:
            words = "This trainer does not publish its matchmaking"
        else:
            words = "Shown while a trainer answers"
        theme.draw_text(canvas, words, (AREA.left, AREA.top + 6), colour=theme.MUTED)

    def _change(self, name: str, value: float | str) -> None:
        self._changed[name] = value
        self._touched = True

    def _send(self) -> None:
        changed, self._changed, self._at = self._changed, {}, None
        if changed and self.link.live and self.link.client is not None:
            self.link.client.request("matchmaking", changed)
            self._shown = ()  # show the settings in force again, in case it is refused
