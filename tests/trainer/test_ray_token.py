"""A Ray cluster of our own obeys only those who have its token."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from trainer.cluster import ray_token
from trainer.cluster.ray_cluster import join_ray
from trainer.config import ConfigError

STRANGER = """
import ray, sys
ray.init(address=sys.argv[1], log_to_driver=False)
print("in:", ray.get(ray.remote(lambda: 1).remote()))
"""


def test_our_cluster_requires_a_token_that_only_its_owner_can_read(ray_cluster):
    from ray._private.authentication.authentication_utils import is_token_auth_enabled

    assert is_token_auth_enabled()
    path = os.environ["RAY_AUTH_TOKEN_PATH"]
    assert os.stat(path).st_mode & 0o777 == 0o600


def test_a_stranger_runs_nothing_in_our_cluster(ray_cluster, tmp_path):
    import ray

    address = ray.get_runtime_context().gcs_address
    env = os.environ | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0" * 64}
    stranger = subprocess.run(
        [sys.executable, "-c", STRANGER, address], env=env, capture_output=True, text=True, timeout=300
    )
    assert stranger.returncode != 0
    assert "in:" not in stranger.stdout
    assert "token" in stranger.stderr.lower()


def test_no_open_cluster_is_started(monkeypatch):
    monkeypatch.setattr("trainer.cluster.ray_cluster.is_ray_running", lambda: False)
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    with pytest.raises(ConfigError, match="RAY_AUTH_MODE=token, got 'disabled'"):
        join_ray("", num_cpus=1)


def test_a_cluster_that_turns_out_to_be_open_is_ended(ray_cluster, monkeypatch):
    ended = []
    monkeypatch.setattr("ray.shutdown", lambda: ended.append(True))
    monkeypatch.setattr("ray._private.authentication.authentication_utils.is_token_auth_enabled", lambda: False)
    with pytest.raises(ConfigError, match="an open one"):
        ray_token.check_token()
    assert ended
