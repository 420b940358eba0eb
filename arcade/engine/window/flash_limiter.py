"""FlashLimiter: dims flashing pictures, for people with photosensitive epilepsy.

By WCAG 2.2, success criterion 2.3.1, a flash is a pair of opposing changes of relative luminance by a tenth of its
range or more; more than three a second on a quarter of a field of about 341 x 256 pixels are too many.
"""

from __future__ import annotations

from math import exp

import numpy as np
import pygame
from numpy.typing import NDArray

STEP = 16  # pixels between two samples
FIELD = (20, 15)  # samples of a field, columns and rows: 320 x 240 pixels
CHANGE, AREA = 0.1, 0.25  # of relative luminance, and of a field
CHANGES = 4  # changes a second that count as flashing: two flashes
LEFT = 0.08  # change of relative luminance that a flash may keep
RECOVER = 0.8  # seconds until most of the full brightness is back; darkening is immediate

_LINEAR = np.where((_part := np.arange(256) / 255) <= 0.04045, _part / 12.92, ((_part + 0.055) / 1.055) ** 2.4)
_WEIGHTS = np.array([0.2126, 0.7152, 0.0722])

Samples = NDArray[np.float64]  # float64, (columns, rows)


class FlashLimiter:
    """Darkens flashing pictures in place; `soften` gets every picture before it is shown."""

    def __init__(self) -> None:
        self._extreme: Samples | None = None  # the brightest or darkest since the last change of direction
        self._before: Samples  # the extreme before that
        self._direction: Samples  # 1 getting brighter, -1 darker, 0 unknown
        self._changed: NDArray[np.float64]  # (CHANGES, columns, rows): times of changes of direction, newest first
        self.gain = 1.0  # share of the luminance that is shown
        self._then = 0.0

    def soften(self, canvas: pygame.Surface, now: float) -> None:
        """Analyse the picture at `now` (seconds), and darken it as needed."""
        self._look(_LINEAR[pygame.surfarray.pixels3d(canvas)[::STEP, ::STEP]] @ _WEIGHTS, now)
        goal = self._goal(now)
        if goal < self.gain:
            self.gain = goal
        else:
            self.gain += (goal - self.gain) * (1 - exp(-max(0.0, now - self._then) / RECOVER))
        self._then = now
        if self.gain < 0.99:
            factor = round(255 * self.gain ** (1 / 2.2))
            canvas.fill((factor, factor, factor), special_flags=pygame.BLEND_RGB_MULT)

    def _look(self, light: Samples, now: float) -> None:
        """Note the changes of the relative luminance, 0 … 1."""
        if self._extreme is None or self._extreme.shape != light.shape:
            self._extreme, self._before, self._direction = light.copy(), light.copy(), np.zeros_like(light)
            self._changed = np.full((CHANGES, *light.shape), -np.inf)
            self._then = now
        farther = (light - self._extreme) * self._direction > 0
        self._extreme[farther] = light[farther]
        turned = np.abs(light - self._extreme) >= CHANGE
        self._direction[turned] = np.sign(light - self._extreme)[turned]
        self._before[turned] = self._extreme[turned]
        self._extreme[turned] = light[turned]
        self._changed[1:, turned] = self._changed[:-1, turned]
        self._changed[0, turned] = now

    def _goal(self, now: float) -> float:
        """Return the gain at which the largest flash is harmless."""
        flashing = self._changed[-1] > now - 1.0
        if self._extreme is None or not flashing.any():
            return 1.0
        columns, rows = FIELD
        swings = np.abs(self._extreme - self._before)
        worst = 0.0
        for left in range(0, flashing.shape[0], columns):
            for top in range(0, flashing.shape[1], rows):
                field = (slice(left, left + columns), slice(top, top + rows))
                if flashing[field].mean() >= AREA:
                    worst = max(worst, float(swings[field][flashing[field]].max()))
        return min(1.0, LEFT / worst) if worst else 1.0
