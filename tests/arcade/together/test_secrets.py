"""What a machine is sent of a game with secrets: the same bytes, whatever it may not know."""

from __future__ import annotations

import numpy as np
import pytest

from agents.policies.random import RandomController
from agents.seats.controller import Controller, SeatChoice
from arcade.games import find_game
from arcade.match.stage.local import LocalStage
from arcade.together.guest import GuestSession
from arcade.together.hosting.host import HostSession
from arcade.together.messages import FROM_HOST, MAX_HOST_BYTES, Player, View, decode, encode
from arcade.together.modes import SECRETS
from arcade.together.preparing import make_players, prepare
from arcade.together.terms import Terms, commitment
from tests.support.simulated_link import GuestEnd, HostEnd, Network

SEED, NONCE = 2**62 + 11, bytes(32)


class FixedController(Controller):
    """Chooses the first legal action among those `wanted`, whatever it sees."""

    label = kind = "fixed"

    def __init__(self, *wanted):
        self.wanted = wanted

    def observe(self, turn):
        mask = turn.action_mask
        self.action = next(action for action in self.wanted if mask is None or mask[action])

    def act(self):
        return self.action


class SwappedStage(LocalStage):
    """`swap` changes, in each deal of the match, what `guest` may not know."""

    def __init__(self, spec, swap, guest):
        self.swap, self.guest, self.plays, self.swapped = swap, guest, False, 0
        super().__init__(spec, render=True)

    def reset(self, seed):
        self.plays = seed == SEED
        super().reset(seed)

    def _begin(self, seed):
        super()._begin(seed)
        if self.plays and self.swap is not None:
            self.swapped += self.swap(self._env.unwrapped, self.guest)
            self._look(self._tick)


class RecordingEnd(HostEnd):
    """Keeps all that the host sends."""

    def __init__(self, network):
        super().__init__(network)
        self.sent = {}

    def send(self, receiver, message):
        self.sent.setdefault(receiver, []).append(encode(message))
        super().send(receiver, message)


def swap_poker(table, guest):
    """Exchange the other player's cards for the last ones of the deck, in each hand."""
    place = table.possible_agents.index(guest)

    def exchange():
        game = table.engine.game
        player, deck = game.players[1 - place], game.dealer.deck
        if isinstance(getattr(player, "hand", None), list):
            player.hand[:], deck[: len(player.hand)] = deck[: len(player.hand)], list(player.hand)
        else:
            player.hand, deck[0] = deck[0], player.hand
        return 1

    deal = table._deal

    def deal_and_exchange():
        deal()
        exchange()

    table._deal = deal_and_exchange
    return exchange()


