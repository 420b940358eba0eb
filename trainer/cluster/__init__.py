"""Ray clusters, and RayExecutor for matches over them."""
