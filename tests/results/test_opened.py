"""Files of results in Python: tables with types and units, positions, and what is refused."""

import math
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest
from conftest import python_path
from some_rows import EMPTY, row, rows, written

from mcts_cluster import results
from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports import match_table
from mcts_cluster.storage import reader
from mcts_cluster.storage.results import MatchRecord
from mcts_cluster.storage.writer import Writer

SHIPPED = Path(__file__).parents[2] / "results"
QUICKSTART = SHIPPED / "quickstart-example.h5"
CAMPAIGN = SHIPPED / "bgp-good-9x9-laptop.h5"


@pytest.fixture
def path(tmp_path):
    return written(tmp_path / "job.h5", rows(40))


def test_games_have_the_cells_of_the_file(path):
    games = results.open(path).games

    assert len(games) == 40
    one, record = games.loc[17], row(17)
    assert one.match == str(record.match) == "a against b"
    assert (one["first"], one.second) == record.match.players
    assert (one.number, one.points, one.how) == (record.number, record.points, record.how)
    assert one.seed == record.seed
    assert one.first_simulations == record.simulations[0]
    assert one.second_exchanges == record.exchanges[1].exchanges
    assert one.plies == record.plies == 17
    assert (one.host, one["rank"], one.process) == ("host2", 2, 1002)


def test_games_have_the_types_that_fit(path):
    games = results.open(path).games

    for name in ("match", "first", "second", "how", "host"):
        assert isinstance(games[name].dtype, pd.CategoricalDtype), name
    assert games.began[3] == pd.Timestamp(1e9 + 3, unit="s", tz="UTC")
    assert games.first_seconds[3] == pd.Timedelta(seconds=1.5)
    assert games.points.isna().sum() == 10
    assert games.counts.dtype == bool
    assert games.counts.sum() == 30
    assert not games[games.points.isna()].counts.any()


def test_tables_tell_their_units_and_meanings(path):
    opened = results.open(path)

    assert opened.games.attrs["units"]["first_exchange_bytes"] == "B"
    assert opened.games.attrs["units"]["first_seconds"] == "s"
    assert opened.games.attrs["meanings"]["plies"] == "moves, passes included"
    assert opened.games.attrs["files"] == [str(path)]
    assert opened.table().attrs["units"]["success_rate"] == "%"


def test_matches_have_the_rates_that_their_games_come_to(path):
    matches = results.open(path).matches.set_index("name")
    lines = match_table.lines(EMPTY.matches, rows(40))

    assert list(matches.index) == ["a against b", "é against b"]
    for line in lines:
        one = matches.loc[str(line.match)]
        assert (one.games, one.void) == (line.games, line.void)
        assert one.success_rate == pytest.approx(line.rate)
        assert one.success_rate_errors == pytest.approx(line.error)
    assert list(matches.wanted) == [90, 90]


def test_matches_without_games_have_no_rate(tmp_path):
    matches = results.open(written(tmp_path / "job.h5")).matches

    assert list(matches.games) == [0, 0]
    assert matches.success_rate.isna().all()
    assert len(results.open(tmp_path / "job.h5").games) == 0
    assert len(results.open(tmp_path / "job.h5").hosts) == 0
    assert len(results.open(tmp_path / "job.h5").table()) == 0


def test_hosts_have_their_games_also_if_there_is_one(path):
    hosts = results.open(path).hosts.set_index("host")

    assert list(hosts.index) == ["host0", "host1", "host2"]
    assert hosts.games.sum() == 30
    assert hosts.void.sum() == 10
    assert hosts.playouts_per_second["host1"] == 300_001
    assert list(results.open(QUICKSTART).hosts.games) == [164]


def test_runs_are_times_with_what_played_them(path):
    runs = results.open(path).runs

    assert runs.began[0] == pd.Timestamp(1.5, unit="s", tz="UTC")
    assert runs.version[0] == "1.2.3"
    # Not known yet.
    assert math.isnan(runs.busy[0])


def test_a_time_that_is_not_known_is_none(tmp_path):
    path = tmp_path / "job.h5"
    Writer(path, EMPTY).file.close()

    assert results.open(path).runs.ended.isna().all()


