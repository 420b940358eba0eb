"""Strikes: everything that goes wrong, in a table."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from tests.benchmarks.chaos.actors import Actor, Arcade, Recording, Server, Tournament, Training
from tests.benchmarks.chaos.disks import Disk
from tests.benchmarks.chaos.process_table import command, descendants, started


class Scene:
    """All that can be struck."""

    def __init__(self, disk: Disk, actors: Mapping[str, Actor]) -> None:
        self.disk, self.actors = disk, actors
        self.left: list[tuple[float, int, str]] = []  # descendants of the killed: since when, process id, its start

    def actor(self, name: str) -> Actor:
        """The actor of that name."""
        return self.actors[name]


Victims = Callable[[Scene], list[int]]


def program(name: str) -> Victims:
    """The process of an actor, once it does its work."""
    return lambda scene: [scene.actor(name).pid] if scene.actor(name).is_warm else []


def stages(scene: Scene) -> list[int]:
    """The processes of games of the watched arcade."""
    arcade = scene.actor(Arcade.name)
    found = descendants(arcade.pid) if arcade.is_warm else []
    return [pid for pid in found if "arcade.match.stage.child" in command(pid)]


def workers(scene: Scene) -> list[int]:
    """The processes that play the matches of a tournament."""
    tournament = scene.actor(Tournament.name)
    found = descendants(tournament.pid) if tournament.is_warm else []
    return [pid for pid in found if "spawn_main" in command(pid)]


class Strike:
    """One thing that goes wrong, from `begin` to `end`."""

    counted: ClassVar[str]
    seconds: ClassVar[tuple[float, float]] = (0.0, 0.0)
    """How long it lasts, least and most."""

    def __init__(self, scene: Scene, chance: random.Random) -> None:
        self.scene, self.chance = scene, chance

    @property
    def name(self) -> str:
        """For the table of ratios."""
        return type(self).__name__

    @property
    def weight(self) -> float:
        """How often it strikes, beside the others."""
        return 2.0

    @property
    def is_possible(self) -> bool:
        """Whether there is something to strike now."""
        return True

    def begin(self, now: float) -> None:
        """Strike."""

    def end(self) -> None:
        """Let it pass; nothing remains."""


@dataclass(frozen=True)
class Target:
    """Processes of one kind, with the weights of both signals."""

    name: str
    victims: Victims
    kill: float
    stop: float


TARGETS = (
    Target("Server", program(Server.name), kill=7, stop=9),
    Target("Stage", stages, kill=6, stop=9),
    Target("Recorder", program(Recording.name), kill=9, stop=6),
    Target("Trainer", program(Training.name), kill=1, stop=5),
    Target("Tournament", program(Tournament.name), kill=3, stop=4),
    Target("Worker", workers, kill=6, stop=7),
)


class _Signal(Strike):
    """A signal to one process of a target."""

    def __init__(self, scene: Scene, chance: random.Random, target: Target) -> None:
        super().__init__(scene, chance)
        self._target = target

    @property
    def name(self) -> str:
        return super().name + self._target.name

    @property
    def is_possible(self) -> bool:
        return bool(self._target.victims(self.scene))

    def _victim(self) -> int:
        """A process, 0 where the last one has ended since it was found possible."""
        return self.chance.choice(sorted(self._target.victims(self.scene)) or [0])


class Kill(_Signal):
    """SIGKILL; the descendants of the victim must end by themselves."""

    counted = "kills"

    @property
    def weight(self) -> float:
        return self._target.kill

    def begin(self, now: float) -> None:
        victim = self._victim()
        if victim:
            self.scene.left += [(now, pid, started(pid)) for pid in descendants(victim)]
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)


class Stop(_Signal):
    """SIGSTOP, and SIGCONT later."""

    counted = "stops"
    seconds = (0.1, 0.9)

    @property
    def weight(self) -> float:
        return self._target.stop

    def begin(self, now: float) -> None:
        self._stopped = self._victim()
        self._since = started(self._stopped)
        with suppress(ProcessLookupError):
            if self._stopped:
                os.kill(self._stopped, signal.SIGSTOP)

    def end(self) -> None:
        if self._since and started(self._stopped) == self._since:
            with suppress(ProcessLookupError):
                os.kill(self._stopped, signal.SIGCONT)


class FullDisk(Strike):
    """No room in ARCADE_HOME."""

    counted = "full_disks"
    seconds = (1.0, 3.0)

    @property
    def is_possible(self) -> bool:
        return self.scene.disk.is_small

    def begin(self, now: float) -> None:
        self.scene.disk.fill()

    def end(self) -> None:
        self.scene.disk.empty()


class SlowDisk(Strike):
    """Each flush takes a quarter of a second longer."""

    counted = "slow_disks"
    seconds = (1.0, 3.0)

    def begin(self, now: float) -> None:
        self.scene.disk.slow_file.touch()

    def end(self) -> None:
        self.scene.disk.slow_file.unlink(missing_ok=True)


class _Network(Strike):
    counted = "losses"

    def _server(self) -> Server:
        server = self.scene.actor(Server.name)
        assert isinstance(server, Server)
        return server


class LostPackets(_Network):
    """Nothing passes between arcade and policy server."""

    seconds = (0.3, 1.5)

    def begin(self, now: float) -> None:
        self._server().proxy.stalled = True

    def end(self) -> None:
        self._server().proxy.stalled = False


class ResetConnection(_Network):
    """The connections between arcade and policy server are reset."""

    def begin(self, now: float) -> None:
        self._server().proxy.reset()


STRIKES: tuple[Callable[[Scene, random.Random], Strike], ...] = (
    *(partial(kind, target=target) for kind in (Kill, Stop) for target in TARGETS),
    FullDisk, SlowDisk, LostPackets, ResetConnection,
)  # fmt: skip


def choose(scene: Scene, chance: random.Random) -> Strike:
    """One of those that are possible now, by weight."""
    possible = [strike for strike in (make(scene, chance) for make in STRIKES) if strike.is_possible]
    return chance.choices(possible, [strike.weight for strike in possible])[0]
