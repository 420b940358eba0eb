"""Chess and go programs in seats: what is said to them, word for word, and what becomes of those that fail."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest
from gymnasium import spaces
from pettingzoo.classic import chess_v6, go_v5

from agents.engines.engine import STALL
from agents.engines.uci import action_of
from agents.seats.controller import Controller, ControllerError, SeatChoice, SeatError, SeatSpec, Turn, TurnClock
from agents.seats.kinds import SeatContext, find_kind, parse_seat
from agents.snapshots.store import SnapshotStore
from tests.support.engine_programs import BEGUN, PROGRAM, UCI

CHESS = SeatSpec(
    game="classic/chess_v6", agent="player_0",
    observation_space=spaces.Box(0, 1, (8, 8, 111), bool), action_space=spaces.Discrete(4672),
)  # fmt: skip
GO = SeatSpec(
    game="classic/go_v5", agent="white_0",
    observation_space=spaces.Box(0, 1, (5, 5, 17), bool), action_space=spaces.Discrete(26),
)  # fmt: skip

GTP = """> boardsize 5
< =
<
> komi 7.5
< =
<
> clear_board
< =
<
> known_command set_random_seed
< = true
<
> set_random_seed 7
< =
<
"""
ANSWER = "< = {}\n<\n"


def make_engine(choice: SeatChoice, seat: SeatSpec) -> Controller:
    return find_kind(choice.kind).make(choice, seat, SeatContext(store=SnapshotStore("unused")))


def script_of(commands: str) -> str:
    """GTP commands and behind each its answer, as in ``genmove white: C3``."""
    return "".join(
        f"> {command}\n< = {answer}\n<\n" for command, _, answer in (line.partition(": ") for line in commands)
    )


class Desk:
    """Scripts on a table, and controllers of the programs that keep to them."""

    def __init__(self, folder: Path) -> None:
        self.script, self.log = folder / "script.txt", folder / "script.log"
        self.now = 0.0
        self.controllers: list[Controller] = []

    def word(self, kind: str, script: str, options: str = "") -> str:
        self.script.write_text(script)
        return f"{kind}:'{sys.executable}' -S -E '{PROGRAM}' '{self.script}'{options}"

    def sit(self, kind: str, script: str, options: str = "") -> Controller:
        controller = make_engine(parse_seat(self.word(kind, script, options)), CHESS if kind == "uci" else GO)
        controller._clock = lambda: self.now
        self.controllers.append(controller)
        controller.reset(CHESS if kind == "uci" else GO, seed=7)
        return controller

    def read_log(self) -> list[str]:
        return self.log.read_text().splitlines()

    @property
    def process(self) -> int:
        return int(self.read_log()[0].split()[1])


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    for controller in desk.controllers:
        controller.close()


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "waited a minute"
        time.sleep(0.01)


def ask(controller: Controller, turn: Turn) -> int:
    controller.observe(turn)
    found: list[int] = []

    def look() -> list[int]:
        answer = controller.act()
        found.extend([] if answer is None else [answer])
        return found

    wait_for(look)
    return found[0]


def turns(env, count: int, *, moves: dict[int, int]):
    """The turns of the agent that acts in an env, ply by ply, `moves` being what is played."""
    env.reset(seed=0)
    for ply in range(count):
        seen = env.observe(env.agent_selection)
        yield Turn(env.agent_selection, ply, seen["observation"], seen["action_mask"])
        env.step(moves[ply])


def uci_action(move: str, *, black: bool = False) -> int:
    return action_of(chess.Move.from_uci(move), black=black)


def first_turn() -> Turn:
    return next(turns(chess_v6.env(), 1, moves={}))


def go_turn() -> Turn:
    """White's first one on five by five, black stands on C3."""
    *_, turn = turns(go_v5.env(board_size=5), 2, moves={0: 12, 1: 0})
    return turn


# Chess


