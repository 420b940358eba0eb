"""Who meets whom: pools of opponents with their win rates, and shares by which opponents are drawn."""
