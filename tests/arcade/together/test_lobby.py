"""Before the match: seats, names, phrases, and who is ready."""

from __future__ import annotations

import pytest

from agents.policies.random import RandomController
from agents.seats.controller import ControllerError
from arcade.games import find_game
from arcade.language import use
from arcade.match.play.result import versions
from arcade.match.stage.local import LocalStage
from arcade.together import messages
from arcade.together.guest import GuestSession
from arcade.together.hosting.host import HostSession
from arcade.together.hosting.names import told_apart
from arcade.together.hosting.reasons import part_text, reason_text
from arcade.together.joining import refused
from arcade.together.local_play import LocalPlay
from arcade.together.messages import Player
from arcade.together.modes import INPUTS, PICTURES
from arcade.together.others import Others
from arcade.together.phrases import PHRASES
from arcade.together.report import Report
from arcade.together.roles import chosen_of
from arcade.together.seats import forfeited_seat
from arcade.together.terms import SessionError, Terms, probe
from tests.support.simulated_link import GuestEnd, HostEnd, Network

SPEC = find_game("volley").for_matches()
SECRET = bytes(10)
LEFT, RIGHT = SPEC.agents


def chance(play, seat):
    """A player of that seat."""
    player = RandomController()
    player.reset(play.stage.seat(seat), seed=1)
    return {seat: player}


def make_play(network, mode=INPUTS):
    stage = LocalStage(SPEC)
    digests = probe(stage, 5)
    terms = Terms(match="m", game=SPEC.id, kwargs=SPEC.kwargs, seed=5, rate=SPEC.fps, max_ticks=60, mode=mode)
    return LocalPlay(stage, terms, record=None, clock=network.clock), digests


class Table:
    """A host and a guest, and what they were told."""

    def __init__(self, mode=INPUTS):
        self.network = Network(seed=1, delay=0.01, jitter=0.0, loss=0.0)
        self.told = {"host": [], "guest": []}
        play, self.digests = make_play(self.network, mode)
        self.host = HostSession(
            HostEnd(self.network), play, self.digests, secret=SECRET, name="Ada", clock=self.network.clock,
            say=self.told["host"].append,
        )  # fmt: skip
        self.guest = GuestSession(
            GuestEnd(self.network, b"guest"), secret=SECRET, name="Bob", clock=self.network.clock,
            say=self.told["guest"].append,
        )  # fmt: skip

    def run(self, seconds):
        end = self.network.now + seconds
        while self.network.now < end:
            self.network.now += 1 / 60
            self.host.update()
            self.guest.update()

    def join(self, label="Ada"):
        play, digests = make_play(self.network)
        play.seat(chance(play, RIGHT))
        self.guest.join(play, {RIGHT: Player(label, "keyboard")}, digests)


def test_the_match_waits_for_the_host_and_two_people_of_one_name_are_told_apart():
    table = Table()
    table.host.reserve({LEFT: Player("Ada", "keyboard")})
    table.run(2.0)
    assert list(table.guest.offer.free) == [str(RIGHT)]
    assert table.guest.names == {"0": "Ada", "1": "Bob"}
    table.join()
    table.run(3.0)
    assert not table.host.begun
    assert table.guest.waiting == [1]
    assert [player.label for player in table.guest.lineup.values()] == ["Ada", "Ada 2"]
    assert table.told["host"].count("Bob plays Right (Ada 2)") == 1, "claims are repeated, and reported once"
    table.host.ready(chance(table.host.play, LEFT))
    table.run(3.0)
    assert table.host.begun
    assert table.guest.begun
    table.run(3.0)
    assert table.host.play.result.lineup == {"left_0": "Ada", "right_0": "Ada 2"}


def people(**names):
    return {seat: Player(name, "keyboard") for seat, name in names.items()}


def test_two_people_at_each_of_two_machines_have_four_names():
    host = told_apart(people(a="Player", b="Player 2"), 0, ())
    guest = told_apart(people(c="Player", d="Player 2"), 1, host.values())
    assert [one.label for one in (host | guest).values()] == ["Player", "Player 2", "Player 3", "Player 4"]
    assert told_apart(people(c="Player", d="Player"), 1, host.values())["d"].label == "Player 3", "one, in two seats"
    joker = told_apart(people(a="random") | {"b": Player("random", "random")}, 1, people(c="random").values())
    assert [one.label for one in joker.values()] == ["random 2", "random"], "AI keeps its name"
    bots = {"a": Player("random", "random")}
    assert told_apart(bots, 1, told_apart(bots, 0, ()).values())["a"].label == "random"


def test_a_host_that_sits_down_later_leaves_a_guest_its_name():
    table = Table()
    table.run(1.0)
    table.join("Ada")
    table.run(2.0)
    table.host.reserve({LEFT: Player("Ada", "keyboard")})
    assert [player.label for player in table.host.lineup.values()] == ["Ada 2", "Ada"]


def test_two_machines_of_one_name_are_told_apart():
    table = Table()
    late = GuestSession(GuestEnd(table.network, b"late"), secret=SECRET, name="Ada", clock=table.network.clock)
    for _ in range(60):
        table.run(1 / 60)
        late.update()
    assert late.names == {"0": "Ada", "1": "Bob", "2": "Ada 2"}


