"""A session of poker in the window: the default button, the order of buttons, and the way to the next hand."""

from __future__ import annotations

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.engine.ui.theme import Theme
from arcade.games import find_game
from arcade.games.tables import poker
from arcade.scenes import routes
from arcade.scenes.hud.pieces import ClockPiece, TurnPiece
from arcade.scenes.match.match_scene import MatchScene
from arcade.scenes.tables import poker as poker_table
from arcade.scenes.tables.poker import PokerTable
from arcade.session.match.moment_texts import length_text, moment_of, moment_text

ARROWS = SeatChoice("keyboard", "arrows")
GAMES = ("classic/leduc_holdem_v4", "classic/texas_holdem_v4", "classic/texas_holdem_no_limit_v6")


class Session:
    """A person against chance, and the lines drawn in the newest frame."""

    def __init__(self, sitting, hand, game: str, monkeypatch) -> None:
        self.sitting, self.hand = sitting, hand
        spec = find_game(game)
        lineup = dict(zip(spec.agents, (ARROWS, SeatChoice("random")), strict=True))
        self.scene = MatchScene(sitting.services, routes.Match(spec, lineup))
        self.lines: list[str] = []
        draw = Theme.draw_text
        monkeypatch.setattr(Theme, "draw_text", lambda *a, **k: self.lines.append(a[2]) or draw(*a, **k))
        sitting.engine.push(self.scene)
        self.until_due()

    @property
    def chooser(self):
        return self.scene.field.moves.chooser if self.scene.field.moves is not None else None

    @property
    def view(self):
        return self.scene.match.tick.views[None]

    def until_due(self) -> None:
        self.sitting.until(lambda: self.scene.match is not None and (self.scene.match.over or self.chooser), "a turn")
        self.lines.clear()
        self.sitting.frame()

    def until_next_hand(self) -> None:
        """Check and call until another hand is dealt; fold where chance might go all in."""
        number = self.view["number"]
        for _ in range(40):
            if self.view["number"] > number:
                return
            if "no_limit" in self.scene.spec.id:
                self.hand.key(pygame.K_LEFT)
            self.hand.press("accept")
            self.sitting.frame()
            self.until_due()
        raise AssertionError("the hand does not end")


@pytest.fixture
def begin(sit, keyboard, monkeypatch):
    def begin(game: str) -> Session:
        sitting = sit(speed=50)
        return Session(sitting, keyboard(sitting), game, monkeypatch)

    return begin


@pytest.mark.parametrize("game", GAMES)
def test_the_bar_tells_the_hand_and_its_street_instead_of_a_count_of_actions(begin, game) -> None:
    session = begin(game)
    first = "first round" if "leduc" in game else "pre-flop"
    assert moment_of(session.scene.match) == f"Hand 1, {first}"
    session.until_next_hand()
    assert moment_of(session.scene.match) == f"Hand 2, {first}"
    pieces = session.scene.hud.pieces
    [clock] = [piece for piece in pieces if isinstance(piece, ClockPiece)]
    assert clock.content()[0].startswith("Hand 1"), "the hand that the table shows"
    session.sitting.frame(3)
    assert clock.content()[0] == "Hand 1", "it is over"
    session.hand.press("accept")
    session.sitting.frame(3)
    assert clock.content()[0] == f"Hand 2, {first}"


def test_moves_are_called_what_the_players_of_a_game_call_them() -> None:
    games = ("leduc_holdem", "hanabi", "rps", "chess")
    said = [moment_text(find_game(game), 4) for game in games]
    assert said == ["action 4", "turn 4", "round 4", "move 2"]
    assert [length_text(find_game(game), 2) for game in games] == ["2 actions", "2 turns", "2 rounds", "1 move"]


def test_the_streets_follow_the_cards_on_the_board(begin) -> None:
    session, seen = begin("classic/texas_holdem_v4"), []
    for _ in range(400):
        seen += [street] if (street := session.view["street"]) not in seen else []
        if len(seen) == 4:
            break
        session.hand.press("accept")
        session.sitting.frame()
        session.until_due()
    assert seen == ["pre-flop", "flop", "turn", "river"]


@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_a_hand_is_shown_until_a_press_which_plays_nothing(begin, game) -> None:
    session = begin(game)
    assert "player_0" not in " ".join(session.lines)
    seats = [line.removeprefix("▶ ") for line in session.lines]
    assert session.sitting.services.people.owner.name in seats, "the name of the person who sits there"
    assert "Player 1" not in seats
    assert "Random bot" in seats
    assert "Player 2" not in seats
    session.until_next_hand()
    session.sitting.frame()  # the bar above follows what the table has drawn
    number, tick = session.view["number"], session.scene.match.tick.index
    [turn] = [piece for piece in session.scene.hud.pieces if isinstance(piece, TurnPiece)]
    assert session.chooser.confirms
    assert turn.content() is None, "nobody is to move before the next hand"
    assert f"Hand {number - 1} of 20" in session.lines, "the number of the hand that is shown"
    assert any(line.startswith("Showdown") or " folds: " in line for line in session.lines)
    session.hand.press("accept")
    session.sitting.frame(3)
    assert not session.chooser.confirms
    assert turn.content() is not None
    assert session.scene.match.tick.index == tick, "the press was taken for an action"
    session.hand.press("accept")
    session.sitting.until(lambda: session.scene.match.tick.index > tick, "the action")


