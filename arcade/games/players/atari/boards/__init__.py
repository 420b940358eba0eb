"""Players of board games on the Atari: Othello and draughts."""
