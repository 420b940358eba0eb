"""The page of one game: its picture, how to play, whom one meets, records, and the ways on from there."""

from __future__ import annotations

from agents.seats.controller import SeatChoice
from arcade.engine.input.events import MenuInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Grid, Panel, Row
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games.strengths import measured
from arcade.language import N_, _, ngettext
from arcade.scenes import routes
from arcade.scenes.home.cards import TrainingStrip
from arcade.scenes.home.opponent_button import HIGH, OpponentButton
from arcade.scenes.home.preview import Preview
from arcade.scenes.match_start import open_match
from arcade.scenes.screen import LOW, Screen
from arcade.scenes.setup.controls_panel import controls_panel
from arcade.session.game_list import facts, opponent_text
from arcade.session.game_sheet import GameSheetReader
from arcade.session.match.strength_texts import level_text
from arcade.session.people import seat_choice_of
from arcade.session.seating import Seating, friend_lineup, last_lineup, open_seating
from arcade.session.services import Services

OPPONENT_KINDS = ("AI", "Trained AI", "Engines", "Bots")
"""Groups of players that the page names."""
FOLDED_SHOWN = 2
"""Players that are shown of a folded group: the newest snapshot and the strongest."""

AGAINST = N_("Begin at once: you play {seat}, against {others}")
TOGETHER = N_("Begin at once: you play {seat}, with {others}")