def test_eight_arcades_are_together_and_one_more_is_told_so():
    table = Table()
    ends = [GuestEnd(table.network, b"guest%d" % number) for number in range(6)]
    others = [GuestSession(end, secret=SECRET, clock=table.network.clock) for end in ends]
    for _ in range(60):
        table.run(1 / 60)
        for other in others:
            other.update()
    late = GuestSession(GuestEnd(table.network, b"late"), secret=SECRET, clock=table.network.clock)
    late.update()
    table.run(1.0)
    with pytest.raises(SessionError, match="the match is full"):
        late.update()
    assert len(table.host.names) == 8


@pytest.mark.parametrize(("language", "words"), [("en", "no host answers at"), ("de", "antwortet kein Gastgeber")])
def test_a_code_of_a_match_that_is_no_more_is_told_in_the_language_of_the_player(language, words):
    network = Network(seed=1, delay=0.01, jitter=0.0, loss=0.0)
    guest = GuestSession(GuestEnd(network, b"guest"), secret=SECRET, clock=network.clock)
    guest.update()
    network.now += 60.0
    use(language)
    try:
        with pytest.raises(SessionError, match=words):
            guest.update()
    finally:
        use("en")


@pytest.mark.parametrize(("code", "words"), [
    ("secret", "dieser Code führt nicht in die Partie; frage den Gastgeber"), ("full", "die Partie ist voll"),
    ("version", "der Gastgeber hat eine andere Version"), ("differs", "zu einem anderen Ergebnis als beim Gastgeber"),
    ("taken", "diese Plätze haben andere; freie Plätze: Rechts"), ("new", "der Gastgeber hat abgelehnt: of its own"),
])  # fmt: skip
def test_a_refusal_is_told_in_the_language_of_the_player(code, words):
    use("de")
    try:
        told = str(refused(messages.Refused(code=code, text="of its own"), SPEC, {str(LEFT)}))
    finally:
        use("en")
    assert words in told


def test_a_machine_that_claims_a_seat_of_another_is_told_the_free_ones():
    table = Table()
    table.host.reserve({LEFT: Player("Ada", "keyboard")})
    table.run(1.0)
    play, digests = make_play(table.network)
    play.seat(chance(play, LEFT))
    table.guest.join(play, {LEFT: Player("Bob", "keyboard")}, digests)
    with pytest.raises(SessionError, match="others have these seats; free seats: Right"):
        table.run(2.0)


def test_a_machine_that_leaves_loses_with_the_seat_of_a_person():
    lineup = {
        "first_0": Player("random", "random", peer=1), "second_0": Player("Ada", "keyboard"),
        "third_0": Player("Bob", "gamepad", peer=1),
    }  # fmt: skip
    assert forfeited_seat(lineup, 1) == "third_0"
    assert forfeited_seat(lineup, 0) == "second_0"
    assert forfeited_seat(lineup, 2) == ""


def test_machines_with_other_versions_are_told_before_the_match(monkeypatch):
    monkeypatch.setattr("arcade.together.guest.versions", lambda: versions() | {"pettingzoo": "1.0"})
    monkeypatch.setattr("arcade.together.hosting.admission.versions", lambda: versions() | {"pettingzoo": "2.0"})
    table, own = Table(), versions()["pettingzoo"]
    table.run(1.0)
    assert not table.host.begun
    assert f"Bob has other versions: pettingzoo {own} (at Bob 1.0)" in table.told["host"]
    assert f"other versions here: pettingzoo {own} (at the host 2.0)" in table.told["guest"]


def test_a_seat_of_a_guest_stays_with_the_guest_and_is_free_again_without_it():
    table = Table()
    table.run(1.0)
    table.join("Bob")
    table.run(2.0)
    table.host.reserve({LEFT: Player("Ada", "keyboard"), RIGHT: Player("Ada", "keyboard")})
    assert table.host.lineup[str(RIGHT)].label == "Bob"
    table.host.reserve({})
    assert list(table.host.lineup) == [str(RIGHT)]
    table.guest.leave()
    table.run(1.0)
    assert not table.host.lineup


@pytest.mark.parametrize("mode", [INPUTS, PICTURES])
def test_all_see_a_seat_that_a_guest_has_chosen_before_it_is_ready_and_nobody_else_is_offered_it(mode):
    table = Table(mode)
    table.run(1.0)
    table.guest.joining.choose({RIGHT: Player("Bob", "keyboard"), "nowhere": Player("Bob", "keyboard")})
    table.run(1.0)
    chosen = {str(RIGHT): Player("Bob", "keyboard", peer=1)}
    assert chosen_of(table.host) == table.guest.chosen == chosen
    assert not table.host.lineup
    late = GuestSession(GuestEnd(table.network, b"late"), secret=SECRET, name="Cleo", clock=table.network.clock)
    for _ in range(60):
        table.run(1 / 60)
        late.update()
    assert (list(late.offer.free), late.chosen) == ([str(LEFT)], chosen)
    late.joining.choose({RIGHT: Player("Cleo", "keyboard")})
    table.run(1.0)
    assert chosen_of(table.host) == chosen
    table.host.reserve({RIGHT: Player("Ada", "keyboard")})
    table.run(1.0)
    assert not table.guest.chosen, "the host may have any seat that is not claimed"
    table.guest.leave()
    table.host.reserve({})
    table.run(1.0)
    assert not chosen_of(table.host)