def swap_hanabi(table, guest):
    """Exchange the cards of the player for others, which are in the deck."""
    state, place = table.hanabi_env.game_state, table.possible_agents.index(guest)
    size = len(state.full_history()) // 2
    dealt = [int(step.action) for step in state.full_history()]
    own, rest = dealt[place * size : (place + 1) * size], list(range(25))
    free = [card for card in rest if card not in dealt][:size]
    other = state.get_game().new_initial_state()
    for card in [free[own.index(card)] if at // size == place else card for at, card in enumerate(dealt)]:
        other.apply_action(card)
    table.hanabi_env._state = table.hanabi_env.game_state = other
    return 1


def swap_openspiel(env, guest):
    """Put another state that the player takes for possible in place of the true one."""
    place, before = env.possible_agents.index(guest), str(env.state_now)
    for number in range(200):
        rng = np.random.default_rng(number)
        other = env.state_now.resample_from_infostate(place, rng.random)
        if str(other) != before:
            env.state_now = other
            return 1
    return 0


CASES = [  # game, the guest's seat, what is swapped, what the host's player does, ticks
    ("texas_holdem", "player_0", swap_poker, (2, 0), 0),
    ("texas_holdem", "player_1", swap_poker, (2, 0), 0),
    ("texas_holdem_no_limit", "player_1", swap_poker, (0, 1), 0),
    ("leduc_holdem", "player_0", swap_poker, (2, 0), 0),
    ("hanabi", "player_0", swap_hanabi, (0,), 1),
    ("openspiel/kuhn_poker", "player_0", swap_openspiel, (0,), 1),
    ("openspiel/leduc_poker", "player_1", swap_openspiel, (1,), 2),
]


def play(game, seat, swap, wanted, ticks, *, seed=SEED, until_settled=False):
    """Plays a match, up to its end at the host or at all machines; returns the host's link and the guest's session."""
    spec = find_game(game).for_matches()
    network = Network(seed=1, delay=0.01, jitter=0.0, loss=0.0)
    terms = Terms(
        match="m", game=spec.id, kwargs=spec.kwargs, seed=SEED, rate=0.0, max_ticks=ticks, mode=SECRETS, trial=5,
        nonce=NONCE, commitment=commitment(NONCE, seed),
    )  # fmt: skip
    other = next(agent for agent in spec.agents if agent != seat)
    stage = SwappedStage(spec, swap, seat)
    prepared = prepare(stage, terms, record=None, hosts=True)
    link = RecordingEnd(network)
    host = HostSession(link, prepared.play, prepared.digests, secret=b"s" * 10, name="Ada", clock=network.clock)
    host.reserve({other: Player("fixed", "random")})
    player = FixedController(*wanted)
    player.reset(stage.seat(other), seed=1)
    host.ready({other: player})
    guests = guest, watch = [
        GuestSession(GuestEnd(network, name), secret=b"s" * 10, clock=network.clock, instance=name * 3)
        for name in (b"guest", b"watch")
    ]
    made = False
    for _ in range(4000):
        network.now += 1 / 60
        host.update()
        for session in guests:
            session.update()
        if not made and all(session.offer is not None for session in guests):
            made = True
            for session in (watch, guest):
                theirs = prepare(LocalStage(spec), session.offer.terms, record=None)
                if session is guest:
                    own = RandomController()
                    own.reset(theirs.play.stage.seat(seat), seed=3)
                    theirs.play.seat({seat: own})
                    session.join(theirs.play, {seat: Player("guest", "random")}, theirs.digests)
                else:
                    session.join(theirs.play, {}, theirs.digests)
        if host.play.result is not None and (guest.is_over or not until_settled):
            break
    assert host.play.result is not None
    assert not swap or stage.swapped
    for one in (prepared.play, guest.play, watch.play):
        one.close()
    return link, guest


def frames_of(*case):
    """All that a guest and a spectator are sent up to the end of a match, and the views among it."""
    link, guest = play(*case)
    assert guest.play.terms.seed != SEED, "it is secret until the end"
    views = [decode(frame, FROM_HOST, most=MAX_HOST_BYTES) for frame in link.sent[b"guest"]]
    return link.sent, [one for one in views if isinstance(one, View)]


@pytest.mark.parametrize(("game", "seat", "swap", "wanted", "ticks"), CASES)
def test_a_machine_is_sent_the_same_bytes_whatever_is_hidden_from_it(game, seat, swap, wanted, ticks):
    true, views = frames_of(game, seat, None, wanted, ticks)
    swapped, _ = frames_of(game, seat, swap, wanted, ticks)
    assert len(views) > 1, "the match was shown"
    assert all(set(view.seats) == {seat} for view in views)
    for receiver in (b"guest", b"watch"):
        assert true[receiver] == swapped[receiver]


def test_a_choice_at_the_same_time_is_not_told_before_both_are_made():
    rock, _ = frames_of("rps", "player_1", None, (0,), 1)
    paper, views = frames_of("rps", "player_1", None, (1,), 1)

    def until_both_have_chosen(frames):
        kinds = [decode(frame, FROM_HOST, most=MAX_HOST_BYTES) for frame in frames]
        last = next(at for at, one in enumerate(kinds) if isinstance(one, View) and one.tick == 1)
        return frames[:last]

    assert [view.tick for view in views] == [0, 1]
    for receiver in (b"guest", b"watch"):
        assert until_both_have_chosen(rock[receiver]) == until_both_have_chosen(paper[receiver])
        assert rock[receiver] != paper[receiver]


def test_what_ai_of_a_guest_does_cannot_be_foreseen_from_what_all_machines_know():
    class SeedKeeper(RandomController):
        def reset(self, seat, *, seed=None):
            seeds.append(seed)

    spec = find_game("rps").for_matches()
    terms = Terms(match="m", game=spec.id, kwargs=spec.kwargs, seed=SEED, rate=0.0, mode=SECRETS, commitment=bytes(32))
    with LocalStage(spec) as stage:
        seeds = []
        for _ in range(2):
            make_players(stage, terms, {"player_1": SeatChoice("random")}, lambda agent, choice: SeedKeeper())
    assert len(set(seeds)) == 2


HOLDEM = ("leduc_holdem", "player_0")


def test_a_host_that_deals_as_it_said_is_believed():
    _, guest = play(*HOLDEM, None, (2, 0), 0, until_settled=True)
    assert guest.verdict == (True, "")
    assert guest.play.result.seed == SEED


def test_a_host_that_changes_a_deal_is_found_out():
    def swap_own(table, guest):
        return swap_poker(table, next(agent for agent in table.possible_agents if agent != guest))

    _, guest = play(*HOLDEM, swap_own, (2, 0), 0, until_settled=True)
    agreed, why = guest.verdict
    assert agreed is False
    assert "what was not so" in why


def test_a_host_that_tells_another_seed_is_found_out():
    _, guest = play(*HOLDEM, None, (2, 0), 0, seed=SEED + 1, until_settled=True)
    agreed, why = guest.verdict
    assert agreed is False
    assert "another seed" in why