@pytest.mark.parametrize("name", ["quickstart-example", "bgp-good-9x9-laptop", "table3-laptop"])
def test_the_table_has_the_numbers_of_the_verb(name, capsys):
    path = SHIPPED / f"{name}.h5"
    main(["table", str(path), "--format", "csv"])
    printed = capsys.readouterr().out

    table = results.open(path).table()

    assert list(table.columns) == printed.splitlines()[0].split(",")
    assert len(table) == printed.count("\n") - 1
    rates = [name for name in table if name in ("success_rate", "mean", "good_moves")]
    csv_rates = pd.read_csv(StringIO(printed))[rates]
    assert np.allclose(table[rates], csv_rates)


def test_searches_of_teams_have_the_numbers_of_their_games(path):
    searches = results.open(path).searches

    own = [(number, one) for number in range(40) for one in row(number).searches]
    assert list(searches.game) == [number for number, _ in own]
    assert list(searches.ply) == [one.ply for _, one in own]
    assert list(searches.exchange_bytes) == [one.exchanges.exchange_bytes for _, one in own]
    assert searches.exchange_seconds[0] == pd.Timedelta(seconds=0.5)
    twice = results.open(path, path).searches
    assert list(twice.game[len(own) :]) == [40 + number for number, _ in own]


# Campaigns and positions


def test_a_campaign_has_candidates_looks_batches_and_verdicts():
    campaign = results.open(CAMPAIGN)

    candidates = campaign.candidates
    assert candidates["first"][0] == "weak+1"
    assert (candidates.games[0], candidates.success_rate[0]) == (1600, 58)
    looks = campaign.looks
    last = looks[(looks.name == "weak+1") & (looks.rule == "paper-2")].iloc[-1]
    assert (last.games, last.verdict) == (1600, "accepted")
    assert campaign.batches.games.iloc[0] == 100
    accepted = campaign.verdicts[campaign.verdicts.candidate >= 0]
    assert list(accepted.name) == ["weak+1", "weak+1+9", "weak+1+9+18"]
    # Games that were played ahead and not needed do not count.
    assert campaign.games.counts.sum() == 12_900


@pytest.mark.parametrize("name", ["candidates", "looks", "batches", "verdicts"])
def test_of_matches_there_is_no_table_of_a_campaign(name):
    with pytest.raises(UserError, match=r"a matches file, must be a campaign file"):
        getattr(results.open(QUICKSTART), name)


def test_positions_have_the_share_of_good_moves():
    positions = results.open(SHIPPED / "table3-laptop.h5").positions

    own = positions[(positions.position == "must-play") & (positions.player == "both(1000)")]
    assert list(own.good_moves) == [100]
    with pytest.raises(UserError, match="must be a positions file"):
        _ = results.open(QUICKSTART).positions


# Positions of games


def test_a_position_of_a_game_prints_as_a_board_and_plays_on():
    opened = results.open(QUICKSTART)

    board = opened.position(17, 30)

    assert len(board.moves) == 30
    assert str(board).splitlines()[-1] == "black to play"
    assert board.moves == opened.position(17).moves[:30]
    assert len(opened.position(17).moves) == opened.games.plies[17]
    assert opened.position(17, 0).moves == []
    board.play(board.legal_moves()[0])


@pytest.mark.parametrize(
    ("game", "ply", "mistake"),
    [
        (164, None, "game 164: must be 0 to 163"),
        (-1, None, "game -1: must be 0 to 163"),
        (0, 108, "game 0: ply 108: must be 0 to 107"),
        (0, -1, "game 0: ply -1: must be 0 to 107"),
    ],
)
def test_a_position_that_is_not_there_is_refused(game, ply, mistake):
    with pytest.raises(UserError, match=mistake):
        results.open(QUICKSTART).position(game, ply)


# Several files, files that grow, files that may only be read


