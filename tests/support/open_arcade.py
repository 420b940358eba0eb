"""An arcade without a screen, its frames turned by hand."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from arcade.engine.ui.tabs import Tabs
from arcade.engine.ui.widget import Widget
from arcade.scenes.app import open_window
from arcade.session.match.setup import WindowOptions
from arcade.session.services import Library
from arcade.session.settings import Settings

DEADLINE = 300.0


class OpenArcade:
    """An engine turned by hand, with its services; ends with the test."""

    def __init__(self, opening: WindowOptions, **engine: Any) -> None:
        """`engine` goes to the Engine: a clock turned by hand, say.  Without countdown and transitions by default."""
        engine.setdefault("settings", Settings(countdown=False, reduce_motion=True))
        self._open = ExitStack()
        self.engine, self.services = self._open.enter_context(open_window(opening, **engine))

    @property
    def library(self) -> Library:
        """Its games, snapshots and recordings."""
        return self.services.library

    @property
    def on(self) -> str:
        """The kind of the scene on top."""
        return type(self.engine.scene).__name__

    def frame(self, count: int = 1) -> None:
        for _ in range(count):
            self.engine.turn()

    def until(self, condition: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < deadline, f"expected {what}, got {self.on}: {self.words()}"
            self.frame()

    def words(self) -> str:
        scene = self.engine.scene
        return f"{getattr(scene, 'heading', '')} {getattr(scene, 'message', '')} {getattr(scene, 'lines', '')}"

    def widget(self, words: str) -> Widget:
        """Where these words stand, once a press there is heard."""
        self.until(lambda: getattr(self.engine.scene, "listens", True), "a page that listens")
        found = [w for w in self.engine.scene.focus.widgets if getattr(w, "label", "").startswith(words)]
        assert found, f"expected {words!r} on {self.on}, got: {[w.label for w in self.engine.scene.focus.widgets]}"
        return found[0]

    def tabs(self, title: str) -> Tabs | None:
        """The tabs of the screen, if one of them has that title, once a press there is heard."""
        self.until(lambda: getattr(self.engine.scene, "listens", True), "a page that listens")
        widgets = self.engine.scene.focus.widgets
        return next((widget for widget in widgets if isinstance(widget, Tabs) and title in widget.titles), None)

    def close(self) -> None:
        self._open.close()
