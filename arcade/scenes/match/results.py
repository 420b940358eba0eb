"""Results: the verdict, the last picture, ratings and highlights, the next match; figures under Details."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pygame

from agents.ladder.ratings.views.rating_text import PROVISIONAL
from agents.seats.controller import AgentID, SeatChoice
from agents.seats.kinds import parse_seat
from arcade.engine.input.events import InputEvent, MenuInput
from arcade.engine.input.press_gate import PressGate
from arcade.engine.input.sources import prints
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Grid, Panel, Row
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.tabs import Tabs
from arcade.engine.ui.texts import Label, Paragraph, Picture
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games.seat_colours import seat_colour
from arcade.language import N_, _
from arcade.match.play.lineup import swapped_lineup
from arcade.scenes import routes
from arcade.scenes.pictograms.devices import icon
from arcade.scenes.recordings.actions import RecordingStrip
from arcade.scenes.screen import LOW, Screen
from arcade.session.match.series import Series
from arcade.session.player.suggestions import NextMatch
from arcade.session.result_texts import final_label, notes, ordinal, seat_text, summary, verdict
from arcade.session.score_texts import headline, return_text, seat_score
from arcade.session.services import Services

SHOWN = 8
"""Seats that are listed at most, the first places."""

PLACE, VERDICT = 76, 116
"""Width in units of "1st", "2nd" …, and of "Win" and "Loss"."""

DEVICE = 26
"""Height in units of the picture of a player's device."""

NEW_RATINGS = N_(
    "Ratings begin at 1500. While they are provisional, they change a lot from match to match; ± is the uncertainty."
)

PAGES = (N_("Result"), N_("Recording and details"))


