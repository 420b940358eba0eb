"""A machine that a person sits in for: it looks on, and goes on where it is."""

from __future__ import annotations

from agents.seats.controller import Action, Controller, ControllerError, SeatSpec, Turn
from arcade.match.play.match import Match
from arcade.match.play.result import Recorder
from arcade.match.stage.local import LocalStage
from tests.support.counting_games import counting_spec
from tests.support.puppets import RATE, Clock


class Counter(Controller):
    """Plays 0 until it has been asked six times since its reset, and 1 from then on: a policy with a memory."""

    label = "counter"

    def __init__(self) -> None:
        self.resets = self.closed = 0
        self.ticks: list[int] = []
        self.finished: list[float] = []

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self.resets += 1
        self.ticks = []

    def observe(self, turn: Turn) -> None:
        self.ticks.append(turn.tick)

    def act(self) -> Action | None:
        return int(len(self.ticks) > 6)

    def finish(self, reward: float, *, terminated: bool) -> None:
        self.finished.append(reward)

    def close(self) -> None:
        self.closed += 1


class Person(Counter):
    label = "Ann"
    kind = "keyboard"

    def act(self) -> Action | None:
        return 2


class Stumbler(Counter):
    def observe(self, turn: Turn) -> None:
        if turn.tick > 3:
            raise ControllerError("stumbled")


class Notes(Recorder):
    """A recorder of what was done."""

    def __init__(self) -> None:
        self.done: list[Action] = []
        self.why: list[tuple[int, str]] = []

    def tick(self, tick, actions, seconds):
        if tick.index:
            self.done.append(actions["ann"])

    def changed(self, change, source):
        self.why.append((change.tick, change.why))


def begin(machine: Controller) -> tuple[Match, Notes]:
    notes = Notes()
    stage = LocalStage(counting_spec())
    match = Match(stage, {"ann": machine, "bob": Counter()}, seed=1, rate=RATE, recorders=[notes], clock=Clock())
    match.start()
    return match, notes


def play(match: Match, until: int) -> None:
    """Up to that tick, which nobody has answered yet."""
    while match.tick is None or match.tick.index < until:
        match.clock.now.now += 0.25 / RATE
        match.advance(match.clock.now())


def test_it_is_asked_at_every_turn_and_goes_on_with_what_it_remembers() -> None:
    machine, person = Counter(), Person()
    match, notes = begin(machine)
    play(match, 2)
    match.reserves.keep("ann", match.replace("ann", person, why="takeover"))
    play(match, 5)
    assert match.give_back("ann") is person
    assert "ann" not in match.reserves
    play(match, 8)
    assert machine.resets == 1
    assert machine.ticks == list(range(9)), "each turn once, in order"
    assert person.ticks == [2, 3, 4, 5]
    assert notes.done == [0, 0, 2, 2, 2, 0, 1, 1], "from its seventh turn on it plays 1: it has counted them all"
    assert notes.why == [(2, "takeover"), (5, "give back")]


def test_another_machine_takes_its_place_and_its_match_ends_with_it() -> None:
    machine = Counter()
    match, _ = begin(machine)
    play(match, 1)
    match.reserves.keep("ann", match.replace("ann", Person(), why="takeover"))
    match.replace("ann", Person(), why="takeover")
    assert "ann" in match.reserves, "a second person sits in for the same machine"
    match.replace("ann", Counter())
    assert "ann" not in match.reserves
    assert machine.closed == 1
    waits = match.mapping["ann"]
    match.reserves.keep("ann", match.replace("ann", Person(), why="takeover"))
    match.quit()
    assert waits.finished == [0.0]
    match.reserves.close()
    assert waits.closed == 1


def test_one_that_fails_meanwhile_is_gone_and_the_match_goes_on() -> None:
    machine = Stumbler()
    match, notes = begin(machine)
    play(match, 1)
    match.reserves.keep("ann", match.replace("ann", Person(), why="takeover"))
    play(match, 6)
    assert "ann" not in match.reserves
    assert machine.closed == 1
    assert notes.done[-3:] == [2, 2, 2]


def test_a_game_that_waited_for_the_person_goes_on_with_the_machines_own_move() -> None:
    machine, person = Counter(), Person()
    person.act = lambda: None
    clock = Clock()
    match = Match(
        LocalStage(counting_spec(turn_based=True)), {"ann": machine, "bob": Counter()}, seed=1, clock=clock, rate=RATE
    )
    match.start()
    play(match, 2)
    match.reserves.keep("ann", match.replace("ann", person, why="takeover"))
    for _ in range(20):
        clock.now += 1 / RATE
        match.advance(clock.now)
    assert match.tick.index == 2
    assert match.waiting_for == ("ann",)
    match.give_back("ann")
    play(match, 3)
    assert machine.ticks == [0, 1, 2, 3]