def test_a_chess_program_is_asked_by_the_protocol(desk: Desk) -> None:
    script = (
        BEGUN.replace("value 1", "value 1\n> setoption name Skill Level value 3")
        + "> position startpos\n> go movetime 50\n< info depth 1\n< bestmove e2e4\n"
        + "> position startpos moves e2e4 e7e5\n> go movetime 50\n< bestmove g1f3\n"
    )
    player = desk.sit("uci", script, "?skill=3&movetime_ms=50")
    moves = {0: uci_action("e2e4"), 1: uci_action("e7e5", black=True), 2: uci_action("g1f3")}
    for ply, turn in enumerate(turns(chess_v6.env(), 3, moves=moves)):
        if ply % 2 == 0:
            assert ask(player, turn) == moves[ply]
    player.close()
    assert desk.read_log()[1:] == ["left 0"]


@pytest.mark.parametrize(
    ("options", "said", "limit"),
    [
        ("?nodes=900&depth=4", "", "depth 4 nodes 900"),
        ("?elo=1500&nodes=1", "UCI_LimitStrength value true\n> setoption name UCI_Elo value 1500", "nodes 1"),
        ("", "", "movetime 100"),
    ],
)
def test_settings_of_a_chess_program_reach_it(desk: Desk, options: str, said: str, limit: str) -> None:
    begun = BEGUN.replace("value 1", f"value 1\n> setoption name {said}") if said else BEGUN
    player = desk.sit("uci", begun + f"> position startpos\n> go {limit}\n< bestmove a2a3\n", options)
    assert ask(player, first_turn()) == uci_action("a2a3")


ASKED = BEGUN + "> position startpos\n> go movetime 100\n"


@pytest.mark.parametrize(
    ("script", "options", "words"),
    [
        ("exit", "", "died"),
        (ASKED + "exit", "", "died"),
        (ASKED + "< bestmove e2e5\nexit", "", "e2e5"),
        (ASKED + "< bestmove rubbish\nexit", "", "rubbish"),
        (ASKED + "< bestmove (none)\nexit", "", "no move"),
        ("> uci\n< uciok\nhang", "?skill=3", "Skill Level"),
        (UCI + "hang", "?elo=100", "UCI_Elo"),
    ],
)
def test_a_chess_program_that_fails_is_named(desk: Desk, script: str, options: str, words: str) -> None:
    player = desk.sit("uci", script, options)
    with pytest.raises(ControllerError, match=words) as caught:
        ask(player, first_turn())
    assert player.label in str(caught.value)
    wait_for(lambda: not lives(desk.process))


@pytest.mark.parametrize(("kind", "script"), [("uci", UCI.replace("< uciok", "hang")), ("uci", ASKED + "hang")])
def test_a_program_that_stalls_is_ended(desk: Desk, kind: str, script: str) -> None:
    player = desk.sit(kind, script)
    player.observe(first_turn())
    wait_for(lambda: desk.log.exists() and desk.read_log())
    assert player.act() is None
    desk.now = STALL + 1
    with pytest.raises(ControllerError, match="within 25 s"):
        player.act()
    wait_for(lambda: not lives(desk.process))


def test_the_next_episode_starts_a_program_that_ended_afresh(desk: Desk) -> None:
    player = desk.sit("uci", "exit")
    with pytest.raises(ControllerError):
        ask(player, first_turn())
    desk.script.write_text(ASKED + "< bestmove e2e4\n")
    player.reset(CHESS, seed=8)
    assert ask(player, first_turn()) == uci_action("e2e4")


# Go


@pytest.mark.parametrize(("score", "low", "high"), [("cp 0", -0.1, 0.1), ("mate -2", -1, -1), ("cp 900", 0.9, 1)])
def test_a_chess_program_says_what_it_expects_at_its_newest_move(desk: Desk, score, low, high) -> None:
    player = desk.sit("uci", ASKED + f"< info depth 9 score {score}\n< bestmove e2e4\n")
    assert player.outlook() is None
    ask(player, first_turn())
    assert low <= player.outlook() <= high


def test_a_go_program_hears_each_move_once(desk: Desk) -> None:
    """Row 0 is on top, columns lack the I; what the other side does is told, and nothing twice."""
    script = GTP + script_of(
        ["clear_board: ", "play black C3: ", "genmove white: C4", "play black pass: ", "genmove white: a5"]
    )
    player = desk.sit("gtp", script)
    moves = {0: 12, 1: 7, 2: 25, 3: 0}
    for ply, turn in enumerate(turns(go_v5.env(board_size=5), 4, moves=moves)):
        if ply % 2 == 1:
            assert ask(player, turn) == moves[ply]
    player.close()
    assert desk.read_log()[1:] == ["left 0"]


