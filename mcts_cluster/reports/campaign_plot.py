"""The figure of a campaign: the bounds of candidates, and the accepted mutations.

Above, each candidate's bounds at the looks of the rule that decides, over its games, with the two
thresholds. Below, accepted mutations over the races, with those of the paper that the job names.
"""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

from mcts_cluster import published
from mcts_cluster.errors import UserError
from mcts_cluster.reports.pictures.figures import COLORS as OF_FILES
from mcts_cluster.reports.pictures.figures import MARKERS, new_figure, short_names, words
from mcts_cluster.storage import campaign_tables
from mcts_cluster.storage.campaign_tables import CampaignTables, CandidateRecord
from mcts_cluster.storage.results import Results

COLORS = {"accepted": "#1f5fa8", "discarded": "0.7", "exhausted": "#c2a21a", "": "#2e7d4f"}


def drawn(read: CampaignTables, title: str, figure: Any) -> Any:
    """Draw a campaign into an empty figure; raises UserError where nothing was looked at."""
    records = read.raced
    if not records:
        raise UserError("no batch of games is complete yet")
    upper, lower = figure.subplots(2, 1, height_ratios=(3, 2))
    draw_bounds(upper, records, read)
    draw_timeline(lower, read)
    upper.set_title(words(title))
    return figure


def draw_bounds(axes: Any, records: Sequence[CandidateRecord], read: CampaignTables) -> None:
    race = read.settings["race"]
    low, high = 100 * race["lower"], 100 * race["upper"]
    for threshold, text in (
        (low, f"accepted: lower bound above {low:g} %"),
        (high, f"discarded: upper bound below {high:g} %"),
    ):
        color = "#c2571a" if threshold == low else "#7b4fa3"
        axes.axhline(threshold, color=color, linewidth=0.8, linestyle="--", label=text)
    # Those that matter on top.
    named = set()
    for record in sorted(records, key=lambda record: record.verdict != "discarded"):
        games = [look.games for look in record.deciding_looks]
        color = COLORS[record.verdict]
        for bound in ("lower", "upper"):
            label = (record.verdict or "undecided") if record.verdict not in named else None
            named.add(record.verdict)
            # Of a few games they may be beyond all that is possible, and would not be seen.
            bounds = [100 * min(max(getattr(look, bound), 0), 1) for look in record.deciding_looks]
            axes.plot(games, bounds, color=color, linewidth=1, marker=".", label=label)
    # Batches double by default.
    axes.set_xscale("log", base=2)
    games = [look.games for record in records for look in record.deciding_looks]
    doublings = range((max(games) // min(games)).bit_length())
    axes.set_xticks([min(games) << doubling for doubling in doublings])
    axes.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
    axes.set_ylim(0, 100)
    axes.set_xlabel("games")
    axes.set_ylabel("bounds of the success rate, %")
    axes.legend(loc="upper right", fontsize=8)


def draw_timeline(axes: Any, read: CampaignTables) -> None:
    ours = places_of(read.accepted)
    step(axes, ours, read.last_race, color=COLORS["accepted"], label="mcts_cluster")
    for count, iteration in enumerate(ours, 1):
        axes.annotate(str(iteration), (iteration, count), fontsize=7, ha="right", va="bottom")
    name = read.settings["published"]
    paper = published.campaigns()[name] if name else None
    if paper and (paper.validated_at or not paper.validated):
        step(axes, paper.validated_at, paper.iterations, color="#c2571a", label="published")
    finish_timeline(axes)
    axes.legend(fontsize=8)


def drawn_together(files: Mapping[str, Results]) -> Any:
    """Draw the candidates and the accepted mutations of several campaigns over their races."""
    figure = new_figure((7, 7))
    upper, lower = figure.subplots(2, 1, height_ratios=(3, 2), sharex=True)
    looks = zip(files.items(), short_names(files), cycle(OF_FILES), cycle(MARKERS), strict=False)
    for (path, results), name, color, marker in looks:
        read = campaign_tables.in_file(results)
        if not read.raced:
            raise UserError(f"{path}: no batch of games is complete yet")
        draw_means(upper, read, words(name), {"color": color, "marker": marker})
        step(lower, places_of(read.accepted), read.last_race, color=color)
    upper.axhline(50, color="0.7", linewidth=1, zorder=0)
    upper.set_ylim(0, 100)
    upper.set_ylabel("mean of each candidate, %\n(filled: accepted)")
    finish_timeline(lower)
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def draw_means(axes: Any, read: CampaignTables, label: str, look: Mapping[str, Any]) -> None:
    """Draw the mean of each candidate at its race; those accepted are filled."""
    for is_accepted in (False, True):
        some = [one for one in read.raced if (one.verdict == "accepted") == is_accepted]
        means = [100 * one.estimates[-1].mean for one in some]
        own = {"label": label} if is_accepted else {"mfc": "none", "markersize": 4, "alpha": 0.7}
        axes.plot(places_of(some), means, linestyle="none", **look, **own)


def places_of(records: Sequence[CandidateRecord]) -> list[int]:
    return [record.iteration for record in records]


def finish_timeline(axes: Any) -> None:
    most = max(1, *(max(line.get_ydata()) for line in axes.lines))
    axes.set_ylim(-0.05 * most, 1.1 * most)
    axes.set_xlabel("races")
    axes.set_ylabel("accepted mutations")
    for one in (axes.xaxis, axes.yaxis):
        one.get_major_locator().set_params(integer=True)


def step(axes: Any, accepted: Sequence[int], races: int, **style: Any) -> None:
    """Draw a line that goes up by one at each race that accepted a mutation."""
    places = [0, *accepted, races]
    axes.step(places, [*range(len(accepted) + 1), len(accepted)], where="post", **style)
