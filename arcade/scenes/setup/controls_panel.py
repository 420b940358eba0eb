"""The controls of each person before a match: rows of keys or buttons, and what they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.input.sources import source_label
from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Column, Row
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.scenes.hud.seat_cards import DIRECTIONS, SeatCard, presses, seat_cards, whose

CAP = 28  # units, of a key
_PARTS = {"x-": N_("Stick"), "x+": N_("Stick"), "y-": N_("Stick"), "y+": N_("Stick")}
_PARTS |= {f"r{half}": N_("Right stick") for half in _PARTS}
_PARTS |= dict.fromkeys(DIRECTIONS, N_("D-pad"))


class Caps(Widget):
    """Keys or buttons, with "or" between alternatives."""

    def __init__(self, alternatives: Sequence[Sequence[str]]) -> None:
        super().__init__()
        self.alternatives = tuple(tuple(words) for words in alternatives)
        self.label = _(" or ").join(" ".join(words) for words in self.alternatives)

    def natural(self, theme: Theme, width: int) -> Size:
        shown = self._shown(theme, width)
        return self._width(theme, shown), theme.px(CAP)

    def least(self, theme: Theme) -> int:
        return self._width(theme, self.alternatives[:1])

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        left = self.rect.left
        for place, words in enumerate(self._shown(theme, self.rect.w)):
            if place:
                left = self._text(canvas, theme, _("or"), left) + theme.px(8)
            for word in words:
                left = self._cap(canvas, theme, word, left) + theme.px(3)
            left += theme.px(5)

    def _shown(self, theme: Theme, width: int) -> tuple[tuple[str, ...], ...]:
        """Return as many alternatives as have room, one at least."""
        count = len(self.alternatives)
        while count > 1 and self._width(theme, self.alternatives[:count]) > width:
            count -= 1
        return self.alternatives[:count]

    def _text(self, canvas: pygame.Surface, theme: Theme, word: str, left: int) -> int:
        at, colour = (left, self.rect.centery), theme.colours.faint
        return theme.draw_text(canvas, word, at, size=themes.SMALL, colour=colour, anchor="midleft").right

    def _cap(self, canvas: pygame.Surface, theme: Theme, word: str, left: int) -> int:
        plate = pygame.Rect(left, 0, self._cap_width(theme, word), theme.px(CAP))
        plate.centery = self.rect.centery
        pygame.draw.rect(canvas, theme.colours.raised, plate, border_radius=theme.px(7))
        pygame.draw.rect(canvas, theme.colours.edge, plate, theme.px(2), border_radius=theme.px(7))
        theme.draw_text(canvas, word, plate.center, size=themes.SMALL, bold=True, anchor="center")
        return plate.right

    @staticmethod
    def _cap_width(theme: Theme, word: str) -> int:
        return max(theme.px(CAP), theme.font(themes.SMALL, bold=True).size(word)[0] + theme.px(14))

    def _width(self, theme: Theme, ways: Sequence[Sequence[str]]) -> int:
        caps = sum(self._cap_width(theme, word) + theme.px(3) for words in ways for word in words)
        between = theme.font(themes.SMALL).size(_("or"))[0] + theme.px(8)
        return caps + theme.px(5) * len(ways) + between * max(0, len(ways) - 1)


def controls_panel(
    spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], bindings: KeyBindings, theme: Theme, *, is_named: bool = True
) -> Widget:
    """Make the rows of each person; without people, those of the first seat.  `is_named`: below the seats' titles."""
    parts: list[Widget] = []
    for card in seat_cards(spec, lineup, bindings):
        colour = seat_colour(spec, card.agents[0], theme.colours.teams)
        title = Label(whose(spec, card, most=4)[0], size=themes.SMALL, bold=True, colour=colour) if is_named else None
        parts.append(Column([title, *_rows(card)], gap=5))
    return Column(parts, gap=14)


def control_words(card: SeatCard) -> dict[str, list[list[str]]]:
    """Return what each control does → the words on its keys, by alternative."""
    most = 1 if card.is_half else 2
    found = {
        words: [cap_words(card.own.kind, sources) for sources in presses(rows, card.own, most=most)]
        for words, rows in card.groups().items()
    }
    return found | ({card.controls.mouse: [[_("Mouse")]]} if card.controls.mouse else {})


def _rows(card: SeatCard) -> list[Widget]:
    return [_row(words, ways) for words, ways in control_words(card).items()]


def _row(words: str, ways: Sequence[Sequence[str]]) -> Widget:
    caps = Caps(ways)
    return Row([Paragraph(_(words), size=themes.SMALL, least=90, grow=1), Column([caps], align="start", grow=2)], gap=8)


def cap_words(kind: str, sources: Sequence[str]) -> list[str]:
    """Return the words on the keys or buttons that are pressed together."""
    if kind == "keyboard":
        return [_("Arrow keys")] if set(sources) == set(DIRECTIONS) else [source_label(kind, one) for one in sources]
    words = (_(_PARTS.get(one, "")) or (one.upper() if len(one) == 1 else source_label(kind, one)) for one in sources)
    return list(dict.fromkeys(words))
