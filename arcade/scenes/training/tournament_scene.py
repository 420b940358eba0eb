"""Tournaments: choose a game, players and a format; then live standings."""

from __future__ import annotations

import math
from functools import partial

from agents.seats.controller import LEVELS
from agents.seats.kinds import parse_seat
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, Choice, Slider
from arcade.engine.ui.layout import Column, Grid, Row
from arcade.engine.ui.progress import ProgressBar
from arcade.engine.ui.tables import Column as Heading
from arcade.engine.ui.tables import DataTable
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games.spec import GameSpec
from arcade.language import N_, _, local_number, ngettext
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.ladder_texts import shown_cell
from arcade.session.seating import bots
from arcade.session.services import Services
from arcade.session.tournaments import TournamentJob
from arcade.tournaments.formats import FORMATS
from arcade.tournaments.standings import Place

SNAPSHOTS = 8
"""Snapshots that are offered, the newest."""

FIRST_GAMES, MOST_GAMES = 4, 40
"""Matches of each pairing."""

TITLES = {
    "round-robin": (N_("Everyone against everyone"), N_("Each pair meets equally often, in every seat")),
    "swiss": (N_("Swiss"), N_("Rounds against opponents with as many points, for many players")),
    "informative": (N_("Most informative"), N_("The pairs whose result says most about the ratings")),
}
"""Title and explanation of a format."""

HERE = N_("Rating here: from the matches of this tournament alone. The ladder counts all matches.")
POINTS = N_("Points")
COLUMNS = (
    ("", 0.2, True, 30.0), (N_("Player"), 2.5, False, 170.0), (POINTS, 0.6, True, 84.0),
    (N_("Rating here"), 1.0, True, 120.0), (N_("Matches"), 0.6, True, 84.0), (N_("Won"), 0.5, True, 60.0),
    (N_("Drawn"), 0.5, True, 70.0), (N_("Lost"), 0.5, True, 60.0),
)  # fmt: skip
"""Title, share, whether figures, and least width; points only in a format that counts them."""


