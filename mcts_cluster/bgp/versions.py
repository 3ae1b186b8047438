"""The players of a campaign by name: the baseline with the mutations that the name says.

    mogo+16+22+31 against mogo+16+22

A match is such a name, so its games are those of any match: their seeds are made of it, a worker
needs no more to play them, and games beside another baseline are games of another match.
"""

from collections.abc import Iterable
from dataclasses import replace

from mcts_cluster.bgp.campaign import Campaign, Place
from mcts_cluster.jobs.job import Job
from mcts_cluster.matches.match_settings import Match
from mcts_cluster.players.mcts import Mcts


def match_of(campaign: Campaign, accepted: Iterable[Place], place: Place) -> Match:
    """Return the match of a candidate against what has been accepted before."""
    before = tuple(accepted)
    versions = campaign.version((*before, place)), campaign.version(before)
    return Match(versions, 0, opening=campaign.opening, resign_below=campaign.resign_below)


def parsed(campaign: Campaign, match: str) -> tuple[tuple[Place, ...], Place]:
    """Return what was accepted before, and the candidate, from the name of its match."""
    tested, _, _ = match.rpartition(f" against {campaign.player}")
    *accepted, place = campaign.places(tested)
    return tuple(accepted), place


def player(job: Job, campaign: Campaign, version: str) -> Mcts:
    base = job.players[campaign.player]
    assert isinstance(base, Mcts)
    mutations = map(campaign.mutation, campaign.places(version))
    return replace(base, patterns=sum(mutations, base.patterns))


def found(job: Job, name: str) -> tuple[Job, Match]:
    """Return a match of a job by its name, and a job that has its players; raises ValueError."""
    campaign = job.campaign
    if campaign is None:
        return job, next(match for match in job.matches if match.name == name)
    match = match_of(campaign, *parsed(campaign, name))
    players = {version: player(job, campaign, version) for version in match.players}
    return replace(job, players=players), match
