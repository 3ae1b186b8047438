"""The policy of go_policy.pxd, and its settings."""
from libc.stdint cimport int16_t

from cext.atomic cimport add_long, claim, publish
from cext.game cimport Game
from cext.go cimport Go
from cext.go_bias_patterns cimport Patterns
from cext.go_board cimport Board, copy_board
from cext.go_move_model cimport MoveModel
from cext.go_playouts cimport play_informed
from cext.go_priors cimport add_biases, add_priors
from cext.go_races cimport Race, RaceReader, Races, as_predicted, settle
from cext.policy cimport Candidate, Policy, add_lost, add_won
from cext.policy import steps_and_weights
from cext.rng cimport Rng, chance

DEFAULTS = {
    "playout_save": 90,
    "playout_ladder": 100,
    "playout_biased": 0,
    "playout_nakade": 100,
    "playout_near": 0,
    "playout_shape": 95,
    "playout_capture": 90,
    "playout_careful": 95,
    "playout_seki": 100,
    "playout_settle": 0,
    "playout_replay": 0,
    "playout_semeai": 3,
    "prior_even": 10,
    "prior_capture": 15,
    "prior_escape": 15,
    "prior_ladder": 10,
    "prior_atari": 10,
    "prior_nakade": 20,
    "prior_expert": 140,
    "prior_heuristic": 0,
    "prior_semeai": 0,
    "prior_settled": 0,
}


cdef class GoPolicy(Policy):
    """Patterns, if any, give moves a bias; a move model, if any, tells more of what experts play.
    Settings by name: chances in percent for the steps of a playout, visits for priors.

    What is not given has the value in DEFAULTS. The policy serves so many threads at a time.
    """

    def __init__(self, Patterns patterns=None, MoveModel move_model=None, *, int threads=1,
                 **settings):
        if threads < 1:
            raise ValueError(f"{threads} threads: must be 1 or more")
        self.patterns = patterns
        self.has_patterns = patterns is not None and len(patterns) > 0
        self.move_model = move_model
        self.steps, self.weights = steps_and_weights(settings, DEFAULTS)
        if not self.has_patterns:
            self.steps.biased = 0
        self.asks_in_playouts = self.steps.settle > 0 or self.steps.replay > 0
        self.asks_in_tree = self.weights.semeai > 0 or self.weights.settled > 0
        self.readers = []
        if self.asks_in_playouts or self.asks_in_tree:
            self.readers = [RaceReader() for _ in range(min(threads, MOST_READERS))]
        self.reader_count = len(self.readers)
        for i, reader in enumerate(self.readers):
            self.reader_at[i] = <void*>reader

    @property
    def replays(self):
        """How many playouts were replayed, because they contradicted the solver of races."""
        return self.replayed

    def suits(self, game):
        return isinstance(game, Go)

    cdef int playout(self, Game game, Rng* rng, int16_t* trace) noexcept nogil:
        cdef int moves
        if self.asks_in_playouts:
            return self.play_with_races(<Go>game, rng, trace)
        moves = play_informed(&(<Go>game).board, game.to_play, (<Go>game).last,
                              (<Go>game).passes, &self.steps, self.patterns, rng, trace)
        game.ply += moves
        if trace != NULL:
            (<Go>game).name_moves(trace, moves)
        return game.leader()

    cdef int claim_reader(self) noexcept nogil:
        """Return the number of a reader that no other thread uses, to be given back soon."""
        cdef int i = 0
        while not claim(&self.busy[i], 0, 1):
            i = (i + 1) % self.reader_count
        return i

    cdef void prepare(self, Game root) noexcept nogil:
        if self.reader_count:
            (<RaceReader>self.reader_at[0]).read_root(&(<Go>root).board, self.steps.semeai,
                                                      &self.root)

    cdef void find_races(self, Go game, Races* races) noexcept nogil:
        cdef int reader
        races.count = 0
        if self.root.count:
            reader = self.claim_reader()
            (<RaceReader>self.reader_at[reader]).find(&game.board, game.to_play, &self.root, races)
            publish(&self.busy[reader], 0)

    cdef int play_with_races(self, Go game, Rng* rng, int16_t* trace) noexcept nogil:
        """Play out with races settled before, or again until they end as the solver says."""
        cdef Races races
        cdef Board before
        cdef int ply = game.ply, winner, left = self.steps.replay
        self.find_races(game, &races)
        if races.count and left:
            copy_board(&before, &game.board)
        while True:
            winner = self.play_settled(game, &races, rng, trace)
            if (races.count == 0 or left == 0
                    or as_predicted(&game.board, game.to_play, &races)):
                return winner
            left -= 1
            add_long(&self.replayed, 1)
            copy_board(&game.board, &before)
            game.ply = ply

    cdef int play_settled(self, Go game, const Races* races, Rng* rng,
                          int16_t* trace) noexcept nogil:
        cdef int player = game.to_play, last = game.last, passes = game.passes, point = 0, moves
        cdef bint first = False
        if races.count and chance(rng, self.steps.settle):
            point = settle(&game.board, player, races)
        if point:
            first = True
            player = 3 - player
            last = point
            passes = 0
            if trace != NULL:
                trace[0] = <int16_t>point
        moves = first + play_informed(&game.board, player, last, passes, &self.steps,
                                      self.patterns, rng,
                                      trace + first if trace != NULL else NULL)
        game.ply += moves
        if trace != NULL:
            game.name_moves(trace, moves)
        return game.leader()

    cdef int candidates(self, Game game, Candidate* candidates) noexcept nogil:
        cdef int count = Policy.candidates(self, game, candidates)
        add_priors(<Go>game, &self.weights, self.move_model, candidates, count)
        if self.has_patterns:
            add_biases(<Go>game, self.patterns, candidates, count)
        if self.asks_in_tree:
            self.add_race_priors(<Go>game, candidates, count)
        return count

    cdef void add_race_priors(self, Go game, Candidate* candidates, int count) noexcept nogil:
        """Moves that a race needs are good, others in races that are settled are no use."""
        cdef Races races
        cdef const Race* race
        cdef int i, j, k, move
        self.find_races(game, &races)
        for i in range(races.count):
            race = &races.races[i]
            for j in range(race.cells):
                if not (race.needed | race.useless) >> j & 1:
                    continue
                move = game.move_at(race.points[j])
                for k in range(count):
                    if candidates[k].move == move:
                        if race.needed >> j & 1:
                            add_won(&candidates[k], self.weights.semeai)
                        else:
                            add_lost(&candidates[k], self.weights.settled)