def test_a_click_goes_on_to_the_next_hand(begin, mouse) -> None:
    session = begin(GAMES[0])
    session.until_next_hand()
    tick = session.scene.match.tick.index
    mouse(session.sitting).click(session.sitting.engine.video.canvas.get_rect().center)
    session.sitting.frame()
    assert not session.chooser.confirms
    assert session.scene.match.tick.index == tick


@pytest.mark.parametrize("game", GAMES)
def test_the_cursor_begins_on_check_or_call_and_illegal_buttons_stay_in_place(begin, game) -> None:
    session = begin(game)
    chosen = session.chooser.options[session.chooser.cursor.index].label
    assert chosen.split()[0] in ("check", "call")
    places = {session.chooser.options[index].path[0][0]: rect for rect, index in session.scene.field.picture.table.hits}
    steps = {
        (b.left - a.left) // (j - i) for (i, a), (j, b) in zip(places.items(), list(places.items())[1:], strict=False)
    }
    assert len(steps) == 1, "a missing button moved the others"
    session.hand.key(pygame.K_LEFT)
    session.sitting.frame()
    assert session.chooser.options[session.chooser.cursor.index].label == "fold"


def at_showdown(game: str) -> dict[str, object]:
    """The view of the first hand that ends with a showdown and a winner."""
    env = find_game(game).for_matches().make()
    env.reset(seed=4)
    see = poker.view_leduc if "leduc" in game else poker.view_holdem
    stay = 1 if "no_limit" in game else 0
    for _agent in env.agent_iter():
        mask = env.last()[0]["action_mask"]
        env.step(stay if mask[stay] else int(mask.argmax() if "no_limit" in game else 3))
        hand = see(env, None)["finished"]
        if hand and hand["showdown"] and any(seat["won"] for seat in hand["seats"]):
            return {**see(env, None), **hand}
    raise AssertionError("no showdown")


@pytest.mark.parametrize("game", GAMES)
def test_a_showdown_names_what_won_and_marks_the_cards_that_count(game, monkeypatch) -> None:
    view, marked, lines = at_showdown(game), [], []
    draw, table = Theme.draw_text, PokerTable(find_game(game))
    monkeypatch.setattr(Theme, "draw_text", lambda *a, **k: lines.append(a[2]) or draw(*a, **k))
    monkeypatch.setattr(poker_table, "_mark", lambda canvas, theme, card: marked.append(card))
    table.draw(canvas := pygame.Surface((1280, 720)), Theme(), canvas.get_rect(), view, None)
    winner = next(seat for seat in view["seats"] if seat["won"] > 0)
    assert any(line.startswith("Showdown:") and " with " in line and line.endswith(")") for line in lines)
    own = [*winner["hand"], *view["board"]]
    assert len(marked) == len(winner["best"]["cards"]) == min(5, len(own))
    assert set(winner["best"]["cards"]) <= set(own)


def test_the_pot_stays_on_a_narrow_table(monkeypatch) -> None:
    drawn, draw = [], Theme.draw_text
    monkeypatch.setattr(Theme, "draw_text", lambda *a, **k: drawn.append(draw(*a, **k)) or drawn[-1])
    canvas = pygame.Surface((380, 330))
    PokerTable(find_game(GAMES[1])).draw(canvas, Theme(), canvas.get_rect(), at_showdown(GAMES[1]), None)
    assert all(canvas.get_rect().contains(rect) for rect in drawn)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [(600, 330), (480, 270), (380, 330)])
def test_the_number_of_the_hand_is_whole_in_the_small_picture_of_a_result(game, size, monkeypatch) -> None:
    """Drawn text that does not fit is cut; text in lines is as wide as the room."""
    view, canvas, cut = {**at_showdown(game), "number": 20, "hands": 20}, pygame.Surface(size), []
    draw = Theme.draw_text

    def note(theme: Theme, picture: pygame.Surface, text: str, *at: object, **look) -> pygame.Rect:
        if "width" in look and theme.font(look["size"]).size(text)[0] > look["width"] and text.startswith("Hand"):
            cut.append(text)
        return draw(theme, picture, text, *at, **look)

    monkeypatch.setattr(Theme, "draw_text", note)
    PokerTable(find_game(game)).draw(canvas, Theme(), canvas.get_rect(), view, None)
    assert not cut
