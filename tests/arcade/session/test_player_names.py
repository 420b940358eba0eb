"""The names of players on screens."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest

from agents.engines.engine import OFFERED
from agents.seats.kinds import parse_seat
from agents.snapshots.card import SnapshotCard
from arcade import language
from arcade.games import find_game
from arcade.match.play.result import MatchResult, SeatChange
from arcade.recordings.card import RecordingCard
from arcade.session.game_list import opponent_text
from arcade.session.player_names import PlayerNames
from arcade.session.recordings import recording_texts
from arcade.session.result_texts import final_label
from arcade.session.seating import EASY, Seating, default_opponent, opponent_of
from arcade.session.snapshot_names import short_names

VOLLEY, CHESS, FOUR = find_game("volley"), find_game("chess"), find_game("connect_four")
RUN = "connect_four_v3-20261122-171500"
START = datetime(2026, 11, 22, 17, 15).astimezone()


def card(number: int, *, minutes: float = 3, run: str = RUN, step: int = 40_000, **more) -> SnapshotCard:
    facts = {
        "game": FOUR.id,
        "observation": {"shape": (6, 7, 2), "dtype": "int8"},
        "action": {"kind": "discrete", "n": 7},
        "created": START + timedelta(minutes=minutes),
        "trained_seconds": 60 * minutes,
    }
    return SnapshotCard(**facts | {"name": f"{run}-{number:04d}", "run": run, "step": step} | more)


KEY = "ab" * 32


@pytest.mark.parametrize(
    ("seat", "name"),
    [
        (f"remote:tcp://{KEY}@192.168.1.5:5555/volley-7", "Volley, no. 7 at 192.168.1.5"),
        ("remote:tcp://[fe80::1]:5555/latest", "Newest snapshot at fe80::1"),
        ("remote:tcp://127.0.0.1:5555", "Remote player at this computer"),
        ("remote:tcp://arcade.example:5555", "Remote player at arcade.example"),
    ],
)
def test_a_remote_player_is_named_by_policy_and_host(seat: str, name: str) -> None:
    names, choice = PlayerNames(VOLLEY), parse_seat(seat)
    assert names.of_choice(choice) == name
    assert names.of_label(seat) == name, "as an opponent of a training"
    if choice.argument.count("/") == 2:
        assert names.of_label(choice.argument, kind="remote") == name, "a server that never answered"


def test_german_joins_all_words_of_a_compound_name() -> None:
    language.use("de")
    try:
        assert PlayerNames(FOUR).of_choice(parse_seat("level:hard")) == "Vier-gewinnt-KI, schwer"
    finally:
        language.use("en")


@pytest.mark.parametrize(
    ("spec", "word", "name"),
    [
        (VOLLEY, "level:hard", "Volley AI, hard"),
        (CHESS, "scripted?level=easy", "Chess AI, easy"),
        (CHESS, "scripted?level=hard&mistakes=0.4", "Chess AI, hard (40% of moves a level below)"),
        (VOLLEY, "level:even", "About your strength"),
        (VOLLEY, "level:hard?noise=0.2", "Volley AI, hard (20% slips)"),
        (VOLLEY, "random", "Random bot"),
        (VOLLEY, "scripted", "Scripted bot"),
        (VOLLEY, "idle", "Empty seat"),
        (VOLLEY, "snapshot:latest", "Newest snapshot"),
        (FOUR, f"snapshot:{RUN}-0001", "Connect Four, 3 min"),
        (CHESS, "uci:stockfish?skill=3", "Stockfish, club player (skill 3)"),
        (CHESS, "uci:stockfish?skill=0&depth=1", "Stockfish, beginner"),
        (CHESS, "uci:stockfish?skill=20&movetime_ms=900", "Stockfish, skill 20, 900 ms"),
        (CHESS, "gtp:gnugo?level=1", "GNU Go, beginner"),
        (VOLLEY, "gamepad:0", "Gamepad 1"),
    ],
)
def test_seat_words_have_plain_names(spec, word, name):
    assert PlayerNames(spec, {f"{RUN}-0001": "Connect Four, 3 min"}).of_choice(parse_seat(word)) == name


@pytest.mark.parametrize(
    ("label", "kind", "name"),
    [
        ("volley-7 (hard)", "level", "Volley AI, hard"),
        ("AI, hard", "scripted", "Volley AI, hard"),
        ("AI, hard (mistakes 0.4)", "scripted", "Volley AI, hard (40% of moves a level below)"),
        ("random", "random", "Random bot"),
        ("random", "", "Random bot"),
        ("random", "keyboard", "random"),
        ("Ann (hard)", "keyboard", "Ann (hard)"),
        ("volley-7", "snapshot", "Volley, the seventh"),
        ("volley-7", "", "Volley, the seventh"),
        ("volley_run-20261122-171500-0012", "snapshot", "Volley, no. 12"),
        ("volley-7 (400 ms)", "snapshot", "Volley, the seventh (reacts after 400 ms)"),
        ("stockfish (skill 3)", "uci", "Stockfish, club player (skill 3)"),
        ("their player", "remote", "their player"),
    ],
)
def test_labels_of_the_ladder_read_as_the_same_names(label, kind, name):
    assert PlayerNames(VOLLEY, {"volley-7": "Volley, the seventh"}).of_label(label, kind) == name


@pytest.mark.parametrize("game", ["classic/chess_v6", "classic/go_v5"])
def test_every_engine_that_is_offered_has_a_strength_in_words(game):
    names = PlayerNames(find_game(game))
    offered = [names.of_choice(choice) for choice in OFFERED[game]]
    assert len(set(offered)) == len(offered)
    assert all(any(word in name for word in ("beginner", "player", "master", "full")) for name in offered), offered


def test_snapshots_are_named_by_how_long_they_were_trained_for():
    cards = [
        card(0, step=0),
        card(1),
        card(2, minutes=125),
        card(3, minutes=0.5),
        card(9, run="mine", step=1_250_000, trained_seconds=0),
    ]
    assert list(short_names(FOUR, cards).values()) == [
        "Connect Four, untrained", "Connect Four, 3 min", "Connect Four, 2 h 5 min", "Connect Four, 30 s",
        "Connect Four, 1.25 million steps",
    ]  # fmt: skip


def test_a_clone_that_somebody_named_has_that_name():
    clone = card(0, name="my-clone", step=0, run="", algorithm="BC")
    assert list(short_names(FOUR, [clone]).values()) == ["Connect Four, my-clone"]


def test_no_two_snapshots_have_the_same_name():
    cards = [card(1), card(2), card(1, run="connect_four_v3-20261121-171500", created=START - timedelta(hours=23.95))]
    assert list(short_names(FOUR, cards).values()) == [
        "Connect Four, 3 min, 22 November, no. 1",
        "Connect Four, 3 min, 22 November, no. 2",
        "Connect Four, 3 min, 21 November",
    ]


def test_snapshots_of_some_seats_name_them():
    tag = find_game("simple_tag")
    chaser = card(1, game=tag.id, agents=("adversary_0", "adversary_1", "adversary_2"))
    assert list(short_names(tag, [chaser]).values()) == ["Simple Tag, Red chaser, 3 min"]


def test_a_result_is_shown_with_names_and_keeps_those_of_people():
    result = MatchResult(
        game=VOLLEY.id, seed=1, ticks=9, seconds=1.0, ended="finished", returns={"left_0": 1.0, "right_0": -1.0},
        lineup={"left_0": "scripted", "right_0": "random"}, teams=[["left_0"], ["right_0"]],
        placements={"left_0": 1, "right_0": 2}, late={},
        seats={"left_0": {"kind": "keyboard"}, "right_0": {"kind": "random"}},
    )  # fmt: skip
    names = PlayerNames(VOLLEY)
    assert names.of_result(result).lineup == {"left_0": "scripted", "right_0": "Random bot"}, "somebody's own name"
    taken = replace(result, changes=[SeatChange(tick=3, agent="right_0", label="Ann", why="takeover")])
    shown = names.of_result(taken)
    assert (shown.lineup["right_0"], shown.changes[0].label) == ("Random bot", "Ann")
    joined = replace(result, changes=[SeatChange(tick=3, agent="right_0", label="random", why="join")])
    assert names.of_result(joined).changes[0].label == "Random bot", "AI of another machine may join, too"


def test_a_result_names_the_ai_that_a_person_took_over_from():
    result = MatchResult(
        game=VOLLEY.id, seed=1, ticks=9, seconds=1.0, ended="finished", returns={"left_0": 1.0, "right_0": -1.0},
        lineup={"left_0": "volley-7", "right_0": "volley-7"}, teams=[["left_0"], ["right_0"]],
        placements={"left_0": 1, "right_0": 2}, late={},
        seats={"left_0": {"kind": "keyboard"}, "right_0": {"kind": "snapshot"}},
        changes=[
            SeatChange(tick=3, agent="left_0", label="Ann", why="takeover"),
            SeatChange(tick=3, agent="right_0", label="volley-7"),
        ],
    )  # fmt: skip
    shown = PlayerNames(VOLLEY, {"volley-7": "Volley, 24 million steps"}).of_result(result)
    assert shown.lineup == {"left_0": "Volley, 24 million steps", "right_0": "Volley, 24 million steps"}
    assert final_label(shown, "left_0") == "Ann (after Volley, 24 million steps)"
    assert final_label(shown, "right_0") == "Volley, 24 million steps"


def test_one_meets_whom_one_chose_last_and_else_the_default():
    me, expert, stockfish = map(parse_seat, ("keyboard", "level:expert", "uci:stockfish?skill=0&depth=1"))
    seating = partial(Seating, CHESS, devices=[me], engines=[stockfish])
    assert opponent_of(seating()) == EASY
    assert opponent_of(seating(lineup={"player_0": me, "player_1": expert})) == expert
    assert opponent_of(seating(lineup={"player_0": me, "player_1": me})) == EASY
    assert opponent_of(seating(lineup={"player_0": me, "player_1": stockfish})) == stockfish


def test_the_game_list_says_whom_one_meets():
    def text(game, snapshots=(), engines=()):
        spec = find_game(game)
        return opponent_text(PlayerNames(spec), default_opponent(spec, snapshots=snapshots, engines=engines))

    assert text("chess", engines=[parse_seat("uci:stockfish?skill=0&depth=1")]) == "You meet: Chess AI, easy"
    assert text("chess") == "You meet: Chess AI, easy"
    assert text("volley", snapshots=["volley-1"]) == "You meet: Volley AI, easy"
    assert text("volley") == "You meet: Scripted bot"
    assert text("pong") == "You meet: Pong AI, easy"
    assert text("simple_push") == "You meet: Random bot, which plays random moves"
    assert text("pistonball") == "You play with: Pistonball AI, easy"
    assert text("simple_spread") == "You play with: Random bot, which plays random moves"
    assert text("simple_v3") == ""


def test_a_recording_names_its_players_as_other_screens_do():
    card = RecordingCard(
        id="one", game=VOLLEY.id, seed=1, ticks=9, bytes=9, created=START,
        lineup={"left_0": "Ann", "right_0": "volley-7 (hard)"},
        kinds={"left_0": "keyboard", "right_0": "level"}, people={"left_0": "Ann"}, teams=(("left_0",), ("right_0",)),
        placements={"left_0": 2, "right_0": 1}, ended="finished",
    )  # fmt: skip
    names = PlayerNames(VOLLEY)
    assert recording_texts.sides(card, names) == "Ann against Volley AI, hard"
    assert recording_texts.outcome(card, names) == "Volley AI, hard won"
    assert recording_texts.sides(card) == "Ann against volley-7 (hard)", "the terminal has labels"


def test_the_winner_of_a_recorded_match_of_two_equal_players_is_named_by_the_seat() -> None:
    card = RecordingCard(
        id="x", game=VOLLEY.id, seed=1, ticks=9, bytes=9, created=START, ended="finished",
        lineup=dict.fromkeys(("left_0", "right_0"), "volley-7 (hard)"),
        kinds=dict.fromkeys(("left_0", "right_0"), "level"),
        teams=(("left_0",), ("right_0",)), placements={"left_0": 2, "right_0": 1},
    )  # fmt: skip
    assert recording_texts.outcome(card, PlayerNames(VOLLEY)) == "Right won"


def test_a_recording_that_ended_by_forfeit_names_the_winner():
    card = RecordingCard(
        id="x", game=VOLLEY.id, seed=1, ticks=9, bytes=9, created=START, ended="forfeit",
        lineup={"left_0": "Ann", "right_0": "Bo"},
        teams=(("left_0",), ("right_0",)), placements={"left_0": 2, "right_0": 1},
    )  # fmt: skip
    assert recording_texts.outcome(card) == "Bo won by forfeit"
    assert recording_texts.outcome(card.model_copy(update={"placements": {}})) == "ended early"
    assert recording_texts.outcome(card.model_copy(update={"ended": "quit"})) == "ended early"
    three = {
        "lineup": {"a": "Ann", "b": "Bo", "c": "Cy"}, "teams": (("a",), ("b",), ("c",)),
        "placements": {"a": 1, "b": 3, "c": 1},
    }  # fmt: skip
    assert recording_texts.outcome(card.model_copy(update=three)) == "Bo forfeited"


def test_a_continued_recording_names_the_players_of_its_beginning():
    card = RecordingCard(
        id="two", game=VOLLEY.id, seed=1, ticks=9, bytes=9, created=START, parent="one",
        lineup={"left_0": "Ann", "right_0": "random"}, kinds={"left_0": "replay", "right_0": "replay"},
        teams=(("left_0",), ("right_0",)),
    )  # fmt: skip
    assert recording_texts.sides(card, PlayerNames(VOLLEY)) == "Ann against Random bot"


def test_two_players_of_one_name_at_a_table_are_told_apart_by_their_seats() -> None:
    names = PlayerNames(find_game("texas_holdem"))
    ai = "Texas Hold'em AI, easy"
    assert names.of_table({"player_0": "Ada", "player_1": ai}) == {"player_0": "Ada", "player_1": ai}
    told = names.of_table({"player_0": ai, "player_1": ai})
    assert told == {"player_0": f"{ai}, Player 1", "player_1": f"{ai}, Player 2"}
