"""Hears a trainer's events, each of them, whatever the machine is busy with."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Self

from agents.wire.control import Event, EventPublisher, EventSubscriber

DEADLINE = 300.0


class EventLog:
    """Keeps the events of an endpoint; a context manager."""

    def __init__(self, endpoint: str) -> None:
        self._listener = EventSubscriber(endpoint)
        self.events: list[Event] = []
        self._seen = 0  # events up to the newest that `next` returned

    @classmethod
    def of(cls, publisher: EventPublisher, endpoint: str) -> Self:
        """One that hears all that is published from now on: a subscription takes a while to reach the publisher."""
        log = cls(endpoint)
        log.until(lambda: log._hears(publisher), "a subscription")
        return log

    def _hears(self, publisher: EventPublisher) -> bool:
        publisher.publish("joined")
        return bool(self.named("joined"))

    def poll(self, seconds: float = 0.05) -> list[Event]:
        """What came since the last call."""
        new = self._listener.poll(seconds)
        self.events += new
        return new

    def named(self, name: str) -> list[dict[str, Any]]:
        """The data of all events of this name so far."""
        return [event.data for event in self.events if event.name == name]

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        """What `condition` returns once it is true."""
        end = time.monotonic() + DEADLINE
        while not (value := condition()):
            assert time.monotonic() < end, f"expected {what} within {DEADLINE} s, got: {self.events}"
            self.poll()
        return value

    def next(self, name: str, **wanted: Any) -> dict[str, Any]:
        """The data of the first event with these values behind the one that was returned last."""

        def found() -> Event | None:
            for place, event in enumerate(self.events[self._seen :], self._seen + 1):
                if event.name == name and wanted.items() <= event.data.items():
                    self._seen = place
                    return event
            return None

        event: Event = self.until(found, f"the event {name} with {wanted}")
        return event.data

    def close(self) -> None:
        self._listener.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