def test_several_files_are_one_table_with_their_names(tmp_path):
    other = replace(EMPTY, matches=(MatchRecord(MatchKey("c", "d"), 5),))
    record = replace(row(1), match=MatchKey("c", "d"))
    a, b = written(tmp_path / "a.h5", rows(6)), written(tmp_path / "b.h5", [record], 0, other)

    both = results.open(a, str(b))

    assert list(both.games.file) == [str(a)] * 6 + [str(b)]
    assert list(both.games.match) == [str(record.match) for record in (*rows(6), record)]
    assert list(both.games.match.cat.categories) == ["é against b", "a against b", "c against d"]
    assert list(both.matches.file) == [str(a), str(a), str(b)]
    assert list(both.table().games) == [4, 1, 1]
    with pytest.raises(UserError, match="game 7: must be 0 to 6"):
        both.position(7)


def test_a_position_is_that_of_the_file_that_has_the_game():
    both = results.open(QUICKSTART, SHIPPED / "bandit-go9.h5")

    own = results.open(SHIPPED / "bandit-go9.h5").position(3)
    assert both.position(164 + 3).moves == own.moves
    assert str(both.games.file[164]).endswith("bandit-go9.h5")


def test_files_of_several_kinds_are_one_table_too():
    both = results.open(QUICKSTART, SHIPPED / "table3-laptop.h5")

    assert len(both.games) == 164 + 1600
    assert both.table().good_moves.isna().sum() == 4
    assert both.table().match.isna().sum() == 16


def test_a_file_that_grows_is_read_as_it_stands_and_again(tmp_path):
    path = tmp_path / "job.h5"
    writer = Writer(path, EMPTY)
    writer.append(rows(3))
    writer.flush()

    opened = results.open(path)
    before = len(opened.games)
    writer.append(rows(3, 10))
    writer.flush()

    assert before == len(opened.games) == 3
    assert len(opened.reload().games) == 10
    writer.close(0)


# In a process of its own, as such a hook stays.
WATCHED = """
import sys
folder, path = sys.argv[1:]
from mcts_cluster import results

def note(event, args):
    if event == "open" and str(args[0]).startswith(folder) and args[1] not in (None, "r", "rb"):
        print("opened to write:", args)

sys.addaudithook(note)
opened = results.open(path)
print(len(opened.games), len(opened.table()), len(opened.position(4).moves) > 0)
"""


def test_nothing_is_written_beside_or_into_a_file(tmp_path):
    path = tmp_path / "job.h5"
    shutil.copy(QUICKSTART, path)
    before = path.read_bytes()
    path.chmod(0o444)
    tmp_path.chmod(0o555)

    words = [sys.executable, "-c", WATCHED, str(tmp_path), str(path)]
    environment = {**os.environ, "PYTHONPATH": python_path()}
    said = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)

    tmp_path.chmod(0o755)
    assert said.stdout == "164 4 True\n"
    assert [one.name for one in tmp_path.iterdir()] == ["job.h5"]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "mistake"),
    [
        (None, r"x\.h5: no such file"),
        (b"no results", r"x\.h5: not an HDF5 file that can be read"),
    ],
)
def test_a_file_that_is_none_of_ours_is_refused_as_by_the_verbs(content, mistake, tmp_path):
    path = tmp_path / "x.h5"
    if content:
        path.write_bytes(content)

    with pytest.raises(UserError, match=mistake) as told:
        results.open(path)
    with pytest.raises(UserError) as by_verb:
        reader.read(path)
    assert str(told.value) == str(by_verb.value)


def test_no_file_at_all_is_refused():
    with pytest.raises(UserError, match="no file to open"):
        results.open()


# Without pandas


@pytest.fixture
def no_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)


def test_without_pandas_tables_are_structured_arrays(no_pandas, path):
    opened = results.open(path)

    games = opened.games
    assert games.dtype.names[:5] == ("match", "first", "second", "number", "points")
    assert games["match"][17] == "a against b"
    assert games["how"][17] == row(17).how
    assert games["began"][3] == np.datetime64(10**9 + 3, "s")
    assert games["first_seconds"][3] == np.timedelta64(1_500, "ms")
    assert games.dtype["first_exchange_bytes"].metadata["units"] == "B"
    assert opened.matches["games"].tolist() == [20, 10]
    assert opened.table()["success_rate"].shape == (2,)


