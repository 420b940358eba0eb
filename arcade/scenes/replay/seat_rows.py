"""SeatRows: the player and the last action of each seat at the shown tick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pygame

from agents.seats.controller import AgentID
from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.lists import RowView
from arcade.engine.ui.theme import Colour, Theme
from arcade.games.scores import Points
from arcade.games.seat_colours import seat_colour
from arcade.language import N_, _
from arcade.scenes.hud.action_words import ActionWords
from arcade.session.player_names import PlayerNames
from arcade.session.recordings.replay_loading import LoadedReplay

PLENTY = 5
"""Seats up to which each has its lines to itself."""
_HANDS = {"keyboard": N_("keyboard"), "gamepad": N_("gamepad"), "mouse": N_("mouse"), "remote": N_("remote")}


@dataclass(frozen=True, slots=True)
class ReplaySeatRow:
    """The text of a seat."""

    agent: AgentID
    who: str  # the player
    does: str  # last action, or ""
    asked: str  # requested action if it differs, else ""
    fresh: bool  # the action is of this tick
    score: str  # of the team, in the row of its first seat


class SeatRows(RowView):
    """A column beside the picture; up, down and the wheel scroll it where there are more seats than room.

    `tick` returns the tick to show, `score` each team's score at it, `moves` the moves up to it in the game's notation,
    if it has one; `brief`: one line for each seat, to leave room below.
    """

    def __init__(
        self, loaded: LoadedReplay, tick: Callable[[], int], names: PlayerNames | None = None, *, brief: bool = False,
        score: Callable[[], Points] = tuple, moves: Callable[[], Sequence[str]] = tuple,
    ) -> None:  # fmt: skip
        count = len(loaded.spec.agents)
        self._large = count <= PLENTY and not brief
        super().__init__(rows=count, width=300, key="seats", grow=0 if brief else 1)
        self.label, self.hint = _("Seats"), _("Up, down: the other seats")
        self._score, self._moves = score, moves
        self._loaded, self._tick, self._names = loaded, tick, names or PlayerNames(loaded.spec)
        spaces = loaded.stage.spaces
        self._words = {agent: ActionWords(loaded.spec, agent, spaces[agent][1]) for agent in loaded.spec.agents}
        self._read: tuple[object, tuple[ReplaySeatRow, ...]] = ((), ())
        self.fit(count)

    def least(self, theme: Theme) -> int:
        return theme.px(240)

    @property
    def spoken(self) -> str:
        return self.label

    @property
    def can_focus(self) -> bool:
        """Whether rows are out of sight."""
        return self.room < self.count

    def rows_at(self, tick: int) -> tuple[ReplaySeatRow, ...]:
        """Return the visible rows at that tick; all rows of a hundred seats would cost too much."""
        agents, score = [self._loaded.spec.agents[row] for row in self.visible], self._score()
        if self._read[0] != (tick, agents, score):
            self._read = (tick, agents, score), tuple(self._row_of(agent, tick, score) for agent in agents)
        return self._read[1]

    def menu(self, event: MenuInput) -> bool:
        return self._scroll({"up": -1, "down": 1}.get(event.action, 0))

    def pointer(self, event: PointerInput) -> bool:
        return event.kind == "wheel" and self._scroll(-event.wheel)

    def _scroll(self, by: int) -> bool:
        before, self.top = self.top, self.top + by
        self._clamp()
        return self.top != before

    def _row_of(self, agent: AgentID, tick: int, score: Points) -> ReplaySeatRow:
        spec, team = self._loaded.spec, self._loaded.spec.team_of(agent)
        done, asked, when = self._loaded.timeline.action(agent, tick)
        source = self._loaded.replay.source_at(agent, max(0, when - 1) if done is not None else tick)
        words, how = self._words[agent], _("took over") if source.takeover else _(_HANDS.get(source.kind, source.kind))
        person = _("{player} ({device})").format(player=self._names.of_person(source.label), device=how)
        return ReplaySeatRow(
            agent=agent,
            who=person if source.human else self._names.of_source(source),
            does=self._notation(when) or (_(words.of(done)) if done is not None else ""),
            asked=_(words.of(asked)) if asked is not None else "",
            fresh=done is not None and when == tick,
            score=spec.score.number(score[team]) if score and spec.teams[team][0] == agent else "",
        )

    def _notation(self, tick: int) -> str:
        """Return the move that led to a tick as the game writes it; "" for none, and for games without notation."""
        moves = self._moves()
        return moves[tick - 1] if 0 < tick <= len(moves) else ""

    def _row_height(self, theme: Theme) -> int:
        line = theme.line_height(themes.SMALL)
        return 3 * line + theme.px(18) if self._large else line + theme.px(8)

    def draw_row(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, row: int) -> None:
        rows = self.rows_at(self._tick())
        if row - self.top < len(rows):
            draw = self._draw_large if self._large else self._draw_line
            draw(canvas, theme, area.inflate(-theme.px(16), 0), rows[row - self.top])

    def _draw_large(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, row: ReplaySeatRow) -> None:
        """Three lines: seat and score, player, action."""
        colour, px, line = self._colour(theme, row), theme.px, theme.line_height(themes.SMALL)
        pygame.draw.rect(canvas, colour, (area.left, area.top + px(10), px(5), area.h - px(20)), border_radius=px(2))
        left, top = area.left + px(14), area.top + px(9)
        width = area.right - left
        look: dict[str, Any] = {"size": themes.SMALL, "bold": True}
        score = theme.draw_text(canvas, row.score, (area.right, top), anchor="topright", **look)
        room = max(1, score.left - left - px(8))
        theme.draw_text(
            canvas, self._title(row), (left, top), size=themes.SMALL, colour=theme.colours.muted, width=room
        )
        theme.draw_text(canvas, row.who, (left, top + line), colour=colour, width=width, **look)
        self._draw_action(canvas, theme, pygame.Rect(left, top + 2 * line, width, line), row)

    def _draw_line(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, row: ReplaySeatRow) -> None:
        """One line: seat and action."""
        colour, px = self._colour(theme, row), theme.px
        pygame.draw.rect(canvas, colour, (area.left, area.top + px(3), px(5), area.h - px(6)), border_radius=px(2))
        half, at = area.w // 2, (area.left + px(12), area.centery)
        theme.draw_text(
            canvas, self._title(row), at, size=themes.SMALL, colour=theme.colours.muted, anchor="midleft",
            width=half - px(16),
        )  # fmt: skip
        self._draw_action(canvas, theme, pygame.Rect(area.left + half, area.top, half, area.h), row)

    def _draw_action(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, row: ReplaySeatRow) -> None:
        """The action, faint if it is old, and behind it the requested one."""
        look: dict[str, Any] = {"size": themes.SMALL, "anchor": "midleft"}
        ink = theme.colours.ink if row.fresh else theme.colours.faint
        at = area.left, area.centery
        done = theme.draw_text(canvas, row.does or "–", at, colour=ink, width=area.w, **look)
        room = area.right - done.right - theme.px(12)
        if row.asked and room > theme.px(40):
            words, at = _("asked: {action}").format(action=row.asked), (done.right + theme.px(12), area.centery)
            theme.draw_text(canvas, words, at, colour=theme.colours.warning, width=room, **look)

    def _title(self, row: ReplaySeatRow) -> str:
        return self._loaded.spec.seat_title(row.agent)

    def _colour(self, theme: Theme, row: ReplaySeatRow) -> Colour:
        return seat_colour(self._loaded.spec, row.agent, theme.colours.teams)
