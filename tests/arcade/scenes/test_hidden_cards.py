"""Hidden cards stay hidden: not in what a seat is told, not among what is drawn, not in a single pixel."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pygame
import pytest

from arcade.engine.ui.theme import Theme
from arcade.games import find_game
from arcade.games.spec import load_entry
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import Tick
from arcade.scenes.match.picture import GamePicture, picture_of
from arcade.scenes.tables import hanabi_cloth, playing_cards

POKER = ("classic/leduc_holdem_v4", "classic/texas_holdem_v4", "classic/texas_holdem_no_limit_v6")
DEALS = 12
SIZE = (900, 560)


class Deal:
    """A game in this process, with what every seat is told of it after each tick."""

    def __init__(self, game: str) -> None:
        self.stage = LocalStage(find_game(game), render=True)
        self.spec = self.stage.spec
        self.lookers = (None, *self.spec.agents)
        self.picture = GamePicture(self.spec)
        self._view: Callable[[Any, Any], Any] = load_entry(self.spec.table)

    @property
    def env(self) -> Any:
        return self.stage._env

    def play(self, seed: int) -> Iterator[Tick]:
        """Every tick of an episode of random legal moves; nobody folds where the seed is odd."""
        rng = np.random.default_rng(seed)
        self.stage.reset(seed)
        tick = self.stage.wait()
        yield tick
        while not tick.over:
            self.stage.step({agent: self._choose(tick, agent, rng, folds=seed % 2 == 0) for agent in tick.acting})
            tick = self.stage.wait()
            yield tick

    def _choose(self, tick: Tick, agent: Any, rng: np.random.Generator, *, folds: bool) -> int:
        names = self.spec.names_of(agent)
        legal = [int(at) for at in np.flatnonzero(tick.action_masks[agent]) if folds or names[at] != "fold"]
        return int(rng.choice(legal))

    def pixels(self, looker: Any) -> bytes:
        """What is drawn of this moment for one looker."""
        views = {looker: self._view(self.env, looker) for looker in self.lookers}
        canvas = pygame.Surface(SIZE)
        self.picture.table.people = [] if looker is None else [looker]
        self.picture.draw(canvas, Theme(), canvas.get_rect(), Tick(0, (), views=views), viewer=looker)
        return pygame.image.tobytes(canvas, "RGB")


class Hands:
    """The cards that RLCard dealt, to be looked at and swapped by the test alone."""

    def __init__(self, env: Any) -> None:
        self.game = env.unwrapped.env.game

    def of(self, place: int) -> list[str]:
        hand = self.game.players[place].hand
        return [card.get_index() for card in (hand if isinstance(hand, list) else [hand])]

    def swap_with_deck(self, place: int) -> None:
        """Give the player other cards from the deck; done twice, the old ones are back."""
        player, deck = self.game.players[place], self.game.dealer.deck
        if isinstance(player.hand, list):
            count = len(player.hand)
            player.hand[:], deck[:count] = deck[:count], player.hand[:]
        else:
            player.hand, deck[0] = deck[0], player.hand


@pytest.mark.parametrize("game", POKER)
def test_no_opponents_card_is_told_or_drawn(game, monkeypatch) -> None:
    deal, drawn, shown_down = Deal(game), [], 0
    face = playing_cards.face
    spy = lambda theme, card, height: drawn.append(card) or face(theme, card, height)  # noqa: E731
    monkeypatch.setattr(playing_cards, "face", spy)
    for seed in range(DEALS):
        for tick in deal.play(seed):
            hands, down = Hands(deal.env), tick.views[None]["showdown"]
            shown_down += down
            for looker in deal.lookers:
                drawn.clear()
                deal.pixels(looker)
                for place, agent in enumerate(deal.spec.agents):
                    folded = tick.views[None]["seats"][place]["folded"]
                    told = {card for card in hands.of(place) if card in json.dumps(tick.views[looker])}
                    visible = agent == looker or (down and not folded)
                    assert told == (set(hands.of(place)) if visible else set()), f"{looker} is told of {agent}'s cards"
                    assert bool(set(hands.of(place)) & set(drawn)) == visible, f"{looker} sees {agent}'s cards"
    assert shown_down, "no deal came to a showdown"


@pytest.mark.parametrize("game", [*POKER, "classic/hanabi_v5"])
def test_the_picture_of_a_match_without_a_window_shows_no_hand(game, monkeypatch) -> None:
    drawn: list[str] = []
    for module, name in ((playing_cards, "face"), (hanabi_cloth, "firework_card")):
        real = getattr(module, name)
        spy = lambda theme, card, height, real=real: drawn.append(card) or real(theme, card, height)  # noqa: E731
        monkeypatch.setattr(module, name, spy)
    with LocalStage(find_game(game), drawable=True) as stage:
        stage.reset(3)
        tick = stage.look()
        picture = picture_of(stage.spec, tick)
        assert stage._env.unwrapped.render_mode is None, "the env draws all the cards itself"
    assert picture.shape == (720, 1280, 3)
    assert len(np.unique(picture[::8, ::8].reshape(-1, 3), axis=0)) > 5
    assert not drawn


@pytest.mark.parametrize("game", POKER)
def test_other_cards_in_hidden_hands_change_no_pixel(game) -> None:
    deal, compared = Deal(game), 0
    for seed in range(DEALS // 2):
        for tick in deal.play(seed):
            if tick.views[None]["over"]:
                continue
            hands = Hands(deal.env)
            for hidden, agent in enumerate(deal.spec.agents):
                before = {looker: deal.pixels(looker) for looker in deal.lookers}
                hands.swap_with_deck(hidden)
                after = {looker: deal.pixels(looker) for looker in deal.lookers}
                hands.swap_with_deck(hidden)
                assert {looker for looker in deal.lookers if before[looker] != after[looker]} == {agent}
                compared += 1
    assert compared > DEALS


def test_hanabi_shows_nobody_the_own_hand_and_a_spectator_none() -> None:
    deal = Deal("classic/hanabi_v5")
    for seed in range(4):
        for tick in deal.play(seed):
            assert_hands(tick.views, str(deal.env.unwrapped.hanabi_env.game_state))


def assert_hands(views: Any, truth: str) -> None:
    """Each looker is told every hand but the own one; `truth` is all that the game knows."""
    hands = [[line[:2] for line in hand.splitlines() if " || " in line] for hand in truth.split("-----")]
    for looker, view in views.items():
        for seat, cards in zip(view["seats"], hands, strict=True):
            hidden = looker is None or seat["agent"] == looker
            assert [card["card"] for card in seat["hand"]] == (["" for _ in cards] if hidden else cards)


def test_in_hanabi_another_own_hand_changes_no_pixel() -> None:
    deal = Deal("classic/hanabi_v5")
    list(deal.play(0))
    game = deal.env.unwrapped.hanabi_env
    pictures = []
    for own in ((0, 6, 12, 18, 24), (1, 7, 13, 19, 20)):  # a card is colour * 5 + rank
        state = game._env.new_initial_state()
        for card in (*own, 2, 8, 14, 3, 9):  # the first player's five, then the second's
            state.apply_action(card)
        for action in (state.legal_actions()[-1], state.legal_actions()[0]):  # to tell the other a rank; to play or so
            pictures.append(_see(deal, state))
            if action == state.legal_actions()[-1]:
                state.apply_action(action)
    before_one, after_one, before_two, after_two = pictures
    for looker, same in ((None, True), ("player_0", True), ("player_1", False)):
        assert (before_one[looker] == before_two[looker]) == same
        assert (after_one[looker] == after_two[looker]) == same


def _see(deal: Deal, state: Any) -> dict[Any, bytes]:
    deal.env.unwrapped.hanabi_env.game_state = state
    return {looker: deal.pixels(looker) for looker in deal.lookers}


def test_rock_paper_scissors_tells_nothing_of_a_choice_before_both_are_made() -> None:
    deal = Deal("classic/rps_v2")
    deal.stage.reset(1)
    deal.stage.wait()
    seen = {looker: deal.pixels(looker) for looker in deal.lookers}
    single = deal.env.unwrapped  # the env of one choice at a time beneath
    single.step(2)
    assert {looker: deal.pixels(looker) for looker in deal.lookers} == seen
    single.step(0)
    assert all(deal.pixels(looker) != seen[looker] for looker in deal.lookers)
