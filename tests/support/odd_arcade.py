"""An arcade whose game comes out otherwise: ``python -m tests.support.odd_arcade TICK host|join …``.

At that tick of its match the ball of volley is moved, once; with ``always`` in every play of it; at tick 0 already in
the first ticks that are compared before the match.
"""

from __future__ import annotations

import sys
from unittest.mock import patch

from arcade.match.stage.local import LocalStage


class OddStage(LocalStage):
    """Moves the ball before the step that leads from the tick `at`."""

    at, always = 0, False
    resets = 0

    def reset(self, seed):
        type(self).resets += 1
        super().reset(seed)

    def step(self, actions):
        plays_match = type(self).resets > 1  # the first episode is the probe
        if self._index == self.at and (plays_match or not self.at) and (self.always or type(self).resets == 2):
            self._env.unwrapped.batch.bodies[0, -1, 0] += 0.5
        super().step(actions)


def main() -> None:
    tick, *words = sys.argv[1:]
    OddStage.at, OddStage.always = int(tick.removesuffix("always")), tick.endswith("always")
    if OddStage.at == 0:
        OddStage.always = True
    sys.argv[1:] = words
    from arcade.commands.cli import app
    from arcade.together import running

    odd = running.RunOptions.__dataclass_fields__["make_stage"]
    with patch.object(running.RunOptions.__init__, "__kwdefaults__", {
        **running.RunOptions.__init__.__kwdefaults__, odd.name: OddStage,
    }):  # fmt: skip
        app()


if __name__ == "__main__":
    main()
