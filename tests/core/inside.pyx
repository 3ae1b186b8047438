"""What the tests ask of the core that Python does not see otherwise. core_inside.py builds it."""
from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport free, malloc

from cext.game cimport LONGEST_PLAYOUT, Game
from cext.go cimport Go
from cext.go_board cimport (
    EMPTY, SEALED, allowed, atari_size, captured_by, only_liberty, play_carefully, playout_cap)
from cext.go_eye_spaces cimport Space, deadly_size, find_space, maybe_space, vital_point
from cext.go_patterns3x3 cimport SHAPES, surroundings
from cext.go_playouts cimport MOST_NOTES, Notes, clear_notes, play_step
from cext.go_policy cimport GoPolicy
from cext.go_tactics cimport caught_in_ladder, find_captures, find_liberties
from cext.havannah cimport Havannah
from cext.havannah_board cimport add_stone, play_stone, would_reach, would_win
from cext.havannah_threats cimport Line, Threats, find_pairs, find_wins, winning_threat
from cext.policy cimport Candidate, Policy
from cext.rng cimport Generator, Rng, seed_rng


cdef class Advised(Policy):
    """Uniform playouts, and opinions from a function of the move, the ply and the player."""
    cdef object opinion

    def __init__(self, opinion):
        self.opinion = opinion

    cdef int candidates(self, Game game, Candidate* candidates) noexcept nogil:
        cdef int count = Policy.candidates(self, game, candidates), i
        with gil:
            for i in range(count):
                heuristic, visits, wins, bias = self.opinion(
                    candidates[i].move, game.ply, game.to_play)
                candidates[i].heuristic = heuristic
                candidates[i].visits = visits
                candidates[i].wins = wins
                candidates[i].bias = bias
        return count


def play_out(Policy policy not None, Game game not None, Generator generator not None):
    """Return the winner and the moves of a playout."""
    cdef Game scratch = game.copy()
    cdef int16_t* trace = <int16_t*>malloc(LONGEST_PLAYOUT * sizeof(int16_t))
    winner = policy.playout(scratch, &generator.rng, trace)
    moves = [trace[i] for i in range(scratch.ply - game.ply)]
    free(trace)
    return winner, moves


def walk(GoPolicy policy, Go game not None, uint64_t seed, watch):
    """Play a playout of a policy, or a uniform one, and show watch() the game after each move."""
    cdef Go scratch = game.copy()
    cdef Rng rng
    cdef Notes notes
    cdef int point, cap = playout_cap(&game.board)
    seed_rng(&rng, seed)
    clear_notes(&notes)
    moves = []
    if policy is not None and policy.steps.capture:
        for move in range(game.points):
            point = game.at(move)
            if game.board.at[point].chain == point and only_liberty(&game.board, point):
                notes.at[notes.count % MOST_NOTES] = point
                notes.count += 1
    while scratch.passes < 2 and len(moves) < cap:
        if policy is None:
            move = scratch.playout_move(&rng)
        else:
            point = play_step(&scratch.board, scratch.to_play, scratch.last, &policy.steps,
                              policy.patterns, &notes, &rng)
            scratch.passes = 0 if point else scratch.passes + 1
            scratch.to_play = 3 - scratch.to_play
            scratch.ply += 1
            scratch.before = scratch.last
            scratch.last = point
            move = scratch.move_at(point)
        moves.append(move)
        watch(scratch)
    return moves


def is_sealed(Go game not None, int move):
    return game.board.at[game.at(move)].color >= SEALED


def is_allowed(Go game not None, int move):
    """Tell whether a playout may play there."""
    return allowed(&game.board, game.to_play, game.at(move))


def atari_liberty(Go game not None, int move):
    """Return the only liberty of a stone's chain, or None."""
    cdef int point = only_liberty(&game.board, game.board.at[game.at(move)].chain)
    return game.move_at(point) if point else None


def atari_left_by(Go game not None, int move):
    return atari_size(&game.board, game.to_play, game.at(move))


def captures_at(Go game not None, int move):
    """Return the neighbours whose chains a stone would capture."""
    cdef unsigned int bits = captured_by(&game.board, game.to_play, game.at(move))
    return {game.move_at(game.at(move) + game.board.offset[i])
            for i in range(4) if bits >> i & 1}


def liberties_of(Go game not None, int move, int most):
    cdef int points[400]
    cdef int count = find_liberties(&game.board, game.at(move), most, points)
    return [game.move_at(points[i]) for i in range(count)]


def captures_beside(Go game not None, int move, int most):
    cdef int points[400]
    cdef int count = find_captures(&game.board, game.at(move), most, points)
    return [game.move_at(points[i]) for i in range(count)]


def in_ladder(Go game not None, int move):
    return caught_in_ladder(&game.board, game.at(move))


def eye_space(Go game not None, int wall, int move):
    """Return the moves of the eye space around one and its vital one or None; None for no space."""
    cdef Space space
    cdef int vital
    if not find_space(&game.board, wall, game.at(move), &space):
        return None
    vital = vital_point(&game.board, wall, &space)
    return ({game.move_at(space.points[i]) for i in range(space.count)},
            game.move_at(vital) if vital else None)


def may_be_space(Go game not None, int wall, int move):
    return bool(maybe_space(surroundings(&game.board, game.at(move)), wall))


def deadly_stones(Go game not None, int move):
    return deadly_size(&game.board, game.to_play, game.at(move))


def has_shape(unsigned int code, int player):
    return SHAPES[player][code >> 3] >> (code & 7) & 1


def surroundings_of(Go game not None, int move):
    return surroundings(&game.board, game.at(move))


def is_shape(Go game not None, int move):
    return has_shape(surroundings(&game.board, game.at(move)), game.to_play)


def play_careful_move(Go game not None, Generator generator not None, int most):
    """Return the move that play_carefully() makes on a copy, and the copy's board as a game."""
    cdef Go scratch = game.copy()
    cdef int point = play_carefully(&scratch.board, game.to_play, &generator.rng, most)
    return game.move_at(point) if point else None


def ending_if_played(Havannah game not None, int player, int move):
    """Return how a stone would win, bits of havannah_board: foretold, and seen on a copy."""
    cdef Havannah after = game.copy()
    return would_win(&game.board, player, move), add_stone(&after.board, player, move)


def reach_if_played(Havannah game not None, int player, int move):
    return would_reach(&game.board, player, move)


def pairs_of_threats(Havannah game not None, int player):
    """Return the cells that win at once, at most two; how many; and for each cell of a pair the
    cells that win together with it, at most two, and their number, at most 3.
    """
    cdef Threats found
    find_wins(&game.board, player, &found)
    wins = [found.winning[i] for i in range(min(2, found.wins))]
    if found.wins:
        return wins, found.wins, {}
    find_pairs(&game.board, player, &found)
    pairs = {}
    for i in range(found.cells):
        cell = found.listed[i]
        count = found.pairs[cell]
        pairs[cell] = ({found.replies[cell][j] for j in range(min(2, count))}, count)
    return wins, found.wins, pairs


def threat_that_wins(Havannah game not None, int depth, int budget):
    """Return a move of the player to move that wins by threats, or None."""
    cdef Threats found
    cdef Line line
    find_wins(&game.board, game.to_play, &found)
    find_pairs(&game.board, game.to_play, &found)
    move = winning_threat(&game.board, game.to_play, &found, depth, &budget, &line)
    return None if move < 0 else move


def with_stone(Havannah game not None, int player, int move):
    """Return a copy of a game with a stone more, whoever is to move."""
    cdef Havannah after = game.copy()
    play_stone(&after.board, player, move)
    return after
