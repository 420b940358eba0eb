"""Results: who came where, what it did to the ratings, and what next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pygame

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host
from arcade.match.play.sides import swapped_lineup
from arcade.scenes import routes
from arcade.scenes.pictograms.devices import icon
from arcade.scenes.recordings.editor import STRIP, RecordingStrip
from arcade.scenes.screen import Screen
from arcade.session.match.series import Series
from arcade.session.result_texts import final_label, headline, notes, ordinal, seat_words, summary
from arcade.session.services import Services

TABLE = pygame.Rect(theme.MARGIN, 190, 1200, 46)
SHOWN = 7
FEW = 4
"""Seats up to which each has a second line: how it was played."""

COLUMNS = (("", 24), ("Player", 110), ("Seat", 560), ("Return", 760), ("Elo", 900))
"""Heading and how far from the table's left."""

DETAIL = 1060
"""Pixels of the second line of a seat."""


class ResultsScene(Screen):
    """Owns the stage that a rematch can go on with."""

    read_first = True
    grace = 0.5
    strip: RecordingStrip

    def __init__(self, services: Services, route: routes.Results) -> None:
        super().__init__(services, route)
        self.outcome, self._stage = route.outcome, route.stage
        self._picture, self._viewer = route.picture, route.viewer
        if self._picture is not None:
            self._picture.whole = False
        series = self.outcome.series
        decided = "" if series.winner is None or series.best_of == 1 else f" the best of {series.best_of}"
        self.heading = headline(self.outcome.spec, self.outcome.result, self.outcome.lineup) + decided

    def enter(self, engine: Host) -> None:
        self.strip = RecordingStrip(engine, self.services, self.outcome)
        self.outcome.changed = self.refresh
        super().enter(engine)
        result = self.outcome.result
        people = [str(agent) for agent, choice in self.outcome.lineup.items() if choice.is_human]
        won = any(result.placements[agent] == 1 for agent in people)
        engine.sound.play("win" if won or not people else "lose")

    def leave(self) -> None:
        if self._stage is not None:
            self.services.stages.free(self._stage.stage)
            self._stage = None

    def widgets(self) -> list[Widget]:
        rects = [pygame.Rect(theme.MARGIN + place * 202, 600, 190, 60) for place in range(6)]
        other = swapped_lineup(self.outcome.spec, self.outcome.lineup)
        return [
            Button(rects[0], self._next_words, self._rematch, primary=True, hint="The same seats once more"),
            Button(
                rects[1], "Swap sides", self._swap, enabled=other is not None,
                hint="Once more, everybody in the next team's seats",
            ),
            Button(rects[2], "Seats", self._seats, hint="Choose who sits where"),
            Button(rects[3], "Games", self._games, hint="Choose another game"),
            Button(rects[4], "Ladder", self._ladder, hint="Who is how strong at this game"),
            Button(rects[5], "Title", self._title, hint="To the title"),
            *self.strip.widgets(),
        ]  # fmt: skip

    @property
    def _next_words(self) -> str:
        return "Next match" if self.outcome.series.best_of > 1 and self.outcome.series.winner is None else "Rematch"

    def draw_page(self, canvas: pygame.Surface) -> None:
        words = "  ·  ".join(
            part for part in (summary(self.outcome.spec, self.outcome.result), self.outcome.series.words) if part
        )
        theme.draw_text(canvas, words, (theme.MARGIN, 88), colour=theme.MUTED, width=1200)
        warning = self.outcome.ratings.warning if self.outcome.ratings is not None else ""
        look: dict[str, Any] = {"size": theme.SMALL, "colour": theme.WARNING if warning else theme.FAINT}
        theme.draw_text(canvas, warning or notes(self.outcome.result), (theme.MARGIN, 116), width=1200, **look)
        area = pygame.Rect(TABLE.left, TABLE.top - 44, TABLE.w, 56 + self._pitch * min(SHOWN, self.outcome.spec.seats))
        theme.draw_panel(canvas, area)
        for words, left in COLUMNS:
            at = (TABLE.left + left, TABLE.top - 22)
            words = "Ladder" if words == "Elo" and len(self.outcome.spec.teams) == 1 else words
            theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.FAINT, anchor="midleft")
        for place, agent in enumerate(self._ranked()[:SHOWN]):
            self._draw_row(canvas, TABLE.move(0, place * self._pitch), agent)
        room = pygame.Rect(TABLE.left, area.bottom + 16, TABLE.w, STRIP.top - 12 - area.bottom - 16)
        if room.h > 100 and self._picture is not None:
            self._picture.draw(canvas, room, viewer=self._viewer)
        if self.outcome.spec.seats > SHOWN:
            words, at = f"and {self.outcome.spec.seats - SHOWN} more seats", (TABLE.right - 24, TABLE.top - 22)
            theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.FAINT, anchor="midright")
        self.strip.draw(canvas)

    @property
    def _pitch(self) -> int:
        """From one row's top to the next."""
        return TABLE.h + (24 if self.outcome.spec.seats <= FEW else 0)

    def _draw_row(self, canvas: pygame.Surface, row: pygame.Rect, agent: AgentID) -> None:
        name, result = str(agent), self.outcome.result
        colour = theme.team_colour(self.outcome.spec.team_of(agent))
        pygame.draw.rect(canvas, colour, (row.left, row.top + 8, 7, self._pitch - 16))
        place = result.placements[name]
        cells = (
            ordinal(place) if len(self.outcome.spec.teams) > 1 else "",
            final_label(result, name),
            name,
            f"{result.returns[name]:g}" if abs(result.returns[name]) >= 100 else f"{result.returns[name]:.3g}",
            self._rating_words(name),
        )
        edges = [left for _, left in COLUMNS] + [TABLE.w]
        for words, left, right in zip(cells, edges, edges[1:], strict=False):
            at = (row.left + left, row.centery)
            theme.draw_text(canvas, words, at, bold=place == 1, anchor="midleft", width=right - left - 16)
        if agent in self.outcome.lineup:
            device = icon(self.outcome.lineup[agent], size=28, colour=theme.MUTED)
            canvas.blit(device, device.get_rect(midright=(row.left + COLUMNS[2][1] - 16, row.centery)))
        if self.outcome.spec.seats <= FEW:
            at = (row.left + COLUMNS[1][1], row.bottom + 6)
            words = seat_words(result, name, fits=_fits)
            theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.MUTED, anchor="midleft", width=DETAIL)

    def _rating_words(self, agent: str) -> str:
        if self.outcome.ratings is None:
            return "…"
        standing = self.outcome.ratings.of.get(agent)
        return (standing.words if standing else "") or "not rated"

    def _ranked(self) -> list[AgentID]:
        return sorted(self.outcome.spec.agents, key=lambda agent: self.outcome.result.placements[str(agent)])

    def _rematch(self) -> None:
        self._play(self.outcome.lineup, self.outcome.series.next())

    def _swap(self) -> None:
        lineup = swapped_lineup(self.outcome.spec, self.outcome.lineup)
        if lineup is not None:
            self._play(lineup, self.outcome.series.next().swapped())

    def _play(self, lineup: Mapping[AgentID, SeatChoice], series: Series) -> None:
        stage, self._stage = self._stage, None
        self.engine.replace(routes.Match(self.outcome.spec, lineup, stage, series))

    def _seats(self) -> None:
        self.engine.pop()
        self.engine.return_to(routes.Seats(self.outcome.spec))

    def _games(self) -> None:
        self.engine.reset_to(routes.Title())
        self.engine.push(routes.Games())

    def _ladder(self) -> None:
        self.engine.push(routes.Ladder(self.outcome.spec.id))

    def _title(self) -> None:
        self.engine.reset_to(routes.Title())


def _fits(words: str) -> bool:
    return theme.text(words, size=theme.SMALL).get_width() <= DETAIL
