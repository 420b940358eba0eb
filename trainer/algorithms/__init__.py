"""RLlib algorithms over our runner: one file each, and what they share."""
