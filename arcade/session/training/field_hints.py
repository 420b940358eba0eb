"""The explanations of the trainer's settings, as its schema words them: listed here so that they are translated."""

from __future__ import annotations

from arcade.language import N_, _

HINTS = (
    N_('Arguments of the game over those of the catalogue, as in {"team_size": 2}.'),
    N_("Random seed."),
    N_("Snapshot to start from (NAME, latest, best or a path); empty: train from scratch."),
    N_("Env steps until the run ends; 0: until it is stopped."),
    N_("Minutes until the run ends, counted anew when it is resumed; 0: until it is stopped."),
    N_("Settings of the algorithm."),
    N_("Step size of Adam."),
    N_("Discount per decision."),
    N_("Env steps per iteration, over all games."),
    N_("Decisions per gradient step."),
    N_("Largest norm of the gradient."),
    N_("Coefficient of the entropy bonus."),
    N_("Coefficient of the value loss."),
    N_("Lambda of generalised advantage estimation."),
    N_("Clipping range of the probability ratio."),
    N_(
        "Passes over a batch. Policies learn side by side, one minibatch of each at a time, until the one "
        "with the most decisions is done; policies with fewer decisions make more passes."
    ),
    N_(
        "Coefficient of KL(snapshot || policy), which keeps the policy near the snapshot that the run starts "
        "from: kickstarting's cross-entropy (Schmitt et al. 2018, arXiv 1803.03835) but for a constant. 0: "
        "none."
    ),
    N_("Env steps over which the KL penalty fades linearly to 0."),
    N_("Changes to observations (inside the network, so that a snapshot takes raw ones) and to the rules."),
    N_(
        "Observations of the learning policies in Atari games: the console's memory (ram), the picture, or the "
        "picture in grey; snapshots keep it, and their seats are shown these in matches too. Empty: the game's own."
    ),
    N_("Convert pictures to greyscale."),
    N_("Largest number of rows and columns of a picture, by averaging; 0: unchanged."),
    N_("Number of newest observations that are stacked."),
    N_("Normalise vectors by their running mean and deviation."),
    N_("Probability that a seat repeats its last action (Machado et al. 2018, arXiv 1709.06009)."),
    N_(
        "Ticks of a real-time game for which each action is held, together one env step; only in training: "
        "evaluation takes an action at every tick, and so do matches without `--frame-skip`."
    ),
    N_("Ticks after which an episode is truncated, once the current action was held; 0: only the game ends episodes."),
    N_("Factor of rewards for learning; results stay in the game's own units."),
    N_("The shape of policy and critic."),
    N_("Widths of the layers of policy and of critic."),
    N_("Activation of policy and critic; convolutions always use relu."),
    N_("Encode pictures by convolutions (Mnih et al. 2015, scaled to their size), else flatten them."),
    N_("Cells of a recurrent layer before the heads; 0: none."),
    N_("Length of the sequences, in decisions, for a recurrent layer."),
    N_("Assigns policies to agents."),
    N_(
        "self_play: one policy per role, against its own past; parameter_sharing: one for all agents with "
        "equal spaces; independent: one per agent; teams: one per team; shared_value_function: one per agent "
        "with a central critic."
    ),
    N_("Agent id to policy id, which overrides `kind`; the agents of a policy have equal spaces."),
    N_("Policies that learn; the others keep their initial weights. Empty: all."),
    N_("Share one encoder between all policies with equal observations."),
    N_("Opponents of the learning policies, as shares of the episodes."),
    N_(
        "Share of episodes against the learning policy itself, in which every seat learns (ML-Agents' term). "
        "None: 0.5 where policies.kind is self_play, else 1."
    ),
    N_("Fixed opponents as seat words: scripted, random, snapshot:NAME, snapshot:PATH, python:M:F, remote:ADDRESS."),
    N_("Share of episodes against one of `fixed`."),
    N_("Share of the newest snapshot in the episodes against snapshots."),
    N_(
        "How older snapshots are drawn: by prioritised fictitious self-play, which prefers even matches (variance) or "
        "strong opponents (hard), or uniformly."
    ),
    N_("Number of newest snapshots that can be drawn; 0: all."),
    N_("Env steps after which the snapshots in play change; 0: at every fragment."),
    N_("Snapshots in play at once, which bounds the cost."),
    N_("With start_from: number of the store's newest snapshots in the pool from the start."),
    N_("Train a main policy, a main exploiter and a league exploiter (Vinyals et al. 2019)."),
    N_("When a learning policy is frozen to a snapshot."),
    N_("Env steps between two snapshots; 0: never by steps (ML-Agents' term)."),
    N_(
        "Minutes between two snapshots, a new policy's first after one; 0: never by time, so that a seed repeats its "
        "training."
    ),
    N_("Win rate against its pool since the last freeze, draws counting half; 0: never by win rate."),
    N_("Env steps since the last freeze before one by win rate."),
    N_("Games against the pool since the last freeze before one by win rate."),
    N_("Freeze the untrained policy too, so that the pool is never empty."),
    N_("Freeze the policy when the run ends, so that its last part can be played against too."),
    N_("Ladder matches of each new snapshot against the most informative opponents."),
    N_("Where games and learners run."),
    N_("Vectorised envs of each runner."),
    N_("Remote runners; 0: in the trainer's process."),
    N_("Let remote runners play while the learner works on the last fragment, one update behind."),
    N_("Remote learners, which share the batch; 0: in the trainer's process."),
    N_("Processors that ray reserves for each runner; less than 1 shares one."),
    N_("Processors that ray reserves for each remote learner."),
    N_("GPUs per learner, in the trainer's process too; 0: learn on the processor."),
    N_("Threads of torch; 1 leaves the other cores to the window."),
    N_("Priority, 0 (normal) to 19 (lowest)."),
    N_("Cluster to run on, as in ray://HOST:10001 or auto; empty: a local one."),
    N_("Saved states of a run, from which it resumes."),
    N_("Seconds between two checkpoints; each freeze makes one too."),
    N_("Number of newest checkpoints to keep."),
    N_("Number of best checkpoints to keep as well."),
    N_(
        "Metric by which checkpoints are ranked, higher is better; empty: yardstick, which evaluation measures against "
        "opponents that stay the same, or score without evaluation."
    ),
    N_("Matches that measure the policies, without learning."),
    N_("Env steps between two evaluations, of which one more ends the run; 0: never."),
    N_("Games of an evaluation against each opponent."),
    N_(
        "Opponents that stay the same for the whole run: seat words; first: the run's first snapshots; ladder: two "
        "rated snapshots of each seat, chosen as the run begins.  What is not there is left out.  In a game of one "
        "team they are partners in half of the seats, but for random and ladder, which are left out."
    ),
    N_("Length of V-trace sequences, in decisions of a seat."),
    N_("Decisions per gradient step, drawn from the buffer."),
    N_("Capacity of a policy's buffer, in decisions."),
    N_("Env steps before the first update."),
    N_("Gradient steps per iteration."),
    N_("Decisions whose rewards are summed before bootstrapping."),
    N_("Env steps between two updates of the target network; 0: at every gradient step."),
    N_("Share of random actions at the start and in the end."),
    N_("Env steps from the one to the other."),
    N_("Share of the new weights in the target network at each update of it."),
    N_(
        "Temperature by which action values are a policy for the KL penalty, softmax(Q / temperature); the reference "
        "may be the policy of another algorithm, too, with the same layers."
    ),
    N_("Temperature at the start."),
    N_(
        "Discrete actions: share of the highest entropy that the temperature aims at (the paper's 0.98 stays "
        "all but random in games of many moves); boxes: minus the number of entries."
    ),
    N_("Episodes that start at moments of recorded matches."),
    N_(
        "Recordings whose moments episodes start from, by id, name or file; NAME@TICK for one moment of it. Empty: "
        "each episode starts as the game does."
    ),
    N_("Share of the episodes that start at one of these moments, where there are recordings."),
    N_("Share of a recording before which no moment is drawn."),
    N_("Share of a recording after which no moment is drawn."),
    N_("Moments that each runner draws as the run begins, from all recordings alike."),
)


def shown_hint(hint: str) -> str:
    """Return what people read for the explanation of a field or a section."""
    return _(hint) if hint in HINTS else hint
