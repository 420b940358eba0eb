"""InsightPanel: the AI insight of one seat, its action probabilities, its value, and what a search expects."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import pygame

from agents.seats.controller import AgentID, Controller, Insight
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Theme
from arcade.games.seat_colours import seat_colour
from arcade.language import N_, _, local_number, percent
from arcade.scenes.hud.piece import Facts, HudPiece, Place
from arcade.session.people import people_at

if TYPE_CHECKING:
    from arcade.match.play.match import Match
    from arcade.scenes.hud.action_words import ActionWords
    from arcade.session.recordings.insights import Insights

ROWS = 6  # most actions that are shown, the likeliest of them

LINE = 3  # moves that a search expects next
WIDTH = 236  # units of the insight panel, at most
SHARE = 0.3  # of the page's width, at most
Row = tuple[str, int]  # an action's name and its probability in per cent


class InsightPanel(HudPiece):
    """The panel of one seat; nothing for a seat without AI insight."""

    name, label, help = "mind", N_("AI insight"), N_("F9: the action probabilities and the value of each snapshot.")
    place = Place.PICTURE
    default = False
    is_secret = True

    facts: Facts | Insights
    owner: AgentID
    _notations: tuple[Mapping[str, str], Mapping[str, str]] = {}, {}  # of the last position and of this one
    _words: ActionWords | None = None  # made at the first insight: a stage that is not ready has no spaces

    @staticmethod
    def width(theme: Theme) -> int:
        """Return the width of a panel in pixels."""
        return theme.px(min(WIDTH, SHARE * theme.page[0]))

    def content(self) -> Hashable:
        insight = self.facts.insight(self.owner)
        if insight is None:
            return None
        if self._words is None:
            from arcade.scenes.hud.action_words import ActionWords  # on demand: numpy comes with it

            self._words = ActionWords(self.facts.spec, self.owner, self.facts.action_space(self.owner))
        value = None if insight.value is None else round(float(insight.value), 2)
        self._look()
        notes = [] if value is None else [_("expects {value}").format(value=local_number(f"{value:+.2f}"))]
        return self.facts.label(self.owner), (*notes, *self._search_notes(insight)), insight_rows(insight, self._named)

    def _search_notes(self, insight: Insight) -> list[str]:
        """What a search did, and the moves that it expects where the game has words for them."""
        if not insight.visits:
            return []
        words = self.facts.spec.names_of(self.owner)
        moves = ", ".join(words[action] for action in insight.line[1 : 1 + LINE] if action < len(words))
        notes = [_("positions looked at: {count}").format(count=insight.visits)]
        return [*notes, _("then: {moves}").format(moves=moves)] if moves else notes

    def update(self, now: float) -> None:
        self._look()

    def _look(self) -> None:
        """Note the notation of the present position: an insight stays while the next one is shown."""
        notation = self.facts.notation()
        if notation is not self._notations[1]:
            self._notations = self._notations[1], notation

    def _named(self, index: int) -> str:
        """Name an action as the list of moves does; no move is legal for both sides."""
        assert self._words is not None
        words = self._words.named(index)
        before, now = self._notations
        return now.get(words) or before.get(words) or words

    def paint(self, content: Any, theme: Theme, room: int) -> pygame.Surface:
        label, notes, rows = content
        line, width = theme.px(24), min(room, self.width(theme))
        lines = len(rows) + len(notes)
        colour = seat_colour(self.facts.spec, self.owner, theme.colours.teams)
        left, inner = theme.px(14), width - theme.px(28)
        title = _(self.facts.spec.seat_title(self.owner))
        words = label if self.facts.spec.seats == 2 else f"{title}: {label}"  # two are on their own sides
        two = 2 * theme.line_height(themes.SMALL)
        name = theme.fitted(words, width=inner, height=two, size=themes.SMALL, bold=True, colour=colour)
        top = max(theme.px(36), name.get_height() + theme.px(14))
        panel = pygame.Surface((width, top + theme.px(8) + line * lines), pygame.SRCALPHA)
        theme.draw_panel(panel, panel.get_rect())
        panel.blit(name, (left, theme.px(8)))
        for name, share in rows:
            _paint_row(panel, theme, pygame.Rect(left, top, inner, line), name, share, colour=colour)
            top += line
        for note in notes:
            theme.draw_text(panel, note, (left, top + line // 2), size=_SMALLER, anchor="midleft", width=inner)
            top += line
        return panel


_SMALLER = 16  # units of the text of a row


def thinks(seated: Iterable[Controller]) -> bool:
    """Return whether one of these players has AI insight, which comes with its first decision."""
    players = (getattr(controller, "inner", controller) for controller in seated)
    return any(type(player).insight is not Controller.insight for player in players)


def keeps_secrets(match: Match) -> bool:
    """Return whether AI insight would reveal cards to an opponent at this screen."""
    return match.spec.secret and not match.over and bool(people_at(match))


def insight_rows(insight: Insight, name: Callable[[int], str]) -> tuple[Row, ...]:
    """Return the rows of an insight: few actions in their own order, of many the likeliest first."""
    shares = [round(100 * float(share)) for share in insight.shares]
    if len(insight.parts) == 1:
        every = range(len(shares))
        shown = every if len(every) <= ROWS else heapq.nlargest(ROWS, every, shares.__getitem__)
        return tuple((name(index), shares[index]) for index in shown)
    rows, start = [], 0
    for place, length in enumerate(insight.parts[:ROWS], 1):
        part = shares[start : start + length]
        best = max(range(length), key=part.__getitem__)
        words = _("part {number}") if length == 1 else _("part {number}: {choice}")
        rows.append((words.format(number=place, choice=best), part[best]))
        start += length
    return tuple(rows)


def _paint_row(
    panel: pygame.Surface, theme: Theme, area: pygame.Rect, name: str, share: int, *, colour: Colour
) -> None:
    middle = area.centery
    theme.draw_text(panel, name, (area.left, middle), size=_SMALLER, anchor="midleft", width=area.w * 44 // 100)
    bar = pygame.Rect(area.left + area.w * 46 // 100, middle - area.h // 4, area.w * 34 // 100, area.h // 2)
    pygame.draw.rect(panel, theme.colours.raised, bar, border_radius=theme.px(3))
    full = bar.copy()
    full.w = max(theme.px(2), bar.w * share // 100)
    pygame.draw.rect(panel, colour, full, border_radius=theme.px(3))
    at, muted = (area.right, middle), theme.colours.muted
    theme.draw_text(panel, percent(share / 100), at, size=_SMALLER, colour=muted, anchor="midright")
