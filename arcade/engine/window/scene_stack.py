"""SceneStack: the scenes of a window, and the error scene that replaces them after an error."""

from __future__ import annotations

import logging
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable

from arcade.engine.window.route import Route
from arcade.engine.window.scene import Scene

ErrorRoute = Callable[[BaseException, str], Route]  # from an exception and its traceback to the error scene
_log = logging.getLogger(__name__)


class SceneStack(ABC):
    """A stack of scenes; changes are immediate, and only the top scene gets the rest of a frame's events."""

    def __init__(self, error_route: ErrorRoute | None) -> None:
        self.running = True
        self.open_route: Callable[[Route], Scene] = _no_routes
        self.error_route = error_route
        self._stack: list[Scene] = []

    @property
    def scene(self) -> Scene | None:
        """The scene on top."""
        return self._stack[-1] if self._stack else None

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The stack, the top last."""
        return tuple(self._stack)

    def push(self, scene: Scene | Route) -> None:
        """Put `scene`, or the one of a route, on top."""
        self.guard(lambda: self._push(self._made(scene)))

    def return_to(self, route: Route) -> None:
        """Show the scene on top if such a route led to it, else push the one of `route`."""
        if self.scene is None or type(self.scene.route) is not type(route):
            self.push(route)

    def pop(self) -> None:
        """Remove the top scene; an empty stack ends the loop."""
        self._release_input()
        if self._stack:
            self._leave(self._stack.pop())
        if self._stack:
            self.guard(self._stack[-1].resume)
        else:
            self.running = False

    def replace(self, scene: Scene | Route) -> None:
        """Put `scene` in the place of the top one."""
        self._release_input()
        if self._stack:
            self._leave(self._stack.pop())
        self.push(scene)

    def reset_to(self, scene: Scene | Route) -> None:
        """Replace all scenes by `scene`."""
        self._leave_all()
        self.push(scene)

    def visible(self, passes: str) -> list[Scene]:
        """Return the top scene and those below it down to the first without the flag `passes`, lowest first."""
        found: list[Scene] = []
        for scene in reversed(self._stack):
            found.append(scene)
            if not getattr(scene, passes):
                break
        return found[::-1]

    def guard(self, call: Callable[[], object]) -> object:
        """Run a scene's code; after an error the error scene replaces the stack."""
        try:
            return call()
        except Exception as error:
            words = "".join(traceback.format_exception(error))
            _log.error("a scene failed: %s", words)
            if self.error_route is None or getattr(self.scene, "shows_error", False):
                raise
            scene = self._made(self.error_route(error, words))
            scene.shows_error = True
            self.reset_to(scene)
            return None

    def _made(self, scene: Scene | Route) -> Scene:
        return scene if isinstance(scene, Scene) else self.open_route(scene)

    def _push(self, scene: Scene) -> None:
        self._release_input()
        self._stack.append(scene)
        self._enter(scene)

    def _leave_all(self) -> None:
        while self._stack:
            self._leave(self._stack.pop())

    def _leave(self, scene: Scene) -> None:
        try:
            scene.leave()
        except Exception:  # noqa: BLE001  (the next scene must follow in any case)
            _log.exception("a scene failed to leave: %s", type(scene).__name__)

    @abstractmethod
    def _enter(self, scene: Scene) -> None:
        """Call the scene's `enter`."""

    @abstractmethod
    def _release_input(self) -> None:
        """Release everything held."""


def _no_routes(route: Route) -> Scene:
    raise LookupError(f"expected an engine with routes, got: {route}")
