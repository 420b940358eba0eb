"""How to play the Atari games, by their manuals and PettingZoo's pages."""

from __future__ import annotations

from collections.abc import Mapping

from arcade.games.rules.rules import Rules

_VIDEO_OLYMPICS_END = "The first side with 21 points wins, and the match ends."
_HITS = "Each hit counts one point."
_COMBAT_END = "The match ends when its time is up, after a little more than two minutes; more points win."
_MAZE_PLAY = (
    "The maze scrolls up without end and pushes you along. Walk down through it, and do not get stuck at the upper "
    "edge. Where there is no way, break a wall, as long as you have picked up a block to make and break walls. Beware"
    " of the zombies."
)
_LIVES_END = "The match ends when the lives of both are gone; more points win."

RULES: Mapping[str, Rules] = {
    "basketball_pong_v3": Rules(
        aim="Throw the ball into the other side's hoop more often than they throw it into yours.",
        play="You stay in your own half: run to the ball, and jump to throw it at the hoop. The first ball comes by "
        "itself; the side that got a point serves the next one.",
        score="Each basket counts one point.",
        end=_VIDEO_OLYMPICS_END,
    ),
    "boxing_v2": Rules(
        aim="Land more punches than the other boxer.",
        play=(
            "Both boxers are seen from above. Walk up, and punch when you stand level with the other's face; then "
            "step aside. Near the ropes it is easy to trap the other."
        ),
        score="A punch from afar counts one point, one from close by two.",
        end="The match ends after two minutes, or at once with a knock-out at 100 points.",
    ),
    "combat_plane_v2": Rules(
        aim="Shoot the other plane down more often than it shoots you.",
        play=(
            "Both planes fly on all the time. Turn, fly faster or slower, and shoot when the other is ahead of you. A"
            " plane that leaves the picture on one side comes back on the other."
        ),
        score=_HITS,
        end=_COMBAT_END,
    ),
    "combat_tank_v2": Rules(
        aim="Hit the other tank more often than it hits you.",
        play=(
            "Drive through the maze, turn and shoot. A shell counts only after it has bounced off a wall, so aim "
            "round corners. A tank that is hit is thrown aside."
        ),
        score=_HITS,
        end=_COMBAT_END,
    ),
    "double_dunk_v3": Rules(
        aim="Score more baskets than the other team, two players against two.",
        play=(
            "Before each attack both sides pick a play: hold a direction, then let go. Then you steer one of your two"
            " players: run, pass, shoot, and jump to block. After the defence gets the ball, it takes it back before "
            "it attacks."
        ),
        score="A basket counts two points, from far away three.",
        end="The match ends when its time is up, or with 24 points; more points win.",
    ),
    "entombed_competitive_v3": Rules(
        aim="Last longer in the maze than the other player.",
        play=_MAZE_PLAY,
        score="A player who gets stuck or is caught loses a life; lives left are the score.",
        end="The match ends when a player has no lives left.",
    ),
    "entombed_cooperative_v3": Rules(
        aim="Get as deep into the maze as you can, together.",
        play=_MAZE_PLAY,
        score="Each section that you pass counts one for both.",
        end="The match ends when your lives are gone: one is lost whenever one of you gets stuck or is caught.",
    ),
    "flag_capture_v2": Rules(
        aim="Find the hidden flag before the other player does.",
        play=(
            "Walk over the board and turn a square over. It shows the flag, an arrow towards it, its distance in "
            "squares, or a bomb that sends you back to your start. Use what the other player turns over, too."
        ),
        score="Each flag counts one point; then a new one is hidden.",
        end="The match ends when its time is up; more flags win.",
    ),
    "foozpong_v3": Rules(
        aim="Get the ball into the other team's goal, as in table football.",
        play=(
            "Two against two: each player moves several paddles up and down at once. Stop the other team's balls, and "
            "pass to the paddles of your own team further ahead. The first ball comes by itself; the side that got a "
            "point serves the next one."
        ),
        score="Each goal counts one point for the team.",
        end=_VIDEO_OLYMPICS_END,
    ),
    "ice_hockey_v2": Rules(
        aim="Score more goals than the other team, two players against two.",
        play=(
            "You steer the player nearest to the puck. Skate to it, and it sticks to your stick; shoot or pass with "
            "the button, where the stick points decides the direction. Near an opponent the button trips them."
        ),
        score="Each goal counts one point.",
        end="The match ends after three minutes; more goals win.",
    ),
    "joust_v3": Rules(
        aim="Score more points than the other rider, by striking foes from above.",
        play=(
            "Flap to rise, and steer left or right. When two riders meet, the higher one wins; that holds for the "
            "other player, too. A beaten foe leaves an egg: catch it before it hatches. Keep out of the lava."
        ),
        score="Foes and eggs count points, more in later waves.",
        end=_LIVES_END,
    ),
    "mario_bros_v3": Rules(
        aim="Clear the pipes of pests, and score more points than the other plumber.",
        play=(
            "Bump the floor from below while a pest is on it: it lies on its back. Go up and kick it off before it "
            "gets up; the other player may be faster. Touching a pest that walks, or a fireball, costs a life."
        ),
        score="Each pest that you kick off and each coin counts 800 points.",
        end=_LIVES_END,
    ),
    "maze_craze_v3": Rules(
        aim="Be the first one out of the maze.",
        play=(
            "Both players begin on the left and look for the exit on the right. Two robbers wander about: a player "
            "who touches one is out."
        ),
        score="Leaving the maze first wins.",
        end="The match ends when a player leaves the maze, or when both are caught.",
    ),
    "othello_v3": Rules(
        aim="Have more discs of your colour on the board at the end.",
        play=(
            "Players take turns. Move the cursor to a square and put a disc so that enemy discs lie in a line between"
            " it and another one of yours: all of them turn to your colour. Each move has to turn at least one. "
            "Corners can never be turned back."
        ),
        score="Your discs on the board are your score.",
        end="The match ends when the board is full or a player cannot move.",
    ),
    "pong_v3": Rules(
        aim="Get the ball past the other paddle.",
        play=(
            "Move your paddle up and down to meet the ball. The first ball comes by itself; the side that got a "
            "point serves the next one. Where the ball meets the paddle decides its angle, and the held button makes "
            "it sharp."
        ),
        score="Each ball that passes a paddle counts one point for the other side.",
        end=_VIDEO_OLYMPICS_END,
    ),
    "quadrapong_v4": Rules(
        aim="Keep the ball out of your team's two walls, and get it into the other team's.",
        play=(
            "Two against two: each player guards one of the four walls with a paddle. Send the ball away from the "
            "walls of your own team. The first ball comes by itself; the side that got a point serves the next one."
        ),
        score="Each ball in a wall counts one point for the other team.",
        end=_VIDEO_OLYMPICS_END,
    ),
    "space_invaders_v2": Rules(
        aim="Shoot more invaders than the other player before they land.",
        play=(
            "Move your cannon left and right, shoot, and dodge the bombs; the shields stop some. The invaders come "
            "down step by step, faster the fewer they are."
        ),
        score=(
            "An invader counts 5 to 30 points, more in the upper rows, and the ship at the top 100. When the invaders"
            " hit the other cannon, you get 200."
        ),
        end=(
            "The match ends after three hits on the cannons, which share their lives, or when the invaders land; more"
            " points win."
        ),
    ),
    "space_war_v2": Rules(
        aim="Shoot the other ship more often than it shoots you.",
        play=(
            "Your ship drifts on in the direction it was pushed. Turn it, thrust to change its course, and shoot "
            "ahead of the other. Thrust backwards to brake."
        ),
        score=_HITS,
        end="The match ends when a ship has ten points, or when its time is up; more points win.",
    ),
    "surround_v2": Rules(
        aim="Make the other player run into a wall first.",
        play=(
            "Both move all the time and leave a wall behind. Steer so that you keep room for yourself and take it "
            "from the other. You cannot stop."
        ),
        score="When a player hits a wall, the other one gets a point, and a new round begins.",
        end="The match ends when a player has ten points.",
    ),
    "tennis_v3": Rules(
        aim="Win more games of tennis than the other player.",
        play=(
            "Serve, run to the ball, and it is hit back by itself when you reach it; where you stand decides where it"
            " goes. The ball may bounce once on your side. Hold the button for a lob."
        ),
        score="Points count as in tennis: 15, 30, 40, game. The score is the games won.",
        end="The match ends when a player has won six games, two ahead.",
    ),
    "video_checkers_v4": Rules(
        aim="Take all pieces of the other player.",
        play=(
            "Players take turns. Hold the button to take a piece, move it to a dark square diagonally ahead, and "
            "press again. Jump over an enemy beside you to take it; where you can jump, you have to. A piece that "
            "reaches the far row becomes a king, which also moves backwards."
        ),
        score="Pieces left are the score.",
        end="The match ends when a player has no pieces left or cannot move.",
    ),
    "volleyball_pong_v3": Rules(
        aim="Drop the ball onto the floor of the other side.",
        play=(
            "Two against two: run left and right below the ball, and jump to send it higher over the net. The first "
            "ball comes by itself; the side that got a point serves the next one."
        ),
        score="Each ball on the other floor counts one point for the team.",
        end=_VIDEO_OLYMPICS_END,
    ),
    "warlords_v3": Rules(
        aim="Keep your castle longer than all others.",
        play=(
            "Each of four players moves a shield around the own castle. Bounce the ball away; it breaks walls where "
            "it hits. Hold the button to catch it, and let go to throw it at another castle."
        ),
        score="When the ball hits the king inside a castle, its player is out. There are no points.",
        end="The match ends when one castle is left: its player wins.",
    ),
    "wizard_of_wor_v3": Rules(
        aim="Score more points than the other player by shooting monsters.",
        play=(
            "Walk through the dungeon and shoot; you shoot where you look. Some monsters become invisible, so watch "
            "the map below. Bullets hit the other player, too. When all monsters are gone, the next dungeon follows."
        ),
        score="A monster counts 200 to 2500 points, the other player 1000.",
        end="The match ends when both players have lost three lives; more points win.",
    ),
}
