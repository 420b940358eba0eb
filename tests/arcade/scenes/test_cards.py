"""Cards by keyboard, pad and mouse, two people at one screen: each acts alone behind the curtain, and is obeyed."""

from __future__ import annotations

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene
from arcade.scenes.tables import playing_cards
from arcade.session.people import viewer_of

CARDS = (
    "classic/hanabi_v5",
    "classic/leduc_holdem_v4",
    "classic/rps_v2",
    "classic/texas_holdem_no_limit_v6",
    "classic/texas_holdem_v4",
)
ARROWS, PAD = SeatChoice("keyboard", "arrows"), SeatChoice("gamepad", "0")


class Sitting:
    """A match at one screen, and the hands of whoever sits there."""

    def __init__(self, sitting, game: str, people, hands) -> None:
        self.sitting, self.hands = sitting, hands
        spec = find_game(game)
        self.scene = MatchScene(sitting.services, routes.Match(spec, dict(zip(spec.agents, people, strict=True))))
        sitting.engine.push(self.scene)
        self.hand_of = {agent: hands.get(choice) for agent, choice in self.scene.session.lineup.items()}
        self.until_due()

    @property
    def match(self):
        return self.scene.match

    @property
    def table(self):
        return self.scene.field.picture.table

    @property
    def called(self):
        """Whom the curtain asks to come and look."""
        return self.scene.field.curtain.called if self.scene.field.curtain is not None else None

    @property
    def chooser(self):
        return self.scene.field.moves.chooser

    def pixels(self) -> bytes:
        """What the curtain's card looks like now."""
        self.sitting.frame()
        return pygame.image.tobytes(self.sitting.engine.video.canvas.subsurface(self.scene.field.curtain.rect), "RGB")

    def until_due(self) -> None:
        """Somebody here is asked: called to the screen, or looking."""
        self.sitting.until(
            lambda: self.match is not None and (self.match.over or self.called or self.chooser), "a turn"
        )
        self.sitting.frame()

    def until_played(self, ticks: int, **actions) -> None:
        """These actions are in the tick with that number, which the game made of them."""
        self.sitting.until(lambda: self.match.tick.index == ticks, "the tick")
        assert dict(self.scene.session.last_actions) == actions

    def aim(self) -> int:
        """The index of an option that goes on with the game, not the one under the cursor if there is another."""
        goes_on = [i for i, o in enumerate(self.chooser.options) if not o.label.startswith(("fold", "all in"))]
        return next((i for i in goes_on if i != self.chooser.cursor.index), goes_on[0])

    def choose_by_steps(self, hand, index: int) -> None:
        """To the option by directions alone, then play it."""
        places = {option.path[0]: at for at, option in enumerate(self.chooser.options)}
        target = next(place for place, at in places.items() if at == index)
        for _ in range(8):
            x, y = self.chooser.cursor.at
            if (x, y) == target:
                break
            hand.press("right" if x < target[0] else "left" if x > target[0] else "down" if y < target[1] else "up")
        assert self.chooser.cursor.at == target
        hand.press("accept")

    def click_option(self, index: int) -> None:
        self.hands["mouse"].click(next(rect.center for rect, at in self.table.hits if at == index))


@pytest.fixture
def seat_people(sit, keyboard, pad, mouse):
    pads = []

    def seat(game: str, *people: SeatChoice) -> Sitting:
        sitting = sit(speed=20)
        hands = {"mouse": mouse(sitting), ARROWS: keyboard(sitting)}
        if PAD in people:
            hands[PAD] = pad(sitting)
            pads.append(hands[PAD].pad)
        return Sitting(sitting, game, people, hands)

    yield seat
    for one in pads:
        one.detach()


@pytest.mark.parametrize("game", CARDS)
def test_two_people_take_turns_behind_a_curtain(seat_people, game) -> None:
    table = seat_people(game, ARROWS, PAD)
    simultaneous = len(table.match.waiting_for) == 2
    first = table.called.seat
    other = next(agent for agent in table.hand_of if agent != first)
    assert viewer_of(table.match) is None  # nobody's cards are on the screen
    assert table.chooser is None
    table.hand_of[other].press("accept")
    assert table.called.seat == first, "the other one's press lifted the curtain"

    table.hand_of[first].press("accept")
    assert viewer_of(table.match) == first
    index = table.aim()
    expected = {first: table.chooser.options[index].action}
    table.choose_by_steps(table.hand_of[first], index)
    assert viewer_of(table.match) is None, "the curtain stayed up after the turn"
    if not simultaneous:
        table.until_played(1, **expected)
        expected.clear()
    table.until_due()

    second = table.called.seat  # by mouse, whoever that is
    table.hands["mouse"].click(table.scene.field.curtain.rect.center)
    assert viewer_of(table.match) == second
    index = table.aim()
    expected[second] = table.chooser.options[index].action
    table.click_option(index)
    table.until_played(1 if simultaneous else 2, **expected)


