"""ReplayControls: the timeline and the buttons of a replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from agents.seats.controller import SeatChoice
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Row, Spacer
from arcade.engine.ui.widget import Widget
from arcade.language import _
from arcade.match.playback.playback import Playback
from arcade.scenes.replay.scrub import ScrubBar
from arcade.scenes.replay.sign_button import SignButton
from arcade.scenes.replay.view import WIDE, ReplayState
from arcade.session.match.pace import speed_text
from arcade.session.recordings.replay_loading import LoadedReplay

SHORT = 880
"""Units of the page from which all buttons but that of the view have room in one row."""


class Player(Protocol):
    """What the controls act on."""

    loaded: LoadedReplay
    playback: Playback
    state: ReplayState
    span: tuple[int, int | None]
    speeds: Sequence[float]
    speed: int  # the index of the present one
    device: SeatChoice  # pressed last

    def toggle(self) -> None: ...
    def jump(self, by: int) -> None: ...
    def next_speed(self) -> None: ...
    def next_viewer(self) -> None: ...
    def choose_insight(self) -> None: ...
    def take_over(self, choice: SeatChoice) -> None: ...
    def make_video(self) -> None: ...
    def back(self) -> None: ...


class ReplayControls:
    """Makes the widgets, in reading order: down from the timeline leads to Play."""

    def __init__(self, scene: Player) -> None:
        self._scene = scene

    def scrub_bar(self) -> ScrubBar:
        """Make the timeline."""
        scene, spec = self._scene, self._scene.loaded.spec
        return ScrubBar(
            scene.playback, scene.loaded.timeline, toggle=scene.toggle, moment=scene.state.moment, span=scene.span,
            stride=1 if spec.turn_based else max(1, round(spec.fps)),
        )  # fmt: skip

    def bar(self, width: float) -> Widget:
        """Make all buttons: in one row where the page is wide enough, in units, else in two."""
        tools, rest = self.tools(), self.rest()
        tools.grow = rest.grow = 1
        if width >= (WIDE if self._scene.loaded.spec.secret else SHORT):
            return Row([tools, self.signs(), rest])
        return Column([self.centred_signs(), Row([tools, rest])], gap=8)

    def centred_signs(self) -> Row:
        """Make Play with its neighbours, in the middle."""
        return Row([Spacer(), self.signs(), Spacer()], stacks=False)

    def signs(self) -> Row:
        """Make Play with its neighbours."""
        scene, playback = self._scene, self._scene.playback
        buttons = (
            SignButton("previous", _("Mark before"), lambda: scene.jump(-1),
                       hint=_("To the mark before: Page up, or a pad's L")),
            SignButton("back", _("Step back"), lambda: playback.step(-1),
                       hint=_("One step back: F7, or the wheel over the timeline")),
            SignButton(lambda: "pause" if playback.playing else "play",
                       lambda: _("Pause") if playback.playing else _("Play"), scene.toggle, primary=True,
                       hint=_("Play or pause: P, or a pad's Start")),
            SignButton("on", _("Step forward"), lambda: playback.step(1),
                       hint=_("One step forward: F8, or the wheel over the timeline")),
            SignButton("next", _("Next mark"), lambda: scene.jump(1),
                       hint=_("To the next point or take-over: Tab, or a pad's R")),
        )  # fmt: skip
        return Row(buttons, gap=6, stacks=False)

    def tools(self) -> Row:
        """Make what one can do with the recording."""
        scene = self._scene
        return Row([
            Button(_("AI insight"), scene.choose_insight, grow=1,
                   hint=_("Action probabilities and value of a snapshot: F9")),
            Button(_("Take over"), lambda: scene.take_over(scene.device), grow=1,
                   hint=_("Play from here: F2, or a pad's Select")),
            Button(_("Video"), scene.make_video, grow=1,
                   hint=_("Save a video, from here on or of the whole match")),
        ])  # fmt: skip

    def rest(self) -> Row:
        """Make speed, view and Back."""
        scene = self._scene
        speed = Button(
            _("Speed {speed}").format(speed=speed_text(scene.speeds[scene.speed])), scene.next_speed, grow=1,
            key="speed", hint=_("Playback speed: press for the next, or F5 and F6"),
        )  # fmt: skip
        views: list[Widget] = [self._viewer_button()] if scene.loaded.spec.secret else []
        back = Button(_("Back"), scene.back, hint=_("Leave this recording"), key="back", grow=1)
        return Row([speed, *views, back])

    def _viewer_button(self) -> Button:
        scene = self._scene
        viewer = scene.state.viewer
        seat = scene.loaded.spec.seat_title(viewer) if viewer is not None else ""
        label = _("Sees {seat}").format(seat=seat) if viewer is not None else _("Spectator")
        hint = _("The seat whose cards are shown; a spectator sees public ones alone. Press for the next")
        return Button(label, scene.next_viewer, hint=hint, key="viewer", grow=1)
