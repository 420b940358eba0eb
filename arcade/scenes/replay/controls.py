"""The controls of a replay: scrub bar, transport buttons, speed, tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.match.playback.playback import Playback
from arcade.scenes.replay.scrub import ScrubBar
from arcade.scenes.replay.seat_rows import SeatRows
from arcade.scenes.replay.view import ReplayLayout, ReplayView
from arcade.session.match.pace import speed_words
from arcade.session.recordings.replay_loading import LoadedReplay

SPEEDS = (1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0, 8.0)
"""Times the game's own rate."""


class ShownReplay(Protocol):
    """The part of the replay scene that the controls use."""

    reel: LoadedReplay
    playback: Playback
    sight: ReplayView
    span: tuple[int, int | None]
    speeds: list[float]
    speed: int

    def back(self) -> None: ...

    def toggle(self) -> None: ...

    def jump(self, by: int) -> None: ...

    def next_speed(self) -> None: ...

    def next_viewer(self) -> None: ...

    def choose_mind(self) -> None: ...

    def take_over_by_hand(self) -> None: ...

    def make_video(self) -> None: ...


def make_controls(scene: ShownReplay, layout: ReplayLayout) -> list[Widget]:
    """The widgets in reading order; down from the scrub bar leads to play."""
    first, last = layout.rows[0], layout.rows[-1]
    signs, speed, tools, back = _signs(scene, first), _speed(scene), _tools(scene), _back(scene)
    views = [_view(scene)] if scene.reel.spec.secret else []
    left, right = signs[0].rect.left - theme.GAP, signs[-1].rect.right + theme.GAP
    if first is last:
        _spread(first, first.left, left, tools)
        _spread(first, right, first.right, [speed, *views, back])
    else:
        _spread(first, first.left, left, views)
        _spread(first, right, first.right, [speed])
        _spread(last, last.left, last.right, [*tools, back])
    return [_scrub(scene, layout.scrub), SeatRows(layout.seats, scene.reel), *signs, speed, *views, *tools, back]


def _spread(row: pygame.Rect, left: int, right: int, widgets: Sequence[Widget]) -> None:
    """Spread widgets between two edges, in proportion to their initial widths."""
    room = right - left - (len(widgets) - 1) * theme.GAP
    wanted = sum(widget.rect.w for widget in widgets)
    for widget in widgets:
        widget.rect = pygame.Rect(left, row.top, widget.rect.w * room // wanted, row.h)
        left = widget.rect.right + theme.GAP


def _scrub(scene: ShownReplay, rect: pygame.Rect) -> ScrubBar:
    spec, playback = scene.reel.spec, scene.playback
    scrub = ScrubBar(rect, seek=playback.seek, step=playback.step, toggle=scene.toggle, moment=scene.sight.moment)
    scrub.length, scrub.at, scrub.marks = playback.length, playback.goal, scene.reel.timeline.marks
    scrub.stride = 1 if spec.turn_based else max(1, round(spec.fps))
    start, end = scene.span
    if (start, end) != (0, None):
        scrub.span = start, playback.length if end is None else end
    return scrub


def _signs(scene: ShownReplay, row: pygame.Rect) -> list[SignButton]:
    step = scene.playback.step
    entries = (
        ("previous", "Mark before", lambda: scene.jump(-1), "To the mark before: Page up, or a pad's L"),
        ("back", "Tick back", lambda: step(-1), "A tick back: F8, or the wheel over the bar"),
        ("play", "Play", scene.toggle, "Play or stop: P, or a pad's Start"),
        ("on", "Tick on", lambda: step(1), "A tick on: F7, or the wheel over the bar"),
        ("next", "Next mark", lambda: scene.jump(1), "To the next point or take-over: Tab, or a pad's R"),
    )
    width = max(60, row.h)
    left, signs = row.centerx - (5 * width + 4 * theme.GAP) // 2, []
    for sign, words, press, hint in entries:
        signs.append(SignButton((left, row.top, width, row.h), words, press, primary=sign == "play", hint=hint))
        signs[-1].sign = sign
        left += width + theme.GAP
    return signs


def _speed(scene: ShownReplay) -> Button:
    words = speed_words(scene.speeds[scene.speed])
    return _button(96, f"Speed {words}", scene.next_speed, "Playback speed: press for the next, or F5 and F6")


def _view(scene: ShownReplay) -> Button:
    viewer = scene.sight.viewer
    words = "Spectator" if viewer is None else f"Sees {viewer}"
    return _button(
        132, words, scene.next_viewer, "Whose cards are shown; a spectator sees public ones alone. Press for the next"
    )


def _tools(scene: ShownReplay) -> list[Button]:
    return [
        _button(84, "Minds", scene.choose_mind, "Action probabilities and value of a snapshot: F9"),
        _button(126, "Take over", scene.take_over_by_hand, "Play on from here yourself: F2, or a pad's Select"),
        _button(84, "Video", scene.make_video, "Save a video, from here on or of the whole match"),
    ]


def _back(scene: ShownReplay) -> Button:
    return _button(60, "Back", scene.back, "Leave this recording")


def _button(width: int, words: str, press: Callable[[], None], hint: str) -> Button:
    return Button((0, 0, width, 0), words, press, hint=hint, size=min(theme.scaled(theme.BODY), 40))


class SignButton(Button):
    """A button with a sign instead of text: play, pause, back, on, previous, next."""

    sign = "play"

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        words, self.words = self.words, ""
        super().draw(canvas, focused=focused)
        self.words = words
        ink = theme.GROUND if self.primary else theme.INK
        draw_sign(canvas, self.sign, self.rect.center, min(self.rect.size) * 26 // 100, ink)


def draw_sign(canvas: pygame.Surface, sign: str, at: tuple[int, int], size: int, ink: theme.Colour) -> None:
    """One sign; `size` is half its height."""
    x, y = at
    if sign == "pause":
        for side in (-1, 1):
            bar = pygame.Rect(0, 0, max(4, size * 6 // 10), 2 * size)
            bar.center = (x + side * size * 6 // 10, y)
            pygame.draw.rect(canvas, ink, bar, border_radius=2)
        return
    way = -1 if sign in ("back", "previous") else 1
    pygame.draw.polygon(canvas, ink, [(x - way * size * 7 // 10, y - size), (x - way * size * 7 // 10, y + size),
                                      (x + way * size, y)])  # fmt: skip
    if sign in ("back", "on"):  # one tick: a bar behind
        _bar(canvas, ink, x - way * (size + 3), y, size)
    elif sign in ("previous", "next"):  # up to a mark: a bar before
        _bar(canvas, ink, x + way * (size + 3), y, size)


def _bar(canvas: pygame.Surface, ink: theme.Colour, x: int, y: int, size: int) -> None:
    bar = pygame.Rect(0, 0, 4, 2 * size)
    bar.center = (x, y)
    pygame.draw.rect(canvas, ink, bar)
