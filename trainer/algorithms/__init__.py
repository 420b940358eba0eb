"""RLlib algorithms over our runner: an implementation of each (see trainer.config.algorithms), and shared parts."""
