"""What RLlib's learner thread of IMPALA and APPO lacks: to say that it failed."""

from __future__ import annotations

from typing import Any

from ray.rllib.algorithms.impala.torch.impala_torch_learner import IMPALATorchLearner


class ThreadedLearner(IMPALATorchLearner):
    """An error on the learner thread ends the update that waits for it; with RLlib's own it waits for ever."""

    def build(self) -> None:
        self._failure: BaseException | None = None
        super().build()

    def update(self, *args: Any, **kwargs: Any) -> Any:
        self._tell_failure()
        result = super().update(*args, **kwargs)
        self._tell_failure()
        return result

    def _update(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super()._update(*args, **kwargs)
        except BaseException as error:
            self._failure = error
            self._agg_event.set()
            raise

    def _tell_failure(self) -> None:
        if self._failure is not None:
            raise RuntimeError(f"the learner thread ended: {self._failure}") from self._failure
