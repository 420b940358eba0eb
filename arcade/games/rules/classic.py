"""How to play the classic games."""

from __future__ import annotations

from collections.abc import Mapping

from arcade.games.rules.rules import Rules

_GO = Rules(
    aim="Hold more of the board than the other player.",
    play=(
        "Black begins, and players take turns. Put a stone on a free point, or pass. Stones without a free point "
        "beside their group are taken off the board. A stone that has just taken one stone may not be taken back at "
        "once."
    ),
    score=(
        "Your stones count, and the empty points that only they surround. White gets extra points for moving second "
        "(komi)."
    ),
    end="The match ends when both players pass one after the other. Take dead stones off the board before you pass.",
)
_POKER_SCORE = (
    "The winner of a hand takes all chips in the middle. Both begin with 100 chips; more chips at the end win."
)
_POKER_END = "A match has up to twenty hands. It ends earlier when a player cannot pay the next forced bet."
_HOLDEM_AIM = "Win chips with the best five cards, or by making the other player fold."

RULES: Mapping[str, Rules] = {
    "chess_v6": Rules(
        aim="Attack the other king so that it cannot escape: checkmate.",
        play=(
            "White begins, then you take turns with one move each. Choose a piece and the square it goes to; only "
            "squares that it can reach can be chosen. A piece takes an enemy that stands on its square. You may not "
            "leave your own king attacked."
        ),
        score="A win counts one, a draw half.",
        end=(
            "The match ends with checkmate. It is a draw if a player who is not in check cannot move, if a position "
            "comes up three times, or after fifty moves on each side without a capture or a pawn's move."
        ),
    ),
    "connect_four_v3": Rules(
        aim="Get four of your discs in a row: across, up or diagonally.",
        play=(
            "Players take turns. Choose a column, and your disc falls to its lowest free place. Block the rows of the"
            " other player while you build your own."
        ),
        score="The first row of four wins.",
        end="The match ends with a row of four, or in a draw when the board is full.",
    ),
    "go_v5": _GO,
    "go_9x9_v5": _GO,
    "hanabi_v5": Rules(
        aim=(
            "Build five fireworks together, one of each colour, with cards from 1 up to 5. You see your partner's "
            "cards, but not your own."
        ),
        play=(
            "On your turn do one of three things. Tell: name a colour or a number, and your partner learns which of "
            "their cards have it; this costs one of eight hints. Play a card: it must be the next one of its colour, "
            "else you lose one of three lives. Discard a card: you get a hint back. After playing or discarding you "
            "draw a new card."
        ),
        score="Each card in a firework counts one point, 25 at most. A finished firework gives a hint back.",
        end=(
            "The match ends with the third lost life, then with no points; with all 25 cards; or one turn each after "
            "the last card is drawn."
        ),
    ),
    "leduc_holdem_v4": Rules(
        aim=(
            "Win chips with the better cards, or by making the other player fold. There are six cards: two jacks, two"
            " queens, two kings."
        ),
        play=(
            "Each player pays a forced bet and gets one hidden card. Then you bet in turn: call pays as much as the "
            "other player, raise pays more, fold gives the hand up, check passes without paying. After the first "
            "round of bets one card is laid open for both, and a second round follows. A pair with the open card "
            "beats everything; else the higher card wins."
        ),
        score=_POKER_SCORE,
        end=_POKER_END,
    ),
    "texas_holdem_v4": Rules(
        aim=_HOLDEM_AIM,
        play=(
            "Each player pays a forced bet and gets two hidden cards. Five open cards follow: three, one and one, "
            "with a round of bets before each and at the end. Call pays as much as the other player, raise pays a "
            "fixed amount more, fold gives the hand up, check passes without paying. Ranking from the lowest: high "
            "card, pair, two pairs, three alike, straight, flush, full house, four alike, straight flush."
        ),
        score=_POKER_SCORE,
        end=_POKER_END,
    ),
    "texas_holdem_no_limit_v6": Rules(
        aim=_HOLDEM_AIM,
        play=(
            "Each player pays a forced bet and gets two hidden cards. Five open cards follow: three, one and one, "
            "with a round of bets before each and at the end. Check or call pays what is owed, raises add half the "
            "pot or the whole pot, all in bets every chip you have, fold gives the hand up. Ranking from the lowest: "
            "high card, pair, two pairs, three alike, straight, flush, full house, four alike, straight flush."
        ),
        score=_POKER_SCORE,
        end=_POKER_END,
    ),
    "rps_v2": Rules(
        aim="Guess what the other player will choose, and choose what beats it.",
        play=(
            "Both choose rock, paper or scissors at the same time. Rock beats scissors, scissors beat paper, and "
            "paper beats rock. The last rounds are shown: look for habits."
        ),
        score="Each round that you win counts one. The same choice counts nothing.",
        end="The match ends after fifteen rounds; more rounds won wins.",
    ),
    "tictactoe_v3": Rules(
        aim="Get three of your marks in a row: across, down or diagonally.",
        play="Crosses begin. Players take turns, and each puts one mark on a free square.",
        score="The first row of three wins.",
        end="The match ends with a row of three, or in a draw when all nine squares are full.",
    ),
}