def test_a_machine_says_a_phrase_by_the_name_that_the_others_see():
    table = Table()
    table.host.name = "Bob"
    table.run(1.0)
    table.guest.say_phrase(3)
    table.run(1.0)
    assert table.told["guest"][-1] == table.told["host"][-1] == f"Bob 2: {PHRASES[3]}"


def test_phrases_are_heard_and_floods_of_them_are_not():
    table = Table()
    table.run(1.0)
    table.host.say_phrase(0)
    table.run(1.0)
    assert table.told["guest"][-1] == f"Ada: {PHRASES[0]}"
    table.guest.say_phrase(3)
    table.run(1.0)
    assert table.told["host"][-1] == f"Bob: {PHRASES[3]}"
    for _ in range(50):
        table.guest.link.send(messages.Phrase(number=1))
    table.guest.link.send(messages.Phrase(number=2**40))
    table.run(1.0)
    assert sum(PHRASES[1] in text for text in table.told["host"]) == 1


def test_each_player_reads_in_their_own_language_why_a_match_ended():
    others = Others(lambda text: None, lambda number: True, None)
    others.on_lobby(messages.Lobby(names={"1": "Ann"}))
    left = messages.End(tick=9, ended="forfeit", why="Ann has left", cause="left", machine=1)
    away = messages.End(tick=9, ended="forfeit", why="Ann did not", cause="away", machine=1)
    other = messages.End(tick=9, ended="failed", why="another reason")
    use("de")
    try:
        told = [others.explain(end, grace=60.0).why for end in (left, away, other)]
    finally:
        use("en")
    assert told == ["Ann ist gegangen", "Ann kam nicht innerhalb von 60 s zurück", "another reason"]


def playing_table():
    """A table in the middle of its match; in `told` nothing yet."""
    table = Table()
    table.host.reserve({LEFT: Player("Ada", "keyboard")})
    table.run(2.0)
    table.join("Bob")
    table.run(3.0)
    table.host.ready(chance(table.host.play, LEFT))
    table.run(0.5)
    assert table.host.begun
    assert not table.guest.play.match.over
    for told in table.told.values():
        told.clear()
    return table


def in_german(act):
    use("de")
    try:
        return act()
    finally:
        use("en")


SILENT = ControllerError("remote://there:1 did not answer within 2 s", cause="silent")


def test_why_a_guests_player_fails_is_told_in_the_language_of_each_reader():
    table = playing_table()
    in_german(lambda: table.guest.own_failed(RIGHT, SILENT))
    table.run(1.0)
    why = "the player of Bob in the seat Right cannot play on: the policy server has stopped answering"
    assert table.told["host"] == [why]
    assert table.host.play.match.why == why
    german = "der Spieler von Bob auf dem Platz Rechts kann nicht weiterspielen: der Policy-Server antwortet nicht mehr"
    assert table.guest.play.match.why == german


def test_why_a_hosts_player_fails_is_told_in_the_language_of_each_reader():
    table = playing_table()
    in_german(lambda: table.host.own_failed(LEFT, ControllerError("expected an action, got: None")))
    table.run(1.0)
    why = "the player of Ada in the seat Left cannot play on: expected an action, got: None"
    assert table.guest.play.match.why == why
    assert table.host.play.match.why.startswith("der Spieler von Ada auf dem Platz ")
    assert table.host.end.loser == str(LEFT)


def test_a_game_that_fails_at_a_guest_is_named_in_the_hosts_language():
    table = playing_table()
    in_german(lambda: table.guest.leave("game", detail="the env raised ValueError: 3"))
    table.run(1.0)
    assert table.told["host"] == ["the game failed at Bob: the env raised ValueError: 3"]


def test_what_differs_is_told_in_the_language_of_each_reader():
    assert in_german(lambda: part_text("the observation of left_0", SPEC)) == "die Beobachtung von Links"
    assert in_german(lambda: reason_text("differs", "Bob", detail="41")).endswith(
        "weicht immer wieder ab, jetzt bei Tick 41"
    )
    assert part_text("the observation of left_0", SPEC) == "the observation of Left"
    assert part_text("of no such part", SPEC) == "of no such part"


def test_which_machine_has_another_result_is_told_in_the_language_of_each_reader():
    report = Report(lambda message: None)
    report.over_at = 0.0
    report.on_agreed(messages.Agreed(ok=False, why="Bob has another result", machine=1))
    assert in_german(lambda: report.verdict({"0": "Ada", "1": "Bob"})) == (False, "Bob hat ein anderes Ergebnis")
    assert report.verdict({}) == (False, "Bob has another result"), "as the host says of a machine unknown here"
