"""How to play the Multi-Particle Environments."""

from __future__ import annotations

from collections.abc import Mapping

from arcade.games.rules.rules import Rules

_HALF_A_MINUTE = "The match ends after 30 seconds."
_PLACES = "The score is the mean distance of all dots from their places: less is better."

RULES: Mapping[str, Rules] = {
    "collect_treasure_v1": Rules(
        aim="Bring as many treasures as you can to the depots, together.",
        play=(
            "A collector that touches a treasure carries it and takes its colour. Carry it to the depot of the same "
            "colour; one treasure at a time. Depots move too, and come to meet collectors. Do not bump into each "
            "other. Your dot has momentum: it keeps drifting after you let go."
        ),
        score="Each treasure brought to its depot counts one for all.",
        end=_HALF_A_MINUTE,
    ),
    "simple_v3": Rules(
        aim="Bring your dot to the landmark and keep it there.",
        play="Steer left, right, up and down. Your dot has momentum: it keeps drifting after you let go.",
        score="The score is your mean distance from the landmark: less is better.",
        end=_HALF_A_MINUTE,
    ),
    "simple_adversary_v3": Rules(
        aim="Blue: have one of you at the secret landmark, and keep red from it. Red: find the secret landmark.",
        play=(
            "Only blue knows which landmark is the secret one. If both blue dots go there, red just follows; split up"
            " and cover both landmarks. Red watches where blue goes. Your dot has momentum: it keeps drifting after "
            "you let go."
        ),
        score="Each side's score is the mean distance of its nearest dot from the secret landmark: less is better.",
        end=_HALF_A_MINUTE,
    ),
    "simple_crypto_v3": Rules(
        aim="Alice and Bob: pass a secret so that Bob reads it and Eve does not. Eve: read it too.",
        play=(
            "Alice knows the secret, and everybody hears what she says. Alice and Bob also share a key that Eve does "
            "not know, which changes from match to match. Say A, B, C or D: Alice to send, Bob and Eve to say what "
            "they think the secret is."
        ),
        score=(
            "Each moment at which Bob says the secret counts for Alice and Bob, and each at which Eve says it counts "
            "for Eve."
        ),
        end=_HALF_A_MINUTE,
    ),
    "simple_formation_v1": Rules(
        aim="Form a circle around the landmark, together.",
        play=(
            "Four dots share the circle evenly, a quarter turn apart. Each dot has its place; watch where the others "
            "go. Your dot has momentum: it keeps drifting after you let go."
        ),
        score=_PLACES,
        end=_HALF_A_MINUTE,
    ),
    "simple_line_v1": Rules(
        aim="Form a line between the two landmarks, together.",
        play=(
            "Four dots share the line evenly. Each dot has its place; watch where the others go. Your dot has "
            "momentum: it keeps drifting after you let go."
        ),
        score=_PLACES,
        end=_HALF_A_MINUTE,
    ),
    "simple_push_v3": Rules(
        aim="Runner: stay at the landmark of your own colour. Red: keep the runner away from it.",
        play=(
            "There are two landmarks. Red does not know which one is right and has to see where the runner goes; then"
            " red can push the runner away or stand in the way. Your dot has momentum: it keeps drifting after you "
            "let go."
        ),
        score="Each side's score is its mean distance from the right landmark: less is better.",
        end=_HALF_A_MINUTE,
    ),
    "simple_reference_v3": Rules(
        aim="Both reach their own landmark, which only the other one knows.",
        play=(
            "You see which landmark the other one has to reach. Say one of ten letters, so that the other one learns "
            "the way, and go where the other's letters send you. What a letter means is not fixed: agree on it, or "
            "find out. Your dot has momentum: it keeps drifting after you let go."
        ),
        score="The score is the mean distance of both from their landmarks: less is better.",
        end=_HALF_A_MINUTE,
    ),
    "simple_speaker_listener_v4": Rules(
        aim="The listener reaches the right one of three landmarks.",
        play=(
            "The speaker sees which landmark is right but cannot move, and says A, B or C. The listener moves but "
            "does not know the landmark. What a letter means is not fixed: agree on it, or find out. Your dot has "
            "momentum: it keeps drifting after you let go."
        ),
        score="The score is the listener's mean distance from the right landmark: less is better.",
        end=_HALF_A_MINUTE,
    ),
    "simple_spread_v3": Rules(
        aim="Cover all three landmarks at the same time, together.",
        play=(
            "Each dot takes a landmark of its own. Do not bump into each other. Your dot has momentum: it keeps "
            "drifting after you let go."
        ),
        score="The score is the number of landmarks that have a dot on them at the end.",
        end=_HALF_A_MINUTE,
    ),
    "simple_tag_v3": Rules(
        aim="Red: catch green. Green: escape.",
        play=(
            "Red are three and slower, green is alone and faster. Rocks stop everybody: red can corner green between "
            "them. Green should not flee out of the picture. Your dot has momentum: it keeps drifting after you let "
            "go."
        ),
        score="Each time that a red dot touches green counts one catch. Contact that lasts counts once.",
        end=_HALF_A_MINUTE,
    ),
    "simple_world_comm_v3": Rules(
        aim="Red: catch the green dots. Green: eat the blue food and escape.",
        play=(
            "Woods hide who is inside from those outside. The red leader sees everybody all the time and can say A, "
            "B, C or D to guide the other chasers. A rock stops everybody. Your dot has momentum: it keeps drifting "
            "after you let go."
        ),
        score="Each time that red touches a green dot counts one catch. Contact that lasts counts once.",
        end=_HALF_A_MINUTE,
    ),
}