def test_the_arrays_have_the_values_of_the_frames(path):
    frame, array = results.open(path).games, results.open(path, pandas=False).games

    assert list(frame.columns) == list(array.dtype.names)
    for name in ("match", "host", "seed", "plies", "counts", "first_exchanges"):
        assert frame[name].tolist() == array[name].tolist(), name


def test_tables_without_rows_are_arrays_too(tmp_path):
    opened = results.open(written(tmp_path / "job.h5"), pandas=False)

    assert opened.games.shape == (0,)
    assert opened.table().shape == (0,)
    assert opened.hosts.shape == (0,)


# Parquet


def test_games_are_exported_to_parquet_with_types_and_units(path, tmp_path, capsys):
    out = tmp_path / "rows.parquet"

    assert main(["export", str(path), "--format", "parquet", "-o", str(out)]) == 0

    read = pd.read_parquet(out)
    games = results.open(path).games
    assert read.game.tolist() == list(range(40))
    pd.testing.assert_frame_equal(read.drop(columns="game"), in_seconds(games), check_names=False)
    assert read.attrs["units"]["first_seconds"] == "s"


def in_seconds(games):
    """Durations as Parquet has them, which knows none."""
    durations = games.select_dtypes("timedelta")
    assert "first_seconds" in durations
    return games.assign(**{name: games[name].dt.total_seconds() for name in durations})


def test_any_reader_of_arrow_sees_units_and_descriptions(path, tmp_path):
    out = tmp_path / "rows.parquet"

    main(["export", str(path), "--format", "parquet", "-o", str(out)])

    schema = pyarrow.parquet.read_schema(out)
    told = {field.name: field.metadata or {} for field in schema}
    attrs = pd.read_parquet(out).attrs
    assert {n: own[b"units"].decode() for n, own in told.items() if b"units" in own} == (
        attrs["units"]
    )
    assert {n: own[b"description"].decode() for n, own in told.items()} == attrs["meanings"]
    # The numbers that are stored are those of the unit.
    assert {str(schema.field(n).type) for n, unit in attrs["units"].items() if unit == "s"} == {
        "double"
    }
    seconds = pyarrow.parquet.read_table(out)["first_seconds"].to_pylist()
    assert seconds == pytest.approx([row.seconds[0] for row in reader.read(path).rows], abs=1e-6)


def test_parts_of_games_make_one_table(path, tmp_path, monkeypatch):
    out = tmp_path / "rows.parquet"
    monkeypatch.setattr("mcts_cluster.results.opened.CELLS_AT_ONCE", 7)

    main(["export", str(path), "--format", "parquet", "-o", str(out)])

    read = pd.read_parquet(out)
    games = results.open(path).games
    pd.testing.assert_frame_equal(read.drop(columns="game"), in_seconds(games), check_names=False)


def test_one_game_is_exported_to_parquet(path, tmp_path):
    out = tmp_path / "row.parquet"

    main(["export", str(path), "--format", "parquet", "--game", "17", "-o", str(out)])

    assert pd.read_parquet(out)[["game", "plies"]].to_numpy().tolist() == [[17, 17]]


def test_parquet_is_not_printed(path, capsys):
    assert main(["export", str(path), "--format", "parquet"]) == 2
    assert "needs -o OUT" in capsys.readouterr().err


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_parquet_without_its_libraries_is_refused_in_a_line(
    library, path, tmp_path, capsys, monkeypatch
):
    monkeypatch.setitem(sys.modules, library, None)
    out = tmp_path / "rows.parquet"

    assert main(["export", str(path), "--format", "parquet", "-o", str(out)]) == 2

    assert capsys.readouterr().err == (
        'mcts-cluster: Parquet needs pandas and pyarrow: pip install "mcts_cluster[pandas]"\n'
    )
    assert not out.exists()


def test_an_older_file_is_read_with_what_it_lacks(tmp_path):
    shutil.copy(SHIPPED / "bandit-go9.h5", tmp_path / "older.h5")

    games = results.open(tmp_path / "older.h5").games

    assert (games.first_full_searches == -1).all()
    assert len(games) == 2000
