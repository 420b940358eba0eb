"""What can be pressed on the page of a recording, and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pygame

from arcade.engine import theme
from arcade.engine.widgets import Button, Choice, Widget
from arcade.scenes.pace import speed_words
from arcade.scenes.replaying.layout import Layout
from arcade.scenes.replaying.scrub import ScrubBar
from arcade.scenes.replaying.seat_rows import SeatRows
from arcade.scenes.replaying.transport import SignButton

if TYPE_CHECKING:
    from arcade.scenes.replaying.scene import ReplayScene

SPEEDS = (1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0, 8.0)
"""Times the game's own rate."""


def make_controls(scene: ReplayScene, layout: Layout) -> list[Widget]:
    """The widgets in reading order: the bar of time, the seats, play and its like, what else can be done."""
    first, last = layout.rows[0], layout.rows[-1]
    signs = _signs(scene, first)
    choices, tools = _choices(scene), _tools(scene)
    left = signs[-1].rect.right + theme.GAP
    if first is last:
        _spread(first, left, [*choices, *tools])
    else:
        _spread(first, left, choices)
        _spread(last, last.left, tools)
    return [_scrub(scene, layout.scrub), SeatRows(layout.seats, scene.reel), *signs, *choices, *tools]


def _spread(row: pygame.Rect, left: int, widgets: Sequence[Widget]) -> None:
    """Give the widgets the room from `left` on, each in proportion to the width that it was made with."""
    room = row.right - left - (len(widgets) - 1) * theme.GAP
    wanted = sum(widget.rect.w for widget in widgets)
    for widget in widgets:
        widget.rect = pygame.Rect(left, row.top, widget.rect.w * room // wanted, row.h)
        left = widget.rect.right + theme.GAP


def _scrub(scene: ReplayScene, rect: pygame.Rect) -> ScrubBar:
    spec, playback = scene.reel.spec, scene.playback
    scrub = ScrubBar(rect, seek=playback.seek, step=playback.step, toggle=scene.toggle, moment=scene.sight.moment)
    scrub.length, scrub.at, scrub.marks = playback.length, playback.goal, scene.reel.timeline.marks
    scrub.stride = 1 if spec.turn_based else max(1, round(spec.fps))
    start, end = scene.span
    if (start, end) != (0, None):
        scrub.span = start, playback.length if end is None else end
    return scrub


def _signs(scene: ReplayScene, row: pygame.Rect) -> list[SignButton]:
    step = scene.playback.step
    entries = (
        ("previous", "Mark before", lambda: scene.jump(-1), "To the mark before: Page up, or a pad's L"),
        ("back", "Tick back", lambda: step(-1), "A tick back: F8, or the wheel over the bar"),
        ("play", "Play", scene.toggle, "Play or stop: P, or a pad's Start"),
        ("on", "Tick on", lambda: step(1), "A tick on: F7, or the wheel over the bar"),
        ("next", "Next mark", lambda: scene.jump(1), "To the next point or take-over: Tab, or a pad's R"),
    )
    width, signs = max(60, row.h), []
    for place, (sign, words, press, hint) in enumerate(entries):
        rect = (row.left + place * (width + theme.GAP), row.top, width, row.h)
        signs.append(SignButton(rect, words, press, primary=sign == "play", hint=hint))
        signs[-1].sign = sign
    return signs


def _choices(scene: ReplayScene) -> list[Widget]:
    words = [speed_words(speed) for speed in scene.speeds]
    hint = "How fast it goes: left, right, or F5 and F6"
    choices: list[Widget] = [Choice((0, 0, 130, 0), "", words, index=scene.speed, change=scene.set_speed, hint=hint)]
    if scene.reel.spec.secret:
        agents, viewer = scene.reel.spec.agents, scene.sight.viewer
        place = 0 if viewer is None else 1 + agents.index(viewer)
        hint = "Whose cards are seen: a spectator sees what everybody may"
        names = ["spectator", *map(str, agents)]
        choices.append(Choice((0, 0, 170, 0), "", names, index=place, change=scene.set_viewer, hint=hint))
    return choices


def _tools(scene: ReplayScene) -> list[Widget]:
    entries = (
        (100, "Minds", scene.choose_mind, "What a snapshot would think at any moment: F9"),
        (126, "Take over", scene.take_over_by_hand, "Play on from here yourself: F2, or a pad's Select"),
        (96, "Film", scene.make_film, "A film of it, from here on or of all of it"),
        (96, "Back", scene.back, "Leave this recording"),
    )
    size = min(theme.scaled(theme.BODY), 40)
    return [Button((0, 0, width, 0), words, press, hint=hint, size=size) for width, words, press, hint in entries]