@pytest.mark.parametrize(
    ("increment", "told"),
    [
        (0.0, ["time_settings 180 0 0: "]),
        (2.0, ["known_command kata-time_settings: false", "time_settings 180 0 0: "]),
        (2.0, ["known_command kata-time_settings: true", "kata-time_settings fischer 180 2: "]),
    ],
)
def test_a_go_program_is_told_the_clocks_of_both_sides(desk: Desk, increment: float, told: list[str]) -> None:
    script = GTP + script_of(
        [
            "clear_board: ", "play black C3: ", "known_command time_left: true", *told, "time_left white 180 0: ",
            "time_left black 171 0: ", "genmove white: C4", "play black pass: ", "time_left white 101 0: ",
            "time_left black 1 0: ", "genmove white: a5",
        ]
    )  # fmt: skip
    player, clocks = desk.sit("gtp", script), [TurnClock(180, 171.9, increment), TurnClock(101.2, 0.4, increment)]
    moves = {0: 12, 1: 7, 2: 25, 3: 0}
    for ply, turn in enumerate(turns(go_v5.env(board_size=5), 4, moves=moves)):
        if ply % 2 == 1:
            turn.clock = clocks.pop(0)
            assert ask(player, turn) == moves[ply]
    player.close()
    assert desk.read_log()[1:] == ["left 0"]


def test_a_go_program_without_clocks_plays_a_match_with_them(desk: Desk) -> None:
    script = GTP + script_of(
        ["clear_board: ", "play black C3: ", "known_command time_left: false", "genmove white: C4"]
    )
    player, turn = desk.sit("gtp", script), go_turn()
    turn.clock = TurnClock(60, 60, 0)
    assert ask(player, turn) == 7


def test_a_go_program_is_shown_the_board_where_others_have_played(desk: Desk) -> None:
    """As after somebody else sat in this seat, or a move was taken back."""
    game = ["play black C3: ", "play white C4: ", "play black B4: ", "genmove white: resign"]
    script = GTP + script_of(["clear_board: ", "play black C3: ", "genmove white: A1", "clear_board: ", *game])
    player = desk.sit("gtp", script)
    answers = [
        ask(player, turn)
        for ply, turn in enumerate(turns(go_v5.env(board_size=5), 4, moves={0: 12, 1: 7, 2: 6, 3: 25}))
        if ply % 2 == 1
    ]
    player.close()
    assert answers == [20, 25]  # PettingZoo's go knows no resigning: it passes
    assert desk.read_log()[1:] == ["left 0"]


def test_a_go_program_with_stricter_rules_is_shown_what_stands_there(desk: Desk) -> None:
    refused = "> play black C3\n< ? illegal move\n<\n"
    script = (
        GTP + "> clear_board\n< =\n<\n" + refused + script_of(["clear_board: ", "play black C3: ", "genmove white: A5"])
    )
    player = desk.sit("gtp", script)
    assert ask(player, go_turn()) == 0


SHOWN = GTP + script_of(["clear_board: ", "play black C3: "]) + "> genmove white\n"


@pytest.mark.parametrize(
    ("script", "options", "words"),
    [
        ("exit", "", "its end"),
        (GTP + "exit", "", "its end"),
        (SHOWN + "exit", "", "its end"),
        (SHOWN + ANSWER.format("C3"), "", "C3.*illegal"),
        (SHOWN + ANSWER.format("I3"), "", "I3"),
        (SHOWN + ANSWER.format(""), "", "vertex"),
        (SHOWN + "< hello\n<\n", "", "hello"),
        (GTP.partition("> known")[0] + "> level 3\n< ? unknown command\n<\n", "?level=3", "unknown command"),
    ],
)
def test_a_go_program_that_fails_is_named(desk: Desk, script: str, options: str, words: str) -> None:
    player = desk.sit("gtp", script.rstrip() + "\nhang", options)
    with pytest.raises(ControllerError, match=words) as caught:
        ask(player, go_turn())
    assert player.label in str(caught.value)
    wait_for(lambda: not lives(desk.process))


