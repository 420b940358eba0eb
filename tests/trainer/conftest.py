"""One ray for all tests of the session, and a home of its own for each."""

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """As in a run: on a busy machine several threads wait for one another longer than they work."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def ray_cluster():
    from trainer.cluster.ray_cluster import start_ray, stop_ray
    from trainer.config.reading import make_config

    start_ray(make_config({"game": "house/volley", "resources": {"runners": 1}}))
    yield
    stop_ray()


@pytest.fixture
def arcade_home(tmp_path, monkeypatch):
    monkeypatch.setitem(os.environ, "ARCADE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"
