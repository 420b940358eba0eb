"""Games in lock-step: any PettingZoo game, or a batch engine of its own."""
