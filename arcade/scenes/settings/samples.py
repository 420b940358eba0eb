"""Samples beside the rows of a settings page: what its settings do, to see, to hear or to open."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np
import pygame

from agents.files import folder
from arcade.engine.audio.sound import CAPTIONS, Effect
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.game_views import Frame, FrameView
from arcade.engine.ui.layout import Column, Grid, Panel, Row
from arcade.engine.ui.texts import Label, Paragraph, Picture
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import N_, _
from arcade.session.about import open_folder, shown_folder
from arcade.session.settings import TV

SOUNDS: tuple[Effect, ...] = ("hit", "point", "point lost", "win", "lose", "countdown", "join", "warning")
"""Those to try, in their order."""

TELEVISION = 4, 3


def colours(_host: Host) -> Widget:
    """Show the teams' colours, and text on each background."""
    words = (
        (N_("Text"), "ink"),
        (N_("Second text"), "muted"),
        (N_("Good"), "green"),
        (N_("Waiting"), "yellow"),
        (N_("Warning"), "warning"),
    )
    samples = [Label(_(text), colour=colour, bold=True) for text, colour in words]
    return Column([
        Label(_("Teams"), size=themes.SMALL, colour="muted"),
        Picture(_draw_teams, width=460, height=44),
        Grid(samples, cell=140),
    ])  # fmt: skip


def _draw_teams(canvas: pygame.Surface, theme: Theme, area: pygame.Rect) -> None:
    step = area.w // len(theme.colours.teams)
    for place, colour in enumerate(theme.colours.teams):
        plate = pygame.Rect(area.left + place * step, area.top, step - theme.px(8), area.h)
        pygame.draw.rect(canvas, colour, plate, border_radius=theme.px(8))
        number = str(place + 1)
        theme.draw_text(canvas, number, plate.center, colour=theme.colours.ground, bold=True, anchor="center")


def game_pictures(host: Host) -> Widget:
    """Show the pictures of a television game and of another one, drawn as the settings say."""
    television, other = FrameView(), FrameView()

    def draw(canvas: pygame.Surface, theme: Theme, area: pygame.Rect) -> None:
        pygame.draw.rect(canvas, theme.colours.well, area)
        television.whole = other.whole = host.settings.whole_pixels
        television.shape = TELEVISION if host.settings.picture_shape == TV else None
        half = pygame.Rect(area.topleft, ((area.w - theme.gap) // 2, area.h))
        television.draw(canvas, _television_frame(), half)
        half.right = area.right
        other.draw(canvas, _board_frame(), half)

    return Column([
        Label(_("A television game and another one, as you will see them"), size=themes.SMALL, colour="muted"),
        Panel(Picture(draw, width=480, height=240, least=160), padding=0, fill="well"),
    ], gap=6)  # fmt: skip


@lru_cache(1)
def _board_frame() -> Frame:
    """Make the picture, uint8 (40, 40, 3): a board of eight by eight squares, with two pieces."""
    rows, columns = np.indices((40, 40)) // 5
    frame = np.where((rows + columns)[..., None] % 2, (88, 110, 92), (216, 210, 190)).astype(np.uint8)
    frame[26:29, 11:14], frame[11:14, 26:29] = (250, 250, 246), (30, 30, 34)
    return frame


@lru_cache(1)
def _television_frame() -> Frame:
    """Make the picture, uint8 (210, 160, 3): the score 0 to 1 over a court with two bats and a ball."""
    frame = np.zeros((210, 160, 3), np.uint8)
    frame[:] = (58, 88, 122)
    frame[24:34] = frame[194:204] = (236, 236, 236)
    frame[34:194].reshape(20, 8, 160, 3)[:, 2:6, 79:81] = (150, 168, 190)  # the net
    frame[92:108, 16:20], frame[120:136, 140:144] = (213, 130, 74), (92, 186, 92)
    frame[103:107, 66:68] = (236, 236, 236)
    for x, digit in ((36, ("111", "101", "101", "101", "111")), (116, ("010", "010", "010", "010", "010"))):
        for row, line in enumerate(digit):
            for column, bit in enumerate(line):
                if bit == "1":
                    frame[4 + 3 * row : 7 + 3 * row, x + 4 * column : x + 4 + 4 * column] = (236, 236, 236)
    return frame


class SoundButton(Button):
    """Plays a sound to try."""

    has_sound = True


def sounds(host: Host) -> Widget:
    """Let the player hear sounds."""
    hint = _("Press to hear it")
    buttons: list[Widget] = [
        SoundButton(_capital(_(CAPTIONS[name])), partial(host.sound.play, name), key=f"sound {name}", hint=hint, grow=1)
        for name in SOUNDS
    ]
    return Column(
        [Label(_("Listen"), size=themes.SMALL, colour="muted"), Grid(buttons, cell=200, most=2, gap=8)], gap=6
    )


def recordings(host: Host) -> Widget:
    """Say where recordings are, and what they are good for."""
    path = folder("replays")

    def open_files() -> None:
        host.say(open_folder(path))

    return Panel(Column([
        Label(_("Where recordings are"), bold=True),
        Paragraph(shown_folder(path), size=themes.SMALL),
        Paragraph(
            _("Watch a match again from any moment, take over in it, or train an AI that plays like you."),
            colour="muted",
        ),
        Row([Button(_("Open the folder"), open_files, hint=_("In the file manager of this computer"))]),
    ]))  # fmt: skip


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
