"""Settings of a sweep: section ``tune`` of a file of settings, or a separate file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import Field, ValidationError, field_validator, model_validator

from trainer.config import ConfigError
from trainer.config.explaining import explain
from trainer.config.reading import make_config, put
from trainer.config.sections import Section

DomainKind = Literal["uniform", "loguniform", "integers", "choice", "grid"]


class Domain(Section):
    """The values of a setting, as in {loguniform = [1e-4, 1e-2]}."""

    kind: DomainKind
    values: tuple[Any, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _from_pair(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and len(data) == 1:
            kind, values = next(iter(data.items()))
            if kind in get_args(DomainKind) and isinstance(values, (list, tuple)):
                return {"kind": kind, "values": tuple(values)}
        if isinstance(data, Mapping) and data.keys() == {"kind", "values"}:
            return data
        raise ValueError(f"expected one of {', '.join(get_args(DomainKind))} = [values], got: {data!r}")

    @model_validator(mode="after")
    def _has_ends(self) -> Domain:
        if self.kind in ("choice", "grid"):
            return self
        low, high = (*self.values, None, None)[:2]
        numbers = all(isinstance(end, (int, float)) and not isinstance(end, bool) for end in (low, high))
        if len(self.values) != 2 or not numbers or not low < high:
            raise ValueError(f"expected {self.kind} = [low, high] with low < high, got: {list(self.values)!r}")
        if self.kind == "loguniform" and low <= 0:
            raise ValueError(f"expected loguniform = [low, high] with low > 0, got: {list(self.values)!r}")
        if self.kind == "integers" and not all(isinstance(end, int) for end in self.values):
            raise ValueError(f"expected integers = [low, high] in whole numbers, got: {list(self.values)!r}")
        return self

    def clip(self, value: Any) -> Any:
        """The nearest value within the bounds; a choice is not changed."""
        return value if self.kind in ("choice", "grid") else min(max(value, self.values[0]), self.values[1])


class TuneSettings(Section):
    """A sweep over settings of a run, or population-based training."""

    samples: int = Field(4, ge=1, le=10_000)
    """Number of trials; with a grid, passes over it; with pbt, the population."""
    parallel: int = Field(1, ge=1, le=1024)
    """Trials at a time."""
    metric: str = ""
    """Metric by which trials are compared; empty: that of the runs' checkpoints (checkpoints.best_by)."""
    mode: Literal["max", "min"] = "max"
    """Whether higher or lower is better."""
    search: dict[str, Domain] = Field(default_factory=dict)
    """Dotted setting to its values, as in "training.lr" = {loguniform = [1e-4, 1e-2]}."""
    scheduler: Literal["none", "asha", "pbt"] = "none"
    """none: every trial to its end; asha: weak trials end early (Li et al. 2018, arXiv 1810.05934); pbt: the worst
    quarter continues from checkpoints of the best with other settings (Jaderberg et al. 2017, arXiv 1711.09846)."""
    interval: int = Field(10, ge=1)
    """Iterations between two checkpoints and two decisions of the scheduler."""
    reduction: int = Field(3, ge=2)
    """asha: one in this many trials continues after each decision."""
    mutations: dict[str, Domain] = Field(default_factory=dict)
    """pbt: settings of section `training` that change during training, and their bounds."""

    @property
    def trials(self) -> int:
        """How many there will be."""
        grids = [len(domain.values) for domain in self.search.values() if domain.kind == "grid"]
        return self.samples * math.prod(grids)

    @field_validator("search", "mutations", mode="before")
    @classmethod
    def _flatten(cls, data: Any) -> Any:
        return _flat(data) if isinstance(data, Mapping) else data

    @model_validator(mode="after")
    def _agree(self) -> TuneSettings:
        if self.scheduler == "pbt" and not self.mutations:
            raise ValueError("tune.mutations: expected some with tune.scheduler = pbt, got none")
        if self.mutations and self.scheduler != "pbt":
            raise ValueError(f"tune.mutations: expected none with tune.scheduler = {self.scheduler}, got some")
        if self.scheduler == "pbt" and self.samples < 2:
            raise ValueError(f"tune.samples: expected a population of 2 or more with pbt, got: {self.samples}")
        for key, domain in self.mutations.items():
            if not key.startswith("training.") or domain.kind == "grid":
                raise ValueError(f"tune.mutations: expected settings of training and no grid, got: {key} {domain.kind}")
        return self


def read_tune(data: Any, base: dict[str, Any]) -> TuneSettings:
    """Check a sweep and its values on runs of `base`; raises ConfigError naming the field."""
    try:
        tune = TuneSettings.model_validate(data)
    except ValidationError as error:
        raise ConfigError(explain(error, {}, model=TuneSettings, within="tune")) from error
    if not base.get("steps"):
        raise ConfigError("steps: expected an end of the trials, as in --steps 1000000, got none")
    for section in ("search", "mutations"):
        for key, domain in getattr(tune, section).items():
            _try(f"tune.{section}", base, key, domain)
    return tune if tune.metric else tune.model_copy(update={"metric": make_config(base).best_by})


def with_sample(base: dict[str, Any], sample: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of one trial."""
    for key, value in sample.items():
        base = put(base, key, value)
    return base


def _try(where: str, base: dict[str, Any], key: str, domain: Domain) -> None:
    for value in domain.values:
        try:
            make_config(put(base, key, value))
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from error


def _flat(data: Mapping[str, Any], within: str = "") -> dict[str, Any]:
    """{"training": {"lr": {…}}}, as TOML reads a bare training.lr, with dotted keys."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        inner = isinstance(value, Mapping) and not set(value) & {*get_args(DomainKind), "kind"}
        flat |= _flat(value, f"{within}{key}.") if inner else {f"{within}{key}": value}
    return flat