class GameScene(Screen):
    """Play begins at once, with the player in the first seat and the default opponent."""

    legend = (("start", N_("Play")), ("accept", N_("Choose")), ("back", N_("Back")))

    def __init__(self, services: Services, route: routes.Game) -> None:
        super().__init__(services, route)
        self.spec = route.spec
        self.heading = route.spec.title
        self._preview = Preview(services)
        self._reader = GameSheetReader(services, route.spec, self._refresh_on_top)
        services.setup.last_game = route.spec.id

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self._read()

    def resume(self) -> None:
        self._read()
        self.refresh()

    def leave(self) -> None:
        if self.services.preview is not None:
            self.services.preview.show(None, now=0.0)

    def start(self, event: MenuInput) -> None:
        self._play()

    def update(self, now: float) -> None:
        super().update(now)
        if self.engine.scene is self:
            self._preview.show(self.spec, now)

    # The page

    def actions(self) -> list[Widget]:
        is_on = self.services.shelf.is_favourite(self.spec.id)
        label = _("Favourite") if is_on else _("Add to favourites")
        rules = Button(_("How to play"), self._show_rules, key="rules", hint=_("The rules and the controls"))
        mark = Button(label, self._mark, chosen=is_on, key="favourite", hint=_("Favourites have a list of their own"))
        return [rules, mark]

    def body(self) -> Widget:
        picture = None if self.theme.page[1] < LOW else self._preview
        left = Column([self._buttons(), self._about(), picture], grow=3)
        right = Column([self._opponents(), self._record(), self._controls()], grow=2)
        if self.theme.page[1] < LOW:
            return Row([left, right], gap=24, align="start")
        beside = Panel(Scroll(right), padding=0, fill="", grow=2)  # the picture stays whole, however long the lists
        return Row([left, beside], gap=24, align="stretch", grow=1)

    def _buttons(self) -> Widget:
        spec, push = self.spec, self.engine.push
        play = Button(_("Play"), self._play, primary=True, height=60, size=themes.LARGE, grow=2, key="play",
                      hint=self._play_hint())  # fmt: skip
        seats = Button(_("Seats"), self._seats, height=60, grow=1, key="seats",
                       hint=_("Choose who plays: friends, AI of any level, snapshots"))  # fmt: skip
        friend = Button(_("With a friend"), self._play_with_friend, height=60, grow=1, key="friend",
                        hint=self._friend_hint()) if spec.seats > 1 else None  # fmt: skip
        more = [
            Button(_("Train me an opponent"), lambda: push(routes.TrainOpponent(spec)), key="train",
                   hint=_("AI learns the game here, while you play")),
            Button(self._recordings_label, lambda: push(routes.Recordings(spec.id)), key="recordings",
                   hint=_("Matches of this game, to replay")),
            Button(self._runs_label, lambda: push(routes.Runs(spec.id)), key="runs", hint=_("Trainings of this game")),
            Button(_("Ladder"), lambda: push(routes.Ladder(spec.id)), key="ladder", hint=_("Ratings of people and AI")),
            Button(_("Saved moments"), lambda: push(routes.SaveSlots(spec)), key="moments",
                   hint=_("Moments saved in matches, to continue from")) if self._reader.sheet.moments else None,
        ]  # fmt: skip
        strip = TrainingStrip(
            self._training_text, lambda: push(routes.TrainOpponent(spec)), hint=_("How the training goes")
        )
        return Column([Row([play, friend, seats]), Grid(more, cell=240, most=2, gap=8), strip], gap=8)

    def _training_text(self) -> str:
        """What the training of this game does, "" without one."""
        trainings, status = self.services.trainings, self.services.trainer_status
        own = trainings.of(self.spec.id) if trainings is not None else None
        if own is not None and not own.done:
            return own.text
        return self.services.trainer_text if status is not None and status.game == self.spec.id else ""

    def _recordings_label(self) -> str:
        count = self._reader.sheet.recordings
        if not count:
            return _("Recordings")
        return ngettext("{count} recording", "{count} recordings", count).format(count=count)

    def _runs_label(self) -> str:
        count = self._reader.sheet.runs
        return ngettext("{count} run", "{count} runs", count).format(count=count) if count else _("Training runs")

    def _about(self) -> Widget:
        words = [Label(facts(self.spec), size=themes.SMALL, colour="muted"), Paragraph(_(self.spec.summary))]
        return Column(words, gap=4)

    def _opponents(self) -> Widget:
        """Whom one meets by default, then all others: a press begins a match with one of them."""
        names, seating = self.services.library.player_names(self.spec), self._seating()
        is_met = seating.default in seating.lineup.values()  # not where others were chosen last time
        met = opponent_text(names, seating.default) if is_met else ""
        groups = [group for group in seating.groups(self.spec.agents[-1]) if group.title in OPPONENT_KINDS]
        lines: list[Widget] = []
        for group in groups:
            choices = group.choices[:FOLDED_SHOWN] if group.is_folded else group.choices
            buttons = [self._opponent(choice, names.of_choice(choice)) for choice in choices]
            lines += [Label(_(group.title), size=themes.SMALL, colour="muted"), Column(buttons, gap=6)]
        title = _("Opponents") if len(self.spec.teams) > 1 else _("Other players")
        if self.spec.seats == 1:
            return Column([])
        return _panel(title, [*([Paragraph(met)] if met else ()), *lines, *self._strengths()])

    def _strengths(self) -> list[Widget]:
        """The way to the measured strengths, where there are some."""
        spec = self.spec
        if spec.id not in measured():
            return []
        hint = _("How well each level of the AI plays, as measured")
        return [Button(_("How strong are they?"), lambda: self.engine.push(routes.Strengths(spec)), hint=hint,
                       size=themes.SMALL, height=HIGH, key="strengths")]  # fmt: skip

    def _opponent(self, choice: SeatChoice, name: str) -> Button:
        hint = _("Begin at once with {player}").format(player=name)
        strength = level_text(self.spec, self.spec.agents[-1], choice)
        return OpponentButton(name, lambda: self._play_with(choice), strength=strength, hint=hint, key=str(choice))

    def _record(self) -> Widget:
        """The player's matches, best scores and place on the ladder."""
        sheet = self._reader.sheet
        person = self.services.people.owner.name
        place = sheet.place.text if sheet.place is not None else ""
        lines = [*filter(None, (sheet.record_text, *sheet.best_texts, place))]
        words = lines or [_("No matches yet.")]
        return _panel(person, [Paragraph(text, size=themes.SMALL) for text in words])

    def _controls(self) -> Widget:
        lineup = {self.spec.agents[0]: self._person}
        panel = controls_panel(self.spec, lineup, self.engine.bindings, self.theme, is_named=False)
        return _panel(_("Controls"), [panel])

    # What it does

    @property
    def _person(self) -> SeatChoice:
        return seat_choice_of(self.engine.last_device.word)

    def _seating(self) -> Seating:
        """The seats of the last match of this game, else the default ones, with the present device in one."""
        services, spec = self.services, self.spec
        seating = open_seating(services, spec, last_lineup(services, spec, self._person))
        if self._person not in seating.lineup.values():
            seating = open_seating(services, spec)
            seating.join(self._person)
        return seating

    def _play_hint(self) -> str:
        seating, spec = self._seating(), self.spec
        names = self.services.library.player_names(spec)
        others = [names.of_choice(choice) for choice in seating.lineup.values() if choice != self._person]
        if not others:
            return _("Begin at once")
        seat = next(spec.seat_title(agent) for agent, choice in seating.lineup.items() if choice == self._person)
        against = len(spec.agents) == len(spec.teams) > 1
        words = AGAINST if against else TOGETHER
        return _(words).format(seat=seat, others=", ".join(dict.fromkeys(others)))

    def _play(self) -> None:
        open_match(self, routes.Match(self.spec, self._seating().lineup))

    def _friend_hint(self) -> str:
        lineup = friend_lineup(open_seating(self.services, self.spec), self._person)
        names = self.services.library.player_names(self.spec)
        people = [
            _("{seat}: {device}").format(seat=self.spec.seat_title(agent), device=names.of_seat(agent, lineup))
            for agent, choice in lineup.items()
            if choice.is_human
        ]
        return _("Two people, begin at once. {seats}").format(seats=", ".join(people))

    def _play_with_friend(self) -> None:
        self.engine.push(routes.Match(self.spec, friend_lineup(open_seating(self.services, self.spec), self._person)))

    def _play_with(self, choice: SeatChoice) -> None:
        """Begin with that player in every other seat."""
        lineup = {agent: one if one == self._person else choice for agent, one in self._seating().lineup.items()}
        open_match(self, routes.Match(self.spec, lineup))

    def _seats(self) -> None:
        self.engine.push(routes.Seats(self.spec, self.engine.last_device))

    def _show_rules(self) -> None:
        self.engine.push(routes.Controls(self.spec, {self.spec.agents[0]: self._person}))

    def _mark(self) -> None:
        self.services.shelf.mark(self.spec.id, not self.services.shelf.is_favourite(self.spec.id))
        self.refresh()

    def _read(self) -> None:
        self._reader.read()
        self.services.library.refresh_snapshots(self.spec.id, done=self._refresh_on_top)

    def _refresh_on_top(self) -> None:
        if self.engine.scene is self:
            self.refresh()


def _panel(title: str, lines: list[Widget]) -> Widget:
    return Panel(Column([Label(title, bold=True), *lines], gap=6), padding=16)
