"""How agents get better: RLlib self-play beside the arcade."""
