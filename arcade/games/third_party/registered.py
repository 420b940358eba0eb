"""Ids of PettingZoo's registry, which other packages fill: https://pettingzoo.farama.org/api/registry"""

from __future__ import annotations

import sys
from typing import Any


def registered_entry(id: str) -> str:
    """Return the ``module:function`` that an id is registered for in this process, "" for none.

    Where PettingZoo was not imported nothing is registered, and it is not imported for that.
    """
    registration: Any = sys.modules.get("pettingzoo.env_registry.registration")
    if registration is None or "/" not in id or ":" in id:
        return ""
    for registry in (registration.parallel_registry, registration.aec_registry):
        try:
            spec = registration.find_spec(registry, id)
        except Exception:  # noqa: BLE001  (its errors share no class: malformed, unknown name, space, version)
            continue
        if isinstance(spec.entry_point, str) and not spec.kwargs:
            return spec.entry_point
    return ""
