"""The tables of a campaign in its file: which there are, and their columns."""

from mcts_cluster.bgp.campaign import Campaign, mutations_before
from mcts_cluster.players.bias_patterns import KINDS
from mcts_cluster.storage.store import CANDIDATES, Column, Table

MAX_VERSION_LENGTH = 1000
VERSION = f"S{MAX_VERSION_LENGTH}"
WORD = "S40"
LINE = "S120"

CANDIDATE_COLUMNS = (
    Column("first", VERSION, "the candidate, a version of the player"),
    Column("second", VERSION, "the baseline that it plays against"),
    Column("iteration", "i4", "race, from 1"),
    Column("candidate", "i4", "number in its race, from 1"),
    Column("accepted", "i4", "mutations of the baseline"),
    Column("games", "i8", "games played, without void ones"),
    Column("void", "i8", "void games"),
    Column("success_rate", "f8", "success rate of the candidate in all games", "%"),
    Column("success_rate_errors", "f8", "standard error of the success rate", "%"),
)
PICTURES = (
    Column("candidate", "i4", "a row of /candidates"),
    Column("line", LINE, "a line of the text of its patterns"),
)
CELLS = (
    Column("candidate", "i4", "a row of /candidates"),
    Column("strength", "f8", "bias of the cell's pattern"),
    Column("dx", "i2", "columns to the right of the move"),
    Column("dy", "i2", "rows above the move"),
    Column("kind", "i2", f"0 to 4: {', '.join(KINDS)}"),
)
BATCHES = (
    Column("candidate", "i4", "a row of /candidates"),
    Column("games", "i8", "games that count after the batch: those with smaller numbers"),
    Column("mean", "f8", "mean score of the candidate in them"),
    Column("low", "f8", "lower end of an interval that holds after stopping, too"),
    Column("high", "f8", "upper end of that interval"),
    Column("correlation", "f8", "correlation within pairs of games; NaN: not known yet"),
)
LOOKS = (
    Column("candidate", "i4", "a row of /candidates"),
    Column("tests", "i4", "which look of this judge at this candidate, from 1"),
    Column("games", "i8", "games that count so far"),
    Column("mean", "f8", "mean score of the candidate"),
    Column("lower", "f8", "lower bound"),
    Column("upper", "f8", "upper bound"),
    Column("judge", WORD, "judge; the first one of a candidate decides"),
    Column("verdict", WORD, "accepted, discarded, exhausted, or nothing yet"),
)
VERDICTS = (
    Column("iteration", "i4", "race, from 1"),
    Column("candidate", "i4", "the candidate that was accepted, a row of /candidates; -1: none"),
    Column("games", "i8", "games of the race that count"),
    Column("ended", "f8", "end of the game that decided, Unix time", "s"),
    Column("risk", "f8", "risk of error of this race"),
    Column("spent", "f8", "risk of error of all races so far"),
)


def empty_tables(campaign: Campaign) -> dict[str, Table]:
    candidates = mutations_before(campaign.iterations + 1, campaign.candidates)
    return {
        CANDIDATES: Table(CANDIDATE_COLUMNS, expected=2 * candidates),
        "pictures": Table(PICTURES, expected=50 * candidates),
        "cells": Table(CELLS, expected=20 * candidates),
        "batches": Table(BATCHES, expected=20 * candidates),
        "looks": Table(LOOKS, expected=50 * candidates),
        "verdicts": Table(VERDICTS, expected=campaign.iterations),
    }
