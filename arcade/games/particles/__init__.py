"""Games of mpe2, many copies stepped together in numpy: `world` has the physics, `scenarios` what each game adds."""
