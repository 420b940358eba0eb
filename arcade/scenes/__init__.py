"""The screens, one file each, in a folder for each area."""
