"""The token without which no process can use a Ray cluster of our own."""

from __future__ import annotations

import os
import secrets

from agents.files.private import keys_folder, read_private
from trainer.config import ConfigError

TOKEN_FILE = "ray.token"


def require_token() -> None:
    """Choose the token of the cluster to start: the user's, else a file that only its owner can read, as ray's is not.

    Raises ConfigError where the user has turned tokens off.
    """
    mode = os.environ.get("RAY_AUTH_MODE", "token")
    if mode.lower() != "token":
        raise ConfigError(
            f"expected RAY_AUTH_MODE=token, got {mode!r}: without a token other users could run code in this cluster; "
            "unset RAY_AUTH_MODE, or join a cluster with --ray-address"
        )
    if not os.environ.get("RAY_AUTH_TOKEN") and not os.environ.get("RAY_AUTH_TOKEN_PATH"):
        path = keys_folder() / TOKEN_FILE
        read_private(path, lambda: secrets.token_hex(32).encode())
        os.environ["RAY_AUTH_TOKEN_PATH"] = str(path)


def check_token() -> None:
    """Raises ConfigError, and ends the cluster, where it takes orders without the token."""
    import ray
    from ray._private.authentication.authentication_utils import is_token_auth_enabled

    if not is_token_auth_enabled():
        ray.shutdown()
        raise ConfigError("expected a ray cluster that requires its token, got an open one; set RAY_AUTH_MODE=token")
