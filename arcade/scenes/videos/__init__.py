"""Videos of recorded matches: MP4 and GIF, drawn offscreen in a process of their own."""
