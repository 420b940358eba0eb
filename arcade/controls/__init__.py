"""From key presses to actions: action maps, cursors and the controllers of people."""
