"""RLlib algorithms over our runner, one module each; `trainer.config.algorithms` has their settings."""
