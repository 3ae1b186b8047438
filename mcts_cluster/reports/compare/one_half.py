"""A success rate next to one half: won and lost, Elo, likelihood, and what games can show.

The numbers are those of superiority; here they are text, or names and numbers.
"""

from collections.abc import Iterable, Sequence
from math import isinf

from mcts_cluster.settings.words import counted
from mcts_cluster.superiority import Score, visible

# A difference of so many points is none that games show.
MAX_VISIBLE = 49.5
MAX_NAMED = 3


def won(score: Score) -> str:
    """Return wins, draws if there are any, and losses: "45–15", "40–3–17"."""
    counts = [score.wins, *[score.draws] * bool(score.draws), score.losses]
    return "–".join(map(str, counts))


def elo_text(score: Score) -> str:
    """Return a difference in Elo with its error; after a clean sweep, the end of its interval."""
    found, error = score.elo
    if isinf(found):
        low, high = score.elo_interval
        return f"over {low:+.0f}" if found > 0 else f"under {high:+.0f}"
    return f"{found:+.0f} ± {error:.0f}"


def likelihood_text(score: Score) -> str:
    """Return a likelihood in percent, which is never certain."""
    share = score.likelihood
    if not 0.0005 <= share < 0.9995:
        return ">99.9 %" if share > 0.5 else "<0.1 %"
    return f"{100 * share:.1f} %"


def by_color(colors: Sequence[str], scores: Sequence[Score]) -> dict[str, str]:
    """Return success rates by the color that a player has, under their heading."""
    rates = (f"{100 * one.points / one.games:.1f}" if one.games else "–" for one in scores)
    return {" / ".join(colors): f"{' / '.join(rates)} %"}


def visibility(numbers: Iterable[int]) -> str:
    """Return what difference so many games show; of many numbers, for the most and the fewest."""
    different = sorted((n for n in set(numbers) if visible(n) < MAX_VISIBLE), reverse=True)
    if not different:
        return "So few games cannot show any difference from 50 %."
    named = different if len(different) <= MAX_NAMED else [different[0], different[-1]]
    most, *others = ((counted(games, "game"), f"{visible(games):.1f}") for games in named)
    more = "".join(f", {games} one of {points}" for games, points in others)
    return (
        f"{most[0]} show a difference of {most[1]} points from 50 %{more} "
        "(at 95 %, four times in five)."
    )


def numbers(whole: Score, beginning: Score, following: Score) -> dict[str, float | None]:
    """Return what is known of a score and of its halves; what is infinite is None."""
    (found, error), (low, high) = whole.elo, whole.elo_interval
    elos = {"elo": found, "elo_error": error, "elo_low": low, "elo_high": high}
    halves = {"beginning": beginning, "following": following}
    return {
        "wins": whole.wins,
        "draws": whole.draws,
        "losses": whole.losses,
        **{name: None if isinf(one) else round(one, 2) for name, one in elos.items()},
        "likelihood_of_superiority": round(whole.likelihood, 6),
        "visible_difference": round(visible(whole.games), 4),
        **{f"{name}_games": one.games for name, one in halves.items()},
        **{
            f"{name}_rate": round(100 * one.points / one.games, 4) if one.games else None
            for name, one in halves.items()
        },
    }
