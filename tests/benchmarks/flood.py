"""The answers to a seat while another peer floods the policy server.

Prints for each kind of flood ``ratio`` (at most 2: the p50 round trip of the seat beside the flood over that without,
the flood being stopped and continued in turn), ``server_core`` (the share of one core that the server used beside the
flood: at most 2, its own thread and libzmq's) and the messages a second that the flood got rid of.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from statistics import median
from typing import Any

from agents.seats.controller import Turn
from agents.wire.client import RemoteController
from agents.wire.messages import Act, ListSnapshots, encode
from tests.benchmarks.remote import OBSERVATIONS, SEAT, child, greet, greeting, run_server, seat_trip

ALTERNATIONS, SECONDS = 10, 0.8
FLOODS: dict[str, Callable[[], bytes]] = {
    "acts": lambda: encode(Act(1, 1, OBSERVATIONS.sample())),
    "junk": lambda: bytes(1000),
    "large": lambda: bytes(10**6),
    "hellos": lambda: encode(greeting(1)),
    "lists": lambda: encode(ListSnapshots()),
}


def run_flood(server: str, kind: str, sent: Any, pipe: Connection) -> None:
    """Child: send messages of a kind as fast as they leave, and read what comes."""
    socket, frame = greet(server, 1), FLOODS[kind]()
    pipe.send(str(os.getpid()))
    while True:
        socket.send(frame)
        sent.value += 1
        while socket.poll(0):
            socket.recv()


def run_measured_server(pipe: Connection) -> None:
    """Child: the server, which sends its process id with its endpoint."""

    class Named:
        send = staticmethod(lambda endpoint: pipe.send(f"{os.getpid()} {endpoint}"))

    run_server(Named())  # type: ignore[arg-type]


def trips(controller: RemoteController, tick: int) -> list[float]:
    """Round trips for SECONDS."""
    found, end = [], time.monotonic() + SECONDS
    observation = OBSERVATIONS.sample()
    while time.monotonic() < end:
        found.append(seat_trip(controller, Turn("one", tick + len(found), observation)))
    return found


def cpu_seconds(process_id: int) -> float:
    """What all threads of a process have used; on Linux, see clock_getcpuclockid(3)."""
    return time.clock_gettime(~process_id << 3 | 2)


def measure(address: str, server: int, kind: str) -> dict[str, float]:
    sent = multiprocessing.get_context("spawn").Value("q", 0, lock=False)
    controller = RemoteController(address)
    controller.reset(SEAT, seed=1)
    ratios, cores, rates = [], [], []
    with child(partial(run_flood, address, kind, sent)) as flood:
        for at in range(ALTERNATIONS):
            os.kill(int(flood), signal.SIGSTOP)
            time.sleep(0.2)  # what waits in the sockets is read
            quiet = median(trips(controller, at * 10**6))
            os.kill(int(flood), signal.SIGCONT)
            time.sleep(0.2)
            begun, used, count = time.monotonic(), cpu_seconds(server), sent.value
            ratios.append(median(trips(controller, at * 10**6 + 500_000)) / quiet)
            seconds = time.monotonic() - begun
            cores.append((cpu_seconds(server) - used) / seconds)
            rates.append((sent.value - count) / seconds)
    controller.close()
    return {"ratio": round(median(ratios), 2), "server_core": round(median(cores), 2), "sent": round(median(rates))}


def main() -> None:
    with child(run_measured_server) as words:
        number, address = words.split()
        print(json.dumps({kind: measure(address, int(number), kind) for kind in FLOODS}))


if __name__ == "__main__":
    main()
