"""Draw offers: who accepts, how often one can offer, and what an agreed draw is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.seats.limits import LimitedController, Limits
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from arcade.session.match import draw_offers
from arcade.session.match.draw_offers import BETWEEN, DrawOffers
from tests.support.counting_games import counting_spec
from tests.support.puppets import RATE, Clock, Puppet, turn


class Judge(Puppet):
    """A player that tells what it expects."""

    def __init__(self, expects: float | None) -> None:
        super().__init__(1)
        self.expects = expects

    def outlook(self) -> float | None:
        return self.expects


def begin(bob: Puppet | LimitedController, ann: Puppet | None = None) -> tuple[Match, Clock]:
    spec = replace(counting_spec(turn_based=True), entry="tests.support.counting_games:counting_aec")
    clock = Clock()
    match = Match(LocalStage(spec), {"ann": ann or Puppet(3), "bob": bob}, seed=5, rate=RATE, clock=clock)
    match.start()
    turn(match, clock, 2)
    return match, clock


@pytest.fixture
def no_opening(monkeypatch) -> None:
    monkeypatch.setattr(draw_offers, "OPENING", 0)


@pytest.mark.parametrize(("expects", "accepts"), [(-0.5, True), (0.0, True), (0.6, False), (None, False)])
def test_ai_accepts_when_it_expects_no_more_than_a_draw(no_opening, expects, accepts) -> None:
    for player in (Judge(expects), LimitedController(Judge(expects), Limits(noise=0.1))):
        match, _clock = begin(player)
        assert DrawOffers(match).offer("ann") is accepts
        assert match.over is accepts


@pytest.mark.parametrize(("expects", "accepts"), [(0.0, False), (-0.5, True)])
def test_ai_plays_on_in_the_opening_unless_it_is_losing(expects, accepts) -> None:
    match, _clock = begin(Judge(expects))
    assert DrawOffers(match).offer("ann") is accepts


@pytest.mark.parametrize(("expects", "offers"), [(0.0, True), (0.3, False), (-0.3, False), (None, False)])
def test_ai_offers_people_a_draw_after_a_long_even_game_once(monkeypatch, expects, offers) -> None:
    monkeypatch.setattr(draw_offers, "QUIET", 6)
    person = Puppet(3)
    person.kind = "keyboard"
    match, clock = begin(Judge(expects), person)
    draws, offered = DrawOffers(match), []
    for _move in range(2 * draw_offers.STEADY + 4):
        turn(match, clock, 1)
        offered.append(draws.update())
        assert draws.update() is None, "one offer was made twice"
    assert offered.count("bob") == offers
    assert not match.over, "a person was not asked"


def test_an_agreed_draw_is_a_draw_whatever_the_score_and_counts(no_opening) -> None:
    match, clock = begin(Judge(0.0))
    turn(match, clock, 4)
    assert match.scores["ann"] != match.scores["bob"]
    DrawOffers(match).offer("ann")
    result = match.result
    assert (result.ended, result.placements, result.rated) == ("agreed", {"ann": 1, "bob": 1}, True)
    assert result.outcome("ann") == result.outcome("bob") == "draw"


def test_people_are_asked_and_nothing_ends_before_they_answer() -> None:
    person = Puppet(1)
    person.kind = "keyboard"
    match, _clock = begin(person)
    assert DrawOffers(match).offer("ann") is None
    assert not match.over


def test_a_side_waits_some_moves_from_one_offer_to_the_next_and_the_other_does_not(no_opening) -> None:
    bob = Judge(1.0)
    match, clock = begin(bob)
    draws = DrawOffers(match)
    assert draws.wait("ann") == 0
    draws.offer("ann")
    assert (draws.wait("ann"), draws.wait("bob")) == (BETWEEN, 0)
    bob.expects = 0.0
    assert draws.offer("ann") is False, "an offer too soon was answered"
    while draws.wait("ann"):
        turn(match, clock, 1)
    assert draws.offer("ann") is True


def test_games_without_turns_know_no_draw_offers() -> None:
    clock = Clock()
    match = Match(LocalStage(counting_spec()), {"ann": Puppet(1), "bob": Judge(0)}, seed=5, rate=RATE, clock=clock)
    match.start()
    turn(match, clock, 2)
    draws = DrawOffers(match)
    assert not draws.are_possible
    assert draws.offer("ann") is False
    assert not match.over