class TournamentScene(Screen):
    """The form of a new tournament, or the standings of one."""

    heading = N_("Tournament")

    def __init__(self, services: Services, route: routes.Tournament) -> None:
        super().__init__(services, route)
        assert services.library.featured is not None
        self.game = route.game or services.library.featured
        self.job = route.job
        self.format, self.games = next(iter(FORMATS)), FIRST_GAMES
        self.chosen: set[str] = set(self.offered()[:2])
        self._table = DataTable((), wanted=10, key="standings")
        self._shown: object = None

    def offered(self) -> list[str]:
        """Return the players that can be chosen, as seat words."""
        names = self.services.library.names(self.game.id)[:SNAPSHOTS]
        levels = [f"level:{level}" for level in LEVELS] if self.game.has_levels or names else []
        return [*levels, *map(str, bots(self.game)), *(f"snapshot:{name}" for name in names)]

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.services.library.refresh_snapshots(self.game.id, done=self._listed)

    def body(self) -> Widget:
        return self._standings(self.job) if self.job is not None else self._form()

    def update(self, now: float) -> None:
        super().update(now)
        if self.job is None:
            return
        pointed = _counts_points(self.job)
        if (self.job.done, pointed) != self._shown:
            self._shown = self.job.done, pointed
            self.refresh()
        self._table.set_rows([self._row(place, one, pointed) for place, one in enumerate(self.job.table, 1)])

    # The form

    def _form(self) -> Widget:
        start = Button(
            _("Start tournament"), self._start, primary=True, enabled=not self._missing, key="start",
            hint=_("Every match is rated on the ladder"),
        )  # fmt: skip
        title = _("Game: {game}").format(game=_(self.game.title))
        games_route = routes.Games(self._choose_game, N_("Game of the tournament"))
        game = Button(title, lambda: self.engine.push(games_route), key="game")
        names = self.services.library.player_names(self.game)
        formats = [name for name, form in FORMATS.items() if form.is_listed]
        players: list[Widget] = [
            Button(
                names.of_choice(parse_seat(word)),
                partial(self._turn, word),
                chosen=word in self.chosen,
                key=word,
                hint=_("Takes part") if word in self.chosen else _("Does not take part"),
            )
            for word in self.offered()
        ]
        form = Choice(
            _("Format"), [_(TITLES[name][0]) if name in TITLES else name for name in formats],
            index=formats.index(self.format), change=lambda index: self._set_format(formats[index]),
            hint=_(TITLES.get(self.format, ("", ""))[1]),
        )  # fmt: skip
        games = Slider(
            _("Matches of each pair"), value=self.games, low=1, high=MOST_GAMES, step=1, show=_matches_words,
            change=self._set_games,
            hint=_("Each pair plays that many matches on each side; more make the ratings surer"),
        )  # fmt: skip
        return Column([
            Row([start, game]), Paragraph(lambda: self._missing, colour="warning") if self._missing else None,
            form, games, Paragraph(lambda: self._total, size=themes.SMALL, colour="muted"),
            Label(_("Players"), bold=True), Grid(players, cell=280, gap=8),
        ], gap=14)  # fmt: skip

    @property
    def _total(self) -> str:
        """How many matches will be played, "" where the format decides it on the way."""
        count, sides = len(self.chosen), len(self.game.teams)
        if self.format != next(iter(FORMATS)) or sides != 2 or self._missing:
            return ""
        matches = math.comb(count, 2) * sides * self.games
        return ngettext("{count} match in all", "{count} matches in all", matches).format(
            count=local_number(f"{matches:,}")
        )

    @property
    def _missing(self) -> str:
        """What the players lack for a tournament to begin, "" for nothing."""
        count = max(2, len(self.game.teams))
        if len(self.chosen) >= count:
            return ""
        text = ngettext("Choose at least {count} player to start", "Choose at least {count} players to start", count)
        return text.format(count=count)

    def _choose_game(self, game: GameSpec) -> None:
        self.game = game
        self.chosen = set(self.offered()[:2])
        self.services.library.refresh_snapshots(game.id, done=self._listed)
        self.refresh()

    def _turn(self, word: str) -> None:
        self.chosen ^= {word}
        self.refresh()

    def _set_format(self, name: str) -> None:
        self.format = name
        self.refresh()

    def _set_games(self, games: float) -> None:
        self.games = round(games)

    def _listed(self) -> None:
        if self.job is None and self.engine.scene is self:
            self.refresh()

    def _start(self) -> None:
        settings = {"format": self.format, "games": self.games}
        entrants = [word for word in self.offered() if word in self.chosen]
        self._follow(TournamentJob(self.game, entrants, settings=settings, shown=self._name))

    def _follow(self, job: TournamentJob) -> None:
        self.job, self._shown = job, None
        self.services.jobs.add(job)
        self.refresh()

    def _name(self, label: str) -> str:
        return self.services.library.player_names(self.game).of_label(label)

    # A tournament

    def _standings(self, job: TournamentJob) -> Widget:
        self._table.columns = tuple(
            Heading(_(title), share, figures, least) for title, share, figures, least in COLUMNS
            if title != POINTS or _counts_points(job)
        )  # fmt: skip
        self._table.empty = _("No match is finished yet")
        text = Paragraph(lambda: job.text)
        bar = None if job.done else ProgressBar(lambda: job.progress)
        here = Paragraph(_(HERE), size=themes.SMALL, colour="muted")
        head = Label(_(job.spec.title), bold=True)
        return Column([head, text, bar, Row(self._choices(job)), self._table, here], grow=1)

    def _choices(self, job: TournamentJob) -> list[Widget]:
        if not job.done:
            hint = _("The matches played so far stay on the ladder")
            return [Button(_("Cancel"), self._ask_to_cancel, danger=True, hint=hint)]
        ladder = Button(_("Ladder"), lambda: self.engine.push(routes.Ladder(job.spec.id)), hint=_("All ratings"))
        again = Button(_("New tournament"), self._renew, hint=_("Choose players again"))
        if job.result is None and job.id:
            resume = Button(_("Resume"), self._resume, primary=True, hint=_("Play the matches that are left"))
            return [resume, ladder, again]
        return [ladder, again]

    def _ask_to_cancel(self) -> None:
        assert self.job is not None
        question, detail = _("Cancel the tournament?"), _("The matches played so far stay on the ladder.")
        self.engine.push(routes.Confirm(question, detail, _("Cancel it"), self.job.cancel))

    def _resume(self) -> None:
        assert self.job is not None
        self._follow(TournamentJob(self.job.spec, resume=self.job.id, shown=self._name))

    def _renew(self) -> None:
        self.job = None
        self.refresh()

    def _row(self, number: int, place: Place, pointed: bool) -> list[str]:
        points = [local_number(f"{place.points or 0:g}")] if pointed else []
        counts = [local_number(f"{count:,}") for count in (place.matches, place.wins, place.draws, place.losses)]
        return [str(number), self._name(place.label), *points, _rating(place), *counts]


def _counts_points(job: TournamentJob) -> bool:
    return any(place.points is not None for place in job.table)


def _matches_words(games: float) -> str:
    """Return the matches of each pair: "4 on each side"."""
    return ngettext("{count} on each side", "{count} on each side", round(games)).format(count=round(games))


def _rating(place: Place) -> str:
    if place.rating is None:
        return local_number(f"{place.score:.4g}") if place.score is not None else ""
    return str(shown_cell(place.rating))
