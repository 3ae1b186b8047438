"""A campaign in a page: how far it is, its patterns as boards, the race under way as charts."""

from collections.abc import Iterator

from mcts_cluster.errors import UserError
from mcts_cluster.matches import portion as portions
from mcts_cluster.matches.portion import ALL
from mcts_cluster.players import bias_patterns
from mcts_cluster.reports.pictures import boards
from mcts_cluster.reports.pictures.boards import Drawing
from mcts_cluster.reports.pictures.charts import Chart, Point
from mcts_cluster.reports.runs import Progress
from mcts_cluster.settings.words import counted
from mcts_cluster.storage import campaign_tables
from mcts_cluster.storage.campaign_tables import CandidateRecord
from mcts_cluster.storage.results import Results


def between(low: float, high: float) -> str:
    """Return an interval in percent; a dash behind a minus would be hard to read."""
    sign = " to " if low < 0 else "–"
    return f"{100 * low:.1f}{sign}{100 * high:.1f}"


def drawings(results: Results) -> Iterator[Drawing]:
    """Yield the patterns of each accepted mutation."""
    for record in campaign_tables.in_file(results).accepted:
        yield patterns_of(record, f"{record.players[0]}, accepted in race {record.iteration}")


def patterns_of(record: CandidateRecord, heading: str) -> Drawing:
    """Return the patterns of a candidate; as text alone where they are none."""
    text = "\n".join(record.picture)
    try:
        patterns = bias_patterns.parse(text)
    except UserError:
        return Drawing(heading, (), (), text)
    names = [f"strength {one.strength:+.6g}" for one in patterns]
    drawn = [*map(boards.pattern, patterns), boards.legend(patterns)] if patterns else []
    return Drawing(heading, drawn, names, text)


def charts(results: Results) -> list[Chart]:
    """Return the bounds of the candidates of a race under way, the one that plays first."""
    read = campaign_tables.in_file(results)
    current, race = read.current, read.settings["race"]
    others = [one for one in read.under_way if one is not current]
    thresholds = (100 * race["lower"], 100 * race["upper"])
    return [bounds_of(one, thresholds) for one in ([current, *others] if current else [])]


def bounds_of(record: CandidateRecord, thresholds: tuple[float, float]) -> Chart:
    points = [
        Point(look.games, 100 * look.mean, 100 * look.lower, 100 * look.upper)
        for look in record.deciding_looks
    ]
    last = points[-1]
    notes = [
        f"{record.verdict or 'undecided'} after {counted(last.games, 'game')}: {last.rate:.1f} %, "
        f"bounds {between(last.low / 100, last.high / 100)}",
        f"accepted once the lower bound is above {thresholds[0]:g} %, discarded once the upper one "
        f"is below {thresholds[1]:g} % (dashed lines)",
    ]
    heading = f"race {record.iteration}: {record.match}"
    return Chart(heading, points, thresholds, notes, patterns_of(record, ""))


def progress(results: Results, pace: float) -> list[Progress]:
    """Return how many races are over, and how fast if the others are as long as they were."""
    read = campaign_tables.in_file(results)
    played = sum(one.games for one in read.verdicts)
    races = pace * len(read.verdicts) / played if played else 0.0
    asked = {run.portion for run in results.runs}
    portion = portions.read(asked.pop()) if len(asked) == 1 else ALL
    all_races = 0.0 if portion else races
    found = [Progress(len(read.verdicts), read.iterations, all_races, "race")]
    if portion:
        own = portion.races(read.iterations)
        over = sum(one.iteration in own for one in read.verdicts)
        found.append(Progress(over, len(own), races, "race", str(portion)))
    return found
