"""RLlib algorithms over our runner: an implementation (see trainer.config.algorithms) each, and what they share."""
