"""Settings: what is typed is checked, and an error names the field."""

import pytest

from trainer.config import ConfigError, make_config, read_config, write_config


def test_overrides_reach_their_field_with_its_type(tmp_path):
    config = make_config({"game": "house/volley"}, ["ppo.lr=1e-4", "ppo.hidden=32,16", "seed=5", "freeze.at_start=no"])
    assert (config.ppo.lr, config.ppo.hidden, config.seed, config.freeze.at_start) == (1e-4, (32, 16), 5, False)
    write_config(tmp_path / "config.toml", config)
    assert make_config(read_config(tmp_path / "config.toml")) == config


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("ppo.lr=fast", r"ppo\.lr.*fast"),
        ("ppo.speed=1", r"ppo\.speed"),
        ("ppo.minibatch=99999999", "minibatch <= ppo.batch"),
        ("opponents.live=0.9", "live"),
        ("lr", "KEY=VALUE"),
        ("seed.x=1", "section"),
    ],
)
def test_a_wrong_setting_is_named(word, message):
    with pytest.raises(ConfigError, match=message):
        make_config({"game": "house/volley", "seed": 1, "opponents": {"scripted": 0.2}}, [word])
