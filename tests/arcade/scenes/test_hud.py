"""What a match shows: its pieces, each on its own; told once and painted only when it changes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pygame
import pytest
from gymnasium.spaces import Discrete, MultiDiscrete

from agents.seats.controller import Controller, Insight, SeatChoice
from agents.seats.kinds import parse_seat
from arcade.engine.ui.theme import Theme
from arcade.games import find_game, games
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from arcade.scenes.hud.bars import TopBar
from arcade.scenes.hud.hud import Hud
from arcade.scenes.hud.insight_panel import ROWS, InsightPanel, insight_rows
from arcade.scenes.hud.piece import Facts
from arcade.scenes.hud.pieces import (
    PATIENCE,
    PIECES,
    ClockPiece,
    RatePiece,
    TurnPiece,
)
from arcade.scenes.hud.starting import StartingCard
from arcade.session.match.launch import Launched
from arcade.session.match.monitor import MatchMonitor
from arcade.session.people import People, Person
from arcade.session.player_names import PlayerNames
from arcade.session.settings import Settings
from tests.support.counting_games import counting_spec


class Thinker(Controller):
    """Plays 1 and says how sure it is."""

    label = "thinker"

    def __init__(self, shares: list[float], *, value: float | None = None) -> None:
        self.shares, self.value = shares, value

    def observe(self, turn) -> None:
        pass

    def act(self) -> int:
        return 1

    def insight(self) -> Insight:
        return Insight(shares=self.shares, parts=(len(self.shares),), value=self.value)


@pytest.fixture
def match(sit) -> Match:
    """Two that think, on a clock by hand; the engine is there for its fonts."""
    sit()
    mapping = {agent: Thinker([0.1, 0.6, 0.2, 0.1], value=0.5) for agent in ("ann", "bob")}
    made = Match(LocalStage(counting_spec()), mapping, seed=1, rate=10.0, clock=lambda: 0.0)
    made.start()
    made.advance(0.0)
    return made


@pytest.fixture
def facts(match) -> Facts:
    lineup = {"ann": SeatChoice("keyboard", "wasd"), "bob": SeatChoice("snapshot", "latest")}
    return Facts(match.spec, lineup, Launched(match, MatchMonitor()))


def play(match: Match, seconds: float, *, a_second: float, start: float) -> float:
    """Advance so many times a second, and return when that was over."""
    for turn in range(round(seconds * a_second)):
        match.advance(start + turn / a_second)
    return start + seconds


def drawn(bar: TopBar, settings: Settings) -> set[tuple[int, int]]:
    """The places on which the bar draws something."""
    canvas, theme = pygame.Surface((1280, 720)), Theme(scale=settings.ui_scale)
    canvas.fill((1, 2, 3))
    bar.show(canvas, theme, settings, pygame.Rect(0, 0, 1280, bar.height(theme, settings)))
    pixels = pygame.surfarray.array3d(canvas)
    return set(map(tuple, np.argwhere((pixels != (1, 2, 3)).any(axis=2)).tolist()))


def test_each_piece_can_be_turned_off_alone_and_takes_nothing_else_along(facts) -> None:
    bar = TopBar(facts)
    everything = drawn(bar, Settings())
    off = {}
    for piece in ("scores", "clock", "lineup"):
        off[piece] = everything - drawn(bar, Settings(hud={piece: False}))
    assert all(len(gone) > 50 for gone in off.values()), {piece: len(gone) for piece, gone in off.items()}
    assert not off["scores"] & off["clock"] | off["clock"] & off["lineup"]
    nothing = Settings(hud={piece.name: False for piece in PIECES})
    assert not drawn(bar, nothing)
    assert bar.height(Theme(), nothing) == 0


def test_larger_text_grows_and_still_stands_inside_the_bar(facts) -> None:
    bar, sizes = TopBar(facts), []
    for scale in (1.0, 2.0, 3.0):
        settings = Settings(ui_scale=scale)
        places = drawn(bar, settings)
        assert max(y for _, y in places) < bar.height(Theme(scale=scale), settings) <= 168
        sizes.append(len(places))
    assert sizes == sorted(sizes)


def test_a_piece_is_painted_only_when_what_it_tells_changes(facts, match) -> None:
    bar, settings = TopBar(facts), Settings()
    canvas, theme = pygame.Surface((1280, 720)), Theme()
    at = 0.0
    for _ in range(30):
        at = play(match, 0.1, a_second=20, start=at)
        bar.show(canvas, theme, settings, pygame.Rect(0, 0, 1280, bar.height(theme, settings)))
    assert match.tick.index >= 25
    assert bar.lineups[0][0].paints <= 2  # a score of two digits takes some of its room
    assert bar.scores[0][0].paints > 20
    assert bar.middle[0].paints <= 4  # it shows whole seconds


def test_a_game_that_cannot_keep_its_rate_says_so_and_stops_when_it_can(facts, match) -> None:
    got = 41.3
    clock = SimpleNamespace(rate=60.0, rate_now=lambda now: got)
    slow = SimpleNamespace(clock=clock, paused=False, over=False, rewinding=False, is_waiting=False)
    rate = RatePiece(SimpleNamespace(match=slow, spec=match.spec))

    def told(start: float) -> list[str | None]:
        words = []
        for turn in range(61):
            rate.update(start + turn / 10)
            words.append(rate.content())
        return words

    words = told(0.0)
    assert words[: int(PATIENCE * 10)] == [None] * int(PATIENCE * 10)  # one slow moment is no slow game
    assert words[-1] == (41, 60)
    slow.paused, got = True, 59.5
    assert told(7.0) == [None] * 61  # the pause menu is no slow game
    slow.paused = False
    got = 61.2
    words = told(14.0)
    assert words[0] == (41, 60)  # while it stood nothing was known of its rate; and not 61 of 60
    assert words[-1] is None
    got = 20.0
    assert told(21.0)[-1]
    clock.rate = 15.0
    assert told(28.0)[0] is None  # at another speed nothing is slow yet
    clock.rate, got = 60.0, 2.0
    slow.is_waiting = True
    assert told(35.0) == [None] * 61  # another machine is absent, and this one is not slow
    slow.is_waiting = False
    assert told(42.0)[-1] == (2, 60)


def test_what_a_machine_thinks_is_shown_in_the_words_of_the_game() -> None:
    few = Insight(shares=[0.1, 0.6, 0.3], parts=(3,), value=-0.25)
    assert insight_rows(few, lambda index: ["nothing", "up", "down"][index]) == (
        ("nothing", 10),
        ("up", 60),
        ("down", 30),
    )
    many = Insight(shares=[0.01] * 50 + [0.5], parts=(51,))
    rows = insight_rows(many, str)
    assert rows[0] == ("50", 50)
    assert len(rows) == ROWS
    parts = Insight(shares=[0.2, 0.8, 0.7, 0.3], parts=(2, 2))
    assert insight_rows(parts, str) == (("part 1: 1", 80), ("part 2: 0", 70))
    assert insight_rows(Insight(value=1.0), str) == ()


def test_a_mind_tells_its_value_and_a_seat_without_one_shows_nothing(facts, match) -> None:
    panel = InsightPanel(facts, "ann")
    label, notes, rows = panel.content()
    assert (label, notes, [share for _, share in rows]) == ("thinker", ("expects +0.50",), [10, 60, 20, 10])
    assert panel.picture(Theme(), 600).get_width() > 200
    match.mapping["ann"] = _Silent()
    assert panel.content() is None
    assert panel.picture(Theme(), 600) is None


def test_a_search_tells_what_it_looked_at_and_what_it_expects() -> None:
    spec = find_game("connect_four")
    insight = Insight(shares=(0, 0, 0, 0.9, 0.1, 0, 0), parts=(7,), value=-0.25, visits=200, line=(3, 3, 2, 4, 1))
    facts = SimpleNamespace(
        spec=spec, insight=lambda agent: insight, label=str, notation=dict, action_space=lambda agent: Discrete(7)
    )
    panel = InsightPanel(facts, "player_0")
    told = ("expects −0.25", "positions looked at: 200", "then: column 4, column 3, column 5")
    assert panel.content()[1] == told
    assert panel.picture(Theme(), 600).get_height() > Theme().px(24) * 10


def test_the_one_choice_of_a_space_of_choices_is_told_by_its_numbers(facts, match, monkeypatch) -> None:
    spaces = {agent: (None, MultiDiscrete([4])) for agent in match.stage.agents}
    monkeypatch.setattr(type(match.stage), "spaces", spaces)
    _, _, rows = InsightPanel(facts, "ann").content()
    assert rows == (("0", 10), ("1", 60), ("2", 20), ("3", 10))


class _Silent(Thinker):
    def __init__(self) -> None:
        super().__init__([])

    def insight(self) -> None:
        return None


def test_who_plays_follows_the_seats_with_their_devices(facts, match) -> None:
    assert facts.players(0) == ((SeatChoice("keyboard", "wasd"), "thinker"),)
    match.mapping["ann"].label = "volley-7 (hard)"
    facts.lineup["ann"] = parse_seat("gamepad:0")
    assert facts.players(0) == ((SeatChoice("gamepad", "0"), "volley-7 (hard)"),)
    assert Theme().team_colour(0) != Theme().team_colour(1)


class Waiting(Thinker):
    label = "Ann"

    def __init__(self) -> None:
        super().__init__([])

    def act(self) -> None:
        return None


def test_whose_move_it_is_is_told_until_it_is_made(sit) -> None:
    sit()
    stage = LocalStage(counting_spec(turn_based=True))
    match = Match(stage, {"ann": Waiting(), "bob": Waiting()}, seed=1, rate=10.0, clock=lambda: 0.0)
    match.start()
    match.advance(1.0)
    lineup = {"ann": SeatChoice("keyboard"), "bob": SeatChoice("random")}
    turn = TurnPiece(Facts(match.spec, lineup, Launched(match, MatchMonitor())))
    assert turn.content() == (0, "Ann to move", "Ann")
    lineup["ann"] = SeatChoice("pool")
    assert turn.content() == (0, "Ann thinks …", "thinking …")
    assert turn.picture(Theme(), 300).get_width() > 60
    match.quit()
    assert turn.content() is None


def test_where_all_move_at_once_the_people_are_named(sit) -> None:
    sit()
    stage = LocalStage(counting_spec(turn_based=True))
    bob = Waiting()
    bob.label = "Bob"
    match = Match(stage, {"ann": Waiting(), "bob": bob}, seed=1, rate=10.0, clock=lambda: 0.0)
    match.start()
    match.advance(1.0)
    lineup = {"ann": SeatChoice("random"), "bob": SeatChoice("keyboard")}
    turn = TurnPiece(Facts(match.spec, lineup, Launched(match, MatchMonitor())))
    both = ("ann", "bob")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(match), "waiting_for", property(lambda _match: both))
        assert turn.content() == (1, "Bob to move", "Bob")
        lineup["bob"] = SeatChoice("pool")
        assert turn.content() == (0, "Ann & Bob think …", "thinking …")


def test_a_remote_seat_tells_how_far_away_it_is_also_behind_limits(facts, match) -> None:
    match.mapping["ann"] = SimpleNamespace(inner=SimpleNamespace(rtt_ms=12.4, silent=False), label="far")
    match.mapping["bob"] = SimpleNamespace(rtt_ms=80.0, silent=True, label="lost")
    assert facts.network() == "Player 1 12 ms away"


def test_moves_on_a_board_have_the_boards_words_in_a_mind(sit) -> None:
    sit()
    spec = next(spec for spec in games() if spec.id == "classic/tictactoe_v3")
    shares = [0.05] * 9
    shares[4] = 0.6
    facts = SimpleNamespace(
        spec=spec,
        label=lambda agent: "thinker",
        insight=lambda agent: Thinker(shares).insight(),
        action_space=lambda agent: Discrete(9),
        notation=dict,
    )
    rows = InsightPanel(facts, "player_1").content()[2]
    assert rows[0][1] == 60
    assert rows[0][0] == "centre middle"
    assert len({words for words, _ in rows}) == ROWS
    panel = InsightPanel(facts, "player_1")
    facts.notation = lambda names={"centre middle": "b2"}: names
    assert panel.content()[2][0][0] == "b2", "not as the list of moves has it"
    facts.notation = lambda names={"left top": "a3"}: names
    assert panel.content()[2][0][0] == "b2", "the move was played meanwhile, and its insight stays"


def test_what_is_said_covers_the_picture_and_no_bar(sit) -> None:
    spec, canvas = counting_spec(turn_based=True), pygame.Surface((1280, 720))
    hud, theme = Hud(sit().engine, spec, dict.fromkeys(spec.agents, SeatChoice("random"))), Theme()
    area = hud.arrange(theme, canvas.get_rect(), moves=0).picture
    hud.say("Ann leaves her seat to a machine")
    hud.update(1.0)
    hud.draw_messages(canvas, theme)
    assert area.h < canvas.get_height()
    said = pygame.mask.from_threshold(canvas, (0, 0, 0), (1, 1, 1, 255))
    said.invert()
    (plate,) = said.get_bounding_rects()
    assert area.contains(plate)


def test_the_card_before_a_match_names_the_people(match, monkeypatch) -> None:
    lineup, people, written = {"ann": SeatChoice("keyboard"), "bob": SeatChoice("random")}, People([Person("Eve")]), []
    people.give(lineup["ann"], "Eve")
    draw = Theme.fitted
    monkeypatch.setattr(Theme, "fitted", lambda theme, text, **look: written.append(text) or draw(theme, text, **look))
    StartingCard(PlayerNames(match.spec), lineup, people).rows(Theme(), 900)
    assert [text.split("   ")[1] for text in written] == ["Eve", "Random bot"]


@pytest.fixture
def begun_hud(sit, match) -> Hud:
    """The HUD of a match of two that think."""
    lineup = {"ann": SeatChoice("keyboard", "wasd"), "bob": SeatChoice("snapshot", "latest")}
    hud = Hud(sit().engine, match.spec, lineup)
    hud.begin(Launched(match, MatchMonitor()), 0.0)
    return hud


def test_a_short_message_is_in_the_bottom_bar_and_a_long_one_over_the_picture(begun_hud) -> None:
    hud, theme, canvas = begun_hud, Theme(), pygame.Surface((1280, 720))
    hud.arrange(theme, canvas.get_rect(), moves=0)
    hud.say("Ann is back")
    hud.update(20.0)
    hud.draw(canvas, theme)
    assert hud.foot.message == "Ann is back"
    hud.say("Ann leaves her seat to the AI, which plays on until she is back " * 4)
    hud.update(20.1)
    hud.draw(canvas, theme)
    assert hud.foot.message == ""


def test_ai_insight_has_a_column_beside_the_picture(begun_hud) -> None:
    hud, theme, whole = begun_hud, Theme(), pygame.Rect(0, 0, 1280, 720)
    before = hud.arrange(theme, whole, moves=0).picture
    hud.toggle_insight()
    after = hud.arrange(theme, whole, moves=0)
    assert after.picture.w < before.w
    assert after.picture.h == before.h
    assert after.around == before


@pytest.mark.parametrize(("window", "scale"), [((1280, 720), 1.0), ((640, 360), 1.0), ((1280, 720), 3.0)])
def test_the_picture_gets_most_of_the_window(begun_hud, window, scale) -> None:
    picture = begun_hud.arrange(Theme(window=window, scale=scale), pygame.Rect(0, 0, *window), moves=0).picture
    assert picture.w == window[0]
    assert picture.h >= 0.75 * window[1]


def test_there_is_one_clock_that_of_the_game_where_it_draws_one(match, facts) -> None:
    clock = ClockPiece(facts)
    assert clock.content() == ("0:00", "")
    facts.spec = find_game("house/volley")
    assert clock.content() is None
    facts.pace_words = "2×"
    assert clock.content() == ("", "2×")
