"""Profile: a person's matches, ratings over time and achievements."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.charts import Line, LineChart
from arcade.engine.ui.controls import Button, Choice
from arcade.engine.ui.layout import Column, Grid, Panel, Row
from arcade.engine.ui.progress import ProgressBar
from arcade.engine.ui.tables import Column as TableColumn
from arcade.engine.ui.tables import DataTable
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screen import TabbedScreen, TabPage
from arcade.session.ladder_texts import FEW_MATCHES
from arcade.session.people import LONGEST, Person
from arcade.session.player.achievements import Progress
from arcade.session.player.book import PlayerSheet
from arcade.session.player.profile import (
    achievement_text,
    earned_text,
    figures,
    game_row,
    matches_left_out,
    rated_games,
    rating_points,
    rating_text,
)
from arcade.session.services import Services

COLUMNS = (
    (N_("Game"), 2.2, False, 180), (N_("Matches"), 1, True, 90), (N_("Won"), 1, True, 80), (N_("Drawn"), 1, True, 80),
    (N_("Lost"), 1, True, 80), (N_("Longest streak"), 1.3, True, 140), (N_("Best score"), 1.2, True, 110),
)  # fmt: skip
"""Title, share of the width, whether it holds figures, least width in units."""


class ProfilePage(TabPage):
    """A page of one person; `show` builds it for what is known."""

    def __init__(self, scene: ProfileScene) -> None:
        self.scene = scene

    def body(self) -> Widget:
        sheet = self.scene.sheet
        if sheet is None:
            return Paragraph(self.scene.waiting, colour="muted")
        return self.show(sheet)

    def show(self, sheet: PlayerSheet) -> Widget:
        """Make the widgets."""
        raise NotImplementedError


class MatchesPage(ProfilePage):
    """Totals, then each game."""

    title, hint = N_("Matches"), N_("Your matches by game")

    def show(self, sheet: PlayerSheet) -> Widget:
        history, title = sheet.history, self.scene.title_of
        cells = [_figure(words, number) for words, number in figures(history)]
        games = [game for game, totals in history.by_game.items() if totals.played]
        rows = [game_row(title(game), history.by_game[game]) for game in games]
        columns = [TableColumn(_(words), share, right, least) for words, share, right, least in COLUMNS]
        table = DataTable(
            columns, rows, empty=_("No matches yet: play one to its end."),
            press=lambda row: self.scene.show_ratings(games[row]), hint=_("Press to see your rating in this game"),
        )  # fmt: skip
        others = matches_left_out(history, self.scene.services.shelf.unrated(history.name))
        return Column([
            Grid(cells, cell=150, most=6), table,
            Paragraph(others, size=themes.SMALL, colour="muted") if others else None,
        ], gap=16, grow=1)  # fmt: skip


class RatingsPage(ProfilePage):
    """The rating in one game, after each match."""

    title, hint = N_("Ratings"), N_("Your strength over time")

    def __init__(self, scene: ProfileScene) -> None:
        super().__init__(scene)
        self.game = ""  # chosen; "": the one played last

    def show(self, sheet: PlayerSheet) -> Widget:
        games = rated_games(sheet.ratings, self.scene.services.library.games)
        if not games:
            return Paragraph(_("No ratings yet: matches against others count."), colour="muted")
        index = next((place for place, spec in enumerate(games) if spec.id == self.game), 0)
        spec, titles = games[index], [_(one.title) for one in games]
        chosen = Choice(
            _("Game"), titles, index=index, change=lambda place: self._choose(games[place]), key="game", grow=1
        )
        courses = sheet.ratings[spec.id]
        lines = [
            Line(name if len(courses) > 1 else "", rating_points(moments), number)
            for number, (name, moments) in enumerate(courses.items())
        ]
        runs = Button(_("Training runs"), lambda: self.scene.show_runs(spec.id), hint=_("Trainings of this game"))
        now = [Label(rating_text(moments[-1].rating), size=themes.LARGE, bold=True) for moments in courses.values()]
        text = _("Everyone begins at 1500; a win raises it, most of all against a strong player. ± is the uncertainty.")
        return Column([
            Row([chosen, runs]), Row(list(now)),
            LineChart(_("Rating after each match"), lines, show="{:.0f}".format, few=FEW_MATCHES),
            Paragraph(text, size=themes.SMALL, colour="muted"),
        ], grow=1)  # fmt: skip

    def _choose(self, spec: GameSpec) -> None:
        self.game = spec.id
        self.scene.refresh()


class AchievementsPage(ProfilePage):
    """All achievements, the earned ones first."""

    title, hint = N_("Achievements"), N_("What you have done, and what is left")

    def show(self, sheet: PlayerSheet) -> Widget:
        ordered = sorted(sheet.achievements, key=lambda one: not one.is_earned)
        cards = [AchievementCard(one) for one in ordered]
        return Column([Label(earned_text(sheet.achievements), colour="muted"), Grid(cards, cell=300, most=3)], grow=1)


class AchievementCard(Panel):
    """One achievement with its progress; takes the focus, so that the page scrolls along."""

    focusable = True

    def __init__(self, progress: Progress) -> None:
        one, share = progress.achievement, progress.done / max(1, progress.goal)
        self._state = achievement_text(progress)
        counts = progress.goal > 1 and not progress.is_earned
        super().__init__(Column([
            Label(_(one.title), bold=True, colour="ink" if progress.is_earned else "muted"),
            Paragraph(_(one.how), size=themes.SMALL, colour="muted"),
            ProgressBar(lambda: share, width=280) if counts else None,
            Label(self._state, size=themes.SMALL, colour="green" if progress.is_earned else "muted"),
        ], gap=4), padding=14, fill="raised" if progress.is_earned else "panel",
            edge="green" if progress.is_earned else "")  # fmt: skip
        self.label = _(one.title)
        self.hint = _(one.how)

    @property
    def spoken(self) -> str:
        return ", ".join(filter(None, (self.label, self._state)))

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        super().draw(canvas, theme)
        if self.focused:
            theme.draw_focus(canvas, self.rect)


class ProfileScene(TabbedScreen[ProfilePage]):
    """The owner of this arcade, or the person named by the route; they are turned by the button of their name."""

    heading = N_("Profile")

    def __init__(self, services: Services, route: routes.Profile) -> None:
        super().__init__(services, route)
        self.name = route.name or services.people.owner.name
        self.sheet = services.players.sheets.get(self.name)
        self.ratings = RatingsPage(self)
        self.pages = (MatchesPage(self), self.ratings, AchievementsPage(self))
        self.page = self.pages[0]

    @property
    def waiting(self) -> str:
        """What is shown before the matches are read."""
        trouble = self.services.players.trouble
        return _("The ladder cannot be read: {reason}").format(reason=trouble) if trouble else _("Reading …")

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self._read()

    def resume(self) -> None:
        self._read()

    def actions(self) -> list[Widget]:
        turn = Button(self.name, self._next_person, hint=_("The next person of this arcade"), key="person")
        rename = Button(_("Change name"), self._ask_name, hint=_("Shown in matches, results and on the ladder"))
        return [*([turn] if len(self.people) > 1 else [Label(self.name, size=themes.LARGE)]), rename]

    @property
    def people(self) -> Sequence[str]:
        """The owner, then the others."""
        return list(dict.fromkeys([self.services.people.owner.name, *(one.name for one in self.services.people)]))

    def title_of(self, game: str) -> str:
        """The title of a game, or its id where it is not installed."""
        spec = self.services.library.find(game)
        return _(spec.title) if spec is not None else game

    def show_ratings(self, game: str) -> None:
        """Show the rating in a game."""
        self.ratings.game = game
        self.turn_to(self.ratings)

    def show_runs(self, game: str) -> None:
        """Show the trainings of a game."""
        self.engine.push(routes.Runs(game))

    def _next_person(self) -> None:
        people = self.people
        self._show(people[(people.index(self.name) + 1) % len(people)] if self.name in people else people[0])

    def _show(self, name: str) -> None:
        self.name, self.sheet = name, self.services.players.sheets.get(name)
        self.refresh()
        self._read()

    def _read(self) -> None:
        def show(sheet: PlayerSheet) -> None:
            if sheet.history.name == self.name and self in self.engine.scenes:  # else the window closes
                self.sheet = sheet
                self.refresh()

        self.services.players.read(self.name, show)

    def _ask_name(self) -> None:
        hint = _("Up to {count} characters").format(count=LONGEST)
        self.engine.push(routes.EnterText(_("Your name"), self.name, self._rename, LONGEST, hint))

    def _rename(self, name: str) -> None:
        people, before = self.services.people, self.name
        known = people.find(before)
        if known is not None:
            people.put(Person(name, known.recorded), instead_of=before)
        if before == people.owner.name:
            Person(name)  # raises PersonError
            self.engine.apply(self.engine.settings.changed(player_name=name))
        self._show(name)


def _figure(words: str, number: str) -> Panel:
    return Panel(Column([
        Label(number, size=themes.LARGE, bold=True, align="centre"),
        Label(words, size=themes.SMALL, colour="muted", align="centre"),
    ], gap=2), padding=12)  # fmt: skip
