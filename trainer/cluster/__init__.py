"""Ray, the machine, and process priority."""