def test_choices_made_at_once_are_made_unseen(seat_people) -> None:
    table = seat_people("classic/rps_v2", ARROWS, PAD)
    drawn: list[bytes] = []
    told: list[str] = []
    for hand, way in ((ARROWS, "up"), (PAD, "right")):
        assert viewer_of(table.match) is None
        drawn.append(table.pixels())
        table.hands[hand].press(way)
        lines = table.scene.field.curtain.lines(table.sitting.engine.theme)
        told = [words for words, *_ in lines] if hand == ARROWS else told
    table.until_played(1, player_0=1, player_1=2)
    assert table.match.tick.views[None]["rounds"] == [["paper", "scissors"]]

    table.until_due()
    for hand, way in ((ARROWS, "left"), (PAD, "left")):  # another choice of the first looks the same to the second
        drawn.append(table.pixels())
        table.hands[hand].press(way)
    assert drawn[1] != drawn[0], "it is not said who has chosen"
    assert len(told) == 3
    assert told[1].endswith(" has chosen")
    assert "rock" in told[2]
    assert drawn[1] == drawn[3]


def test_one_person_meets_no_curtain_and_no_open_mind(seat_people) -> None:
    alone = seat_people("classic/leduc_holdem_v4", ARROWS, SeatChoice("random"))
    alone.sitting.until(lambda: alone.chooser, "the person's turn")
    assert alone.called is None
    assert viewer_of(alone.match) == "player_0"
    alone.hands[ARROWS].key(pygame.K_F9)
    assert alone.scene.hud.toasts.messages[-1].startswith("AI insight is hidden")


def test_only_who_looks_has_cards_on_the_screen_and_a_pause_closes_the_curtain(seat_people, monkeypatch) -> None:
    drawn: list[str] = []
    face = playing_cards.face
    spy = lambda theme, card, height: drawn.append(card) or face(theme, card, height)  # noqa: E731
    monkeypatch.setattr(playing_cards, "face", spy)

    def seen(table) -> set[str]:
        drawn.clear()
        table.sitting.frame()
        return set(drawn)

    two = seat_people("classic/leduc_holdem_v4", ARROWS, ARROWS)
    looker = two.called.seat
    assert seen(two) == set()
    two.hands[ARROWS].press("accept")
    seats = {seat["agent"]: seat["hand"] for seat in two.match.tick.views[looker]["seats"]}
    assert seen(two) == set(seats[looker])
    two.hands[ARROWS].key(pygame.K_F1)
    two.hands[ARROWS].press("back")
    assert two.sitting.engine.scene is two.scene
    assert seen(two) == set(), "others may have come while a page was read"
    two.hands[ARROWS].press("accept")
    assert seen(two) == set(seats[looker])
    two.scene.pause()
    assert seen(two) == set()
    assert viewer_of(two.match) is None, "the cards lie open during a pause"


def test_what_may_not_be_done_in_hanabi_is_refused_with_the_reason(seat_people) -> None:
    table = seat_people("classic/hanabi_v5", ARROWS, SeatChoice("random"))
    discard = table.table._cells[0][0]
    table.hands["mouse"].click(discard.center)
    table.sitting.frame()
    assert table.scene.hud.toasts.messages[-1] == "You have all hints: nothing may be discarded"
    assert table.match.tick.index == 0


def test_a_click_on_a_card_in_hanabi_offers_what_can_be_done_with_it(seat_people) -> None:
    table = seat_people("classic/hanabi_v5", ARROWS, SeatChoice("random"))

    def offered(agent: str, place: int) -> list[pygame.Rect]:
        card = next(rect for rect, held in table.table._cards if held == (agent, place))
        table.hands["mouse"].click(card.center)
        table.sitting.frame()
        return [rect for rect, _ in table.table._offered]

    assert len(offered("player_0", 2)) == 2, "play and discard"
    hints = offered("player_1", 0)
    card = table.match.tick.views["player_0"]["seats"][1]["hand"][0]["card"]
    table.hands["mouse"].click(hints[0].center)
    table.sitting.until(lambda: table.match.tick.index > 0, "the hint")
    told = table.match.tick.views["player_0"]["seats"][1]["hand"]
    assert all((one["colour"] == card[0]) == (one["card"][0] == card[0]) for one in told)
    table.until_due()
    play = offered("player_0", 2)[0]
    index = table.match.tick.index
    table.hands["mouse"].click(play.center)
    table.sitting.until(lambda: table.match.tick.index > index, "the card")
    assert table.match.tick.views[None]["seats"][0]["did"].items() >= {"kind": "play", "value": 3, "to": None}.items()