def test_a_go_program_that_stalls_is_ended(desk: Desk) -> None:
    player = desk.sit("gtp", SHOWN + "hang")
    player.observe(go_turn())
    wait_for(lambda: desk.log.exists() and desk.read_log())
    desk.now = STALL + 1
    with pytest.raises(ControllerError, match="within 25 s"):
        player.act()
    wait_for(lambda: not lives(desk.process))


# Processes


@pytest.mark.parametrize(
    ("kind", "script"), [("uci", "hang"), ("uci", ASKED + "hang"), ("gtp", "hang"), ("gtp", SHOWN + "hang")]
)
def test_closing_the_seat_ends_the_program_at_once(desk: Desk, kind: str, script: str) -> None:
    player = desk.sit(kind, script)
    player.observe(first_turn() if kind == "uci" else go_turn())
    wait_for(lambda: desk.log.exists() and desk.read_log())
    player.close()
    assert not lives(desk.process)
    player.close()


@pytest.mark.parametrize("kind", ["uci", "gtp"])
def test_what_a_script_around_a_program_has_started_ends_with_it(kind: str, tmp_path: Path) -> None:
    around, started = tmp_path / "around.sh", tmp_path / "started"
    around.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {started}.part\nmv {started}.part {started}\nwait\n")
    around.chmod(0o755)
    player = make_engine(parse_seat(f"{kind}:{around}"), CHESS if kind == "uci" else GO)
    player.reset(CHESS if kind == "uci" else GO, seed=7)
    wait_for(started.exists)
    player.close()
    wait_for(lambda: not lives(int(started.read_text())))


@pytest.mark.parametrize(("kind", "script"), [("uci", UCI + "hang"), ("gtp", GTP + "hang")])
def test_a_program_is_out_of_reach_of_the_terminals_interrupt(desk: Desk, kind: str, script: str) -> None:
    desk.sit(kind, script)
    wait_for(lambda: desk.log.exists() and desk.read_log())
    assert os.getpgid(desk.process) != os.getpgid(0)


OWNER = """
import sys
from types import SimpleNamespace as Space
from agents.seats.controller import SeatSpec
from agents.seats.kinds import parse_seat
from agents.seats.kinds import find_kind
shape, n = {"uci": ((8, 8, 111), 4672), "gtp": ((5, 5, 17), 26)}[sys.argv[1][:3]]
seat = SeatSpec(game="a/b", agent="one", observation_space=Space(shape=shape), action_space=Space(n=n))
choice = parse_seat(sys.argv[1])
player = find_kind(choice.kind).make(choice, seat, None)
player.reset(seat, seed=7)
sys.stdin.read()
"""


@pytest.mark.parametrize(("kind", "script"), [("uci", UCI + "hang"), ("gtp", GTP + "hang")])
def test_a_program_ends_with_an_arcade_that_is_killed(desk: Desk, kind: str, script: str) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", OWNER, desk.word(kind, script)]
    owner = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE)
    try:
        wait_for(lambda: desk.log.exists() and desk.read_log())
        assert lives(desk.process)
        owner.send_signal(signal.SIGKILL)
        owner.wait(60)
        wait_for(lambda: not lives(desk.process))
    finally:
        owner.kill()
        owner.wait(60)
        assert owner.stdin is not None
        owner.stdin.close()


# Words


@pytest.mark.parametrize("options", ["skill=x", "nodes=0", "movetime_ms=90000", "depth=1.5", "skill=-1"])
def test_wrong_settings(options: str, desk: Desk) -> None:
    with pytest.raises(SeatError, match="expected"):
        make_engine(parse_seat(desk.word("uci", "", f"?{options}")), CHESS)


def test_seats_that_do_not_fit_and_programs_that_are_not_there(desk: Desk) -> None:
    with pytest.raises(ControllerError, match=r"chess_v6.*go_v5"):
        make_engine(parse_seat(desk.word("uci", "")), GO)
    with pytest.raises(ControllerError, match=r"go_v5.*chess_v6"):
        make_engine(parse_seat(desk.word("gtp", "")), CHESS)
    for word in ("uci:no-such-program", "uci:'open", "gtp:/nowhere/gnugo"):
        with pytest.raises(ControllerError, match="install it"):
            make_engine(parse_seat(word), CHESS)
