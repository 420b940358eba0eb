"""SceneStack: the scenes of a window, and the error scene that replaces them when one fails."""

from __future__ import annotations

import logging
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable

from arcade.engine.window.scene import Scene

ErrorScene = Callable[[BaseException, str], Scene]
"""Builds the scene that shows an error: the exception and its traceback as text."""

_log = logging.getLogger(__name__)


class SceneStack(ABC):
    """Changes that a scene asks for happen at once; it gets no further events of that frame when no longer on top."""

    def __init__(self, error_scene: ErrorScene | None) -> None:
        self.running = True
        self.error_scene = error_scene
        self._stack: list[Scene] = []

    @property
    def scene(self) -> Scene | None:
        """The scene on top."""
        return self._stack[-1] if self._stack else None

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """All of the stack, the top last."""
        return tuple(self._stack)

    def push(self, scene: Scene) -> None:
        """Put `scene` on top."""
        self._release_input()
        self._stack.append(scene)
        self.guard(lambda: self._enter(scene))

    def pop(self) -> None:
        """Take the top scene off; with none left the loop ends."""
        self._release_input()
        if self._stack:
            self._leave(self._stack.pop())
        if self._stack:
            self.guard(self._stack[-1].resume)
        else:
            self.running = False

    def replace(self, scene: Scene) -> None:
        """Put `scene` in the place of the top one."""
        self._release_input()
        if self._stack:
            self._leave(self._stack.pop())
        self.push(scene)

    def reset_to(self, scene: Scene) -> None:
        """Take every scene off and put `scene` there alone."""
        self._leave_all()
        self.push(scene)

    def visible(self, passes: str) -> list[Scene]:
        """The top scene and those below it down to the first without the flag `passes`, lowest first."""
        found: list[Scene] = []
        for scene in reversed(self._stack):
            found.append(scene)
            if not getattr(scene, passes):
                break
        return found[::-1]

    def guard(self, call: Callable[[], object]) -> object:
        """Run a scene's code; the error scene replaces the whole stack when it raises."""
        try:
            return call()
        except Exception as error:
            words = "".join(traceback.format_exception(error))
            _log.error("a scene failed: %s", words)
            if self.error_scene is None or getattr(self.scene, "tells_errors", False):
                raise
            scene = self.error_scene(error, words)
            scene.tells_errors = True  # type: ignore[attr-defined]
            self.reset_to(scene)
            return None

    def _leave_all(self) -> None:
        while self._stack:
            self._leave(self._stack.pop())

    def _leave(self, scene: Scene) -> None:
        try:
            scene.leave()
        except Exception:  # noqa: BLE001  (whatever it is, the next scene must come)
            _log.exception("a scene failed to leave: %s", type(scene).__name__)

    @abstractmethod
    def _enter(self, scene: Scene) -> None:
        """Call the scene's `enter`."""

    @abstractmethod
    def _release_input(self) -> None:
        """Let go of all that is held."""
