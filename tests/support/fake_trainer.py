"""A trainer that trains nothing: real sockets, the real wire, and every order noted down."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from agents.wire.control import ControlServer, EventPublisher

COMMANDS = ("status", "pause", "resume", "freeze", "stop", "matchmaking", "watch")


class FakeTrainer:
    """Answers on a thread of its own from its making to `close`; `publish` sends events."""

    def __init__(self, folder: Path | None = None, **status: Any) -> None:
        """With a `folder` it is found there, as a trainer of this machine is."""
        self.orders: list[tuple[str, dict[str, Any]]] = []  # all but status
        self.refuse: Mapping[str, str] = {}
        self.deaf = False  # a trainer that hangs
        self._events = EventPublisher()
        self.status: dict[str, Any] = {
            "state": "running", "asked": "running", "step": 0, "run": folder.name if folder else "far-away",
            "game": "house/volley", "iteration": 0, "snapshots": 0, "algorithm": "PPO", "policies": ["default_policy"],
            "matchmaking": {"play_against_latest_model_ratio": 0.5, "newest_ratio": 0.5, "weighting": "uniform"},
            "events": self._events.endpoint, **status,
        }  # fmt: skip
        self._server = ControlServer({name: self._handler(name) for name in COMMANDS})
        self.control, self.address = self._server.endpoint, self._server.address
        self._folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            endpoints = {"control": self.control, "events": self._events.endpoint, "pid": os.getpid()}
            (folder / "endpoints.json").write_text(json.dumps(endpoints))
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def publish(self, name: str, data: Mapping[str, Any]) -> None:
        """To whoever listens by now."""
        self._events.publish(name, data)

    def named(self, name: str) -> list[dict[str, Any]]:
        """The parameters of each order of that name so far."""
        return [params for order, params in list(self.orders) if order == name]

    def close(self) -> None:
        """As a trainer that ends; twice does no harm."""
        if not self._closing.is_set():
            self._closing.set()
            self._thread.join(10)
            self._events.close()
            if self._folder is not None:
                (self._folder / "endpoints.json").unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _handler(self, name: str) -> Any:
        def answer(params: Mapping[str, Any]) -> dict[str, Any]:
            if name != "status":
                self.orders.append((name, dict(params)))
            if name in self.refuse:
                raise ValueError(self.refuse[name])
            if name in ("pause", "resume"):
                self.status["state"] = self.status["asked"] = "paused" if name == "pause" else "running"
            if name == "matchmaking":
                self.status["matchmaking"] = self.status["matchmaking"] | dict(params)
            return dict(self.status)

        return answer

    def _serve(self) -> None:
        while not self._closing.is_set():
            if self.deaf:
                self._closing.wait(0.02)
            else:
                self._server.poll(0.02)
        self._server.close()
