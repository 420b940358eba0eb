"""Who decides: controllers, frozen policies, the wire between processes, and the ladder.

The ground floor of the house: nothing here imports the arcade or the trainer.
"""