class ResultsScene(Screen):
    """Owns the stage, which a rematch continues to use."""

    has_back = False
    reads_all = True
    legend = (("accept", N_("Choose")), ("next", N_("Details")), ("back", N_("Back")))
    strip: RecordingStrip
    gate: PressGate

    def __init__(self, services: Services, route: routes.Results) -> None:
        super().__init__(services, route)
        self.outcome, self._stage = route.outcome, route.stage
        self._picture, self._viewer, self._again = route.picture, route.viewer, route.again
        if self._picture is not None:
            self._picture.frames.whole = False
        self._branch, self._other_game = route.branch, route.other_game
        self._page = 0  # of PAGES
        series = self.outcome.series
        self._shown = services.library.player_names(self.outcome.spec).of_result(self.outcome.result)
        self.heading = headline(self.outcome.spec, self._shown, self.outcome.lineup)
        if series.winner is not None and series.best_of > 1:
            self.heading = _("{verdict}, and the best of {count}").format(verdict=self.heading, count=series.best_of)

    @property
    def listens(self) -> bool:
        return self.gate.is_open

    def update(self, now: float) -> None:
        super().update(now)
        self.gate.update()
        self.strip.update()

    def enter(self, engine: Host) -> None:
        self.gate = PressGate(engine.devices, engine.clock)
        self.strip = RecordingStrip(engine, self.services, self.outcome)
        self.outcome.changed = self._refresh_aloud
        super().enter(engine)
        result = self.outcome.result
        people = [str(agent) for agent, choice in self.outcome.lineup.items() if choice.is_human]
        won = any(result.placements[agent] == 1 for agent in people)
        engine.sound.play("win" if won or not people else "lose")

    def leave(self) -> None:
        self.outcome.changed = lambda: None
        if self._stage is not None:
            self.services.stages.free(self._stage)
            self._stage = None
        if self._picture is not None:
            self._picture.frames.forget()  # megabytes that the collector may find after minutes

    def _refresh_aloud(self) -> None:
        """Show what became known, such as the ratings, and read it."""
        before = self.texts
        self.refresh()
        self.engine.narrator.say(". ".join(text for text in self.texts if text not in before), interrupt=False)

    # The page

    def body(self) -> Widget:
        tabs = Tabs([_(title) for title in PAGES], index=self._page, turn=self.turn_to)
        page = self._details() if self._page else self._result()
        words = Column([self._ways_on(), tabs, page], gap=14, grow=1)
        if self._picture is None or self.theme.page[1] < LOW:
            return words
        picture = Panel(Picture(self._draw_picture, width=600, height=330, grow=1), padding=0, fill="well", grow=1)
        return Row([picture, Panel(Scroll(words), padding=0, fill="", grow=1)], gap=24, align="stretch", grow=1)

    def turn_to(self, page: int) -> None:
        """Show the result or its details."""
        self._page = page
        self.refresh()

    def handle(self, event: InputEvent) -> bool | None:
        if self._is_of_the_game(event):
            return None
        is_turn = isinstance(event, MenuInput) and event.action in ("next", "previous")
        if not is_turn:
            return super().handle(event)
        if self.listens:
            self.turn_to(1 - self._page)
            self.engine.narrator.say(". ".join([_(PAGES[self._page]), *self.texts]))
        return None

    def _is_of_the_game(self, event: InputEvent) -> bool:
        """Whether a key was meant for the match: no letter and no Space chooses anything after one with the keyboard.

        A player who has just lost sight of the ball may still press them seconds later; arrows and Enter remain.
        """
        with_keys = any(choice.kind == "keyboard" for choice in self.outcome.lineup.values())
        if not (
            with_keys and isinstance(event, MenuInput) and event.device.kind == "keyboard" and prints(event.source)
        ):
            return False
        if event.is_accept and self.listens:
            self.engine.say(self.engine.bindings.fill_in(_("Choose with the arrow keys and {enter}")))
        return True

    def draw_behind(self, canvas: pygame.Surface) -> None:
        super().draw_behind(canvas)
        if self._picture is not None and self.theme.page[1] < LOW:
            self._draw_picture(canvas, self.theme, canvas.get_rect())
            self.theme.dim(canvas, 215)

    def _draw_picture(self, canvas: pygame.Surface, theme: Theme, rect: pygame.Rect) -> None:
        assert self._picture is not None
        self._picture.draw(canvas, theme, rect, viewer=self._viewer)

    def _ways_on(self) -> Widget:
        spec, engine, next_series = self.outcome.spec, self.engine, self.outcome.series.next
        other = swapped_lineup(spec, self.outcome.lineup)
        ladder = routes.Ladder(spec.id)
        if self._again is not None:
            hint, games = _("With the same people, if they choose it too"), self._other_game
            return Grid([
                Button(_("Play again"), self._again, primary=True, hint=hint),
                Button(_("Another game"), lambda: engine.push(games), hint=_("The others join it with Play again"))
                if games is not None else None,
                Button(_("Ladder"), lambda: engine.push(ladder), hint=_("Ratings of players at this game")),
                Button(_("Home screen"), lambda: engine.reset_to(routes.Title()), hint=_("To the home screen")),
            ], cell=150, most=3, gap=8)  # fmt: skip
        entries: tuple[tuple[str, Callable[[], object], str], ...] = (
            (self._next_words, lambda: self._play(self.outcome.lineup, next_series()), _("The same seats once more")),
            (_("Swap sides"), lambda: self._play(other, next_series().swapped()), _("Again, with the sides changed")),
            (_("Change players"), self._seats, _("Choose who plays next")),
            (_("All games"), self._games, _("Choose another game")),
            (_("Ladder"), lambda: engine.push(ladder), _("Ratings of players at this game")),
            (_("Home screen"), lambda: engine.reset_to(routes.Title()), _("To the home screen")),
        )
        buttons = [
            Button(words, press, primary=not place, hint=hint) for place, (words, press, hint) in enumerate(entries)
        ]
        buttons[1].enabled = other is not None
        if self._branch is not None:
            hint = _("Play from the same moment once more")
            buttons[0].primary = False
            buttons.insert(0, Button(_("This moment again"), self._play_moment, primary=True, hint=hint))
        return Grid(buttons, cell=150, most=3, gap=8)

    @property
    def _next_words(self) -> str:
        goes_on = self.outcome.series.best_of > 1 and self.outcome.series.winner is None
        return _("Next match") if goes_on else _("Rematch")

    def _result(self) -> Widget:
        after, ratings = self.outcome.after, self.outcome.ratings
        warning = ratings.warning if ratings is not None else ""
        lines, following = (after.lines, after.next) if after is not None else ((), ())
        following = following if self._again is None else ()
        more = [self._suggestion(one) for one in following]
        return Column([
            Label(self.outcome.series.text, colour="muted") if self.outcome.series.text else None,
            Paragraph(warning, colour="warning") if warning else None,
            Paragraph(self.outcome.why) if self.outcome.why else None,
            Paragraph(notes(self.outcome.result), size=themes.SMALL, colour="muted") if not self._is_rated else None,
            *(Paragraph(f"★  {line}", colour="yellow", bold=True) for line in lines),
            *(self._seat_row(agent) for agent in self._ranked[:SHOWN]),
            Paragraph(_(NEW_RATINGS), size=themes.SMALL, colour="muted") if self._has_new_ratings else None,
            *([Label(_("What to play next"), size=themes.SMALL, colour="faint"), *more] if more else ()),
        ], gap=8)  # fmt: skip

    def _suggestion(self, one: NextMatch) -> Widget:
        return Column([
            Paragraph(one.text, size=themes.SMALL),
            Button(_("Play {game}").format(game=_(one.spec.title)), lambda: self._play_next(one), hint=one.text),
        ], gap=4)  # fmt: skip

    @property
    def _has_new_ratings(self) -> bool:
        """Whether a rating here is provisional."""
        texts = self.outcome.ratings.texts.values() if self.outcome.ratings is not None else ()
        return self._is_rated and any(_(PROVISIONAL) in text for text in texts)

    @property
    def _is_rated(self) -> bool:
        return self.outcome.result.rated

    @property
    def _ranked(self) -> list[AgentID]:
        return sorted(self.outcome.spec.agents, key=lambda agent: self.outcome.result.placements[str(agent)])

    def _seat_row(self, agent: AgentID) -> Widget:
        """Place, device, player and score; below the seat and the rating."""
        spec, name, ratings = self.outcome.spec, str(agent), self.outcome.ratings
        place = self._shown.placements[name]
        rating = "…" if ratings is None else ratings.texts.get(name) or _("not rated")
        below = "   ·   ".join((_(spec.seat_title(agent)), *([rating] if self._is_rated else ())))
        return Row([
            self._stripe(agent),
            self._place(place, name) if len(spec.teams) > 1 else None,
            self._device(agent) if agent in self.outcome.lineup else None,
            Column([
                Label(final_label(self._shown, name), bold=place == 1),
                Label(below, size=themes.SMALL, colour="muted"),
            ], gap=0, grow=1),
            Label(seat_score(spec, self._shown, agent), size=themes.LARGE, bold=True),
        ], stacks=False)  # fmt: skip

    def _place(self, place: int, name: str) -> Widget:
        """Return the place, as wide for each, so that the names below each other begin at one edge."""
        is_duel = len(self.outcome.spec.teams) == 2
        words = verdict(self._shown, name) if is_duel else ordinal(place)
        return Panel(Label(words, bold=place == 1), padding=0, fill="", width=VERDICT if is_duel else PLACE)

    def _device(self, agent: AgentID) -> Widget:
        choice, lineup = self.outcome.lineup[agent], self.outcome.lineup

        def picture_of(theme: Theme, choice: SeatChoice) -> pygame.Surface:
            return icon(theme, choice, size=theme.px(24), colour=theme.colours.muted)

        def paint(canvas: pygame.Surface, theme: Theme, rect: pygame.Rect) -> None:
            picture = picture_of(theme, choice)
            canvas.blit(picture, picture.get_rect(center=rect.center))

        widest = max(picture_of(self.theme, one).get_width() for one in lineup.values()) / self.theme.unit
        return Picture(paint, width=max(44, widest), height=DEVICE, least=max(44, widest))

    def _stripe(self, agent: AgentID) -> Widget:
        def paint(canvas: pygame.Surface, theme: Theme, rect: pygame.Rect) -> None:
            colour = seat_colour(self.outcome.spec, agent, theme.colours.teams)
            pygame.draw.rect(canvas, colour, rect, border_radius=theme.px(3))

        return Picture(paint, width=7, height=44, least=7)

    def _details(self) -> Widget:
        spec, result = self.outcome.spec, self.outcome.result
        texts = [summary(spec, result), notes(result)]
        for agent in self._ranked:
            parts = (return_text(self._shown, str(agent)), seat_text(self._shown, str(agent)))
            texts.append(f"{_(spec.seat_title(agent))}:  " + "  ·  ".join(filter(None, parts)))
        return Column([
            self.strip.body() if self.outcome.is_recorded else None,
            *(Paragraph(text, size=themes.SMALL, colour="muted") for text in texts if text),
        ], gap=8)  # fmt: skip

    # The next match

    def _play(self, lineup: Mapping[AgentID, SeatChoice] | None, series: Series) -> None:
        stage, self._stage = self._stage, None
        self.engine.replace(routes.Match(self.outcome.spec, lineup or {}, stage, series))

    def _play_moment(self) -> None:
        """Play from the moment that the match began at."""
        stage, self._stage = self._stage, None
        series = self.outcome.series.next()
        branch = replace(self._branch, attempt=self._branch.attempt + 1) if self._branch is not None else None
        self.engine.replace(routes.Match(self.outcome.spec, self.outcome.lineup, stage, series, branch))

    def _play_next(self, one: NextMatch) -> None:
        """Play the suggestion: this game with AI of its level in place of the AI here, or another game."""
        if one.spec.id != self.outcome.spec.id:
            self.engine.pop()
            self.engine.return_to(routes.Seats(one.spec))
            return
        opponent = parse_seat(one.opponent) if one.opponent else None
        lineup = {
            agent: choice if choice.is_human or opponent is None else opponent
            for agent, choice in self.outcome.lineup.items()
        }
        self._play(lineup, self.outcome.series.next())

    def _seats(self) -> None:
        self.engine.pop()
        self.engine.return_to(routes.Seats(self.outcome.spec))

    def _games(self) -> None:
        self.engine.reset_to(routes.Title())
        self.engine.push(routes.Games())
