"""The figure of a campaign: bounds over games, accepted mutations over races."""

from pathlib import Path

import pytest
from test_campaign_state import ONE, SEVERAL, THREE, in_order, row_of
from test_campaign_tables import SETTINGS, in_memory, told, written

from mcts_cluster.__main__ import main
from mcts_cluster.bgp.campaign_state import CampaignState
from mcts_cluster.errors import UserError
from mcts_cluster.reports import campaigns
from mcts_cluster.reports.campaign_plot import drawn
from mcts_cluster.storage import reader

figures = pytest.importorskip("matplotlib.figure")


def axes_of(what):
    return drawn(what, "a [$title", figures.Figure()).axes


def named(axes):
    return {line.get_label(): line for line in axes.lines}


def test_every_candidate_has_its_bounds_at_each_look():
    of_three = told(THREE)

    upper, _ = axes_of(of_three)

    looked = [record for record in of_three.candidates if record.looks]
    curves = [line for line in upper.lines if line.get_marker() == "."]
    assert len(curves) == 2 * len(looked)
    assert sorted(len(line.get_xdata()) for line in curves[::2]) == sorted(
        len(record.deciding_looks) for record in looked
    )
    assert {"accepted", "discarded", "undecided"} <= set(named(upper))


def test_the_thresholds_are_lines():
    upper, _ = axes_of(told())

    flat = {line.get_ydata()[0] for line in upper.lines if line.get_linestyle() == "--"}
    assert flat == {100 * SETTINGS["race"]["lower"], 100 * SETTINGS["race"]["upper"]}


def test_a_legend_tells_the_thresholds_apart():
    upper, _ = axes_of(told())

    names = [text.get_text() for text in upper.get_legend().get_texts()]
    assert "accepted: lower bound above 55 %" in names
    assert "discarded: upper bound below 65 %" in names


def test_accepted_mutations_are_counted_over_the_races():
    _, lower = axes_of(told())

    [ours] = lower.lines
    assert ours.get_xdata().tolist() == [0, 3, 7, 9]
    assert ours.get_ydata().tolist() == [0, 1, 2, 2]
    assert [text.get_text() for text in lower.texts] == ["3", "7"]


def test_a_race_with_several_winners_is_a_higher_step():
    _, lower = axes_of(told(SEVERAL))

    [ours] = lower.lines
    assert ours.get_xdata().tolist() == [0, 3, 7, 7, 9]
    assert ours.get_ydata().tolist() == [0, 1, 2, 3, 3]


def test_bounds_beyond_what_is_possible_are_drawn_at_the_edge():
    bgp = CampaignState(ONE)
    while not bgp.batches:
        bgp.fix(row_of(bgp.issue(), 1.0))
    [record] = in_memory(bgp, SETTINGS).candidates
    [look] = record.deciding_looks

    upper, _ = axes_of(in_memory(bgp, SETTINGS))

    bounds = [line.get_ydata().tolist() for line in upper.lines if line.get_marker() == "."]
    assert look.upper > 1
    assert bounds == [[100 * look.lower], [100]]


def test_where_nothing_was_accepted_there_is_room_for_one():
    _, lower = axes_of(told(count=60))

    [ours] = lower.lines
    assert set(ours.get_ydata()) == {0}
    assert lower.get_ylim()[0] < 0 and lower.get_ylim()[1] > 1


def test_the_papers_campaign_stands_beside():
    _, lower = axes_of(told(published="without_database_19x19"))

    paper = named(lower)["published"]
    assert paper.get_xdata().tolist()[1:4] == [16, 22, 31]
    assert (paper.get_xdata()[-1], paper.get_ydata()[-1]) == (443, 10)


def test_where_the_paper_does_not_say_when_nothing_is_drawn():
    _, lower = axes_of(told(published="bad_shapes_9x9"))

    assert "published" not in named(lower)


@pytest.fixture
def file(tmp_path):
    _, writer = written(tmp_path / "job.h5", ONE, in_order(CampaignState(ONE))[:60])
    writer.close(0)
    return tmp_path / "job.h5"


def test_the_verb_draws_it(file):
    assert main(["plot", str(file)]) == 0

    assert file.with_suffix(".png").stat().st_size > 10_000


def test_several_campaigns_are_one_figure_over_their_races(tmp_path):
    files = [f"results/bgp-{name}-9x9-laptop.h5" for name in ("bad", "good")]
    out = tmp_path / "both.svg"

    assert main(["plot", *files, "-o", str(out)]) == 0
    figure = campaigns.figure_of_all({path: reader.read(Path(path)) for path in files})

    upper, lower = figure.axes
    # Those that were not accepted, and those that were.
    assert [len(line.get_xdata()) for line in upper.lines[:4]] == [19, 1, 17, 3]
    assert [line.get_ydata()[-1] for line in lower.lines] == [1, 3]
    [legend] = figure.legends
    names = [Path(path).name for path in files]
    assert [text.get_text() for text in legend.get_texts()] == names
    assert all(name in out.read_text("utf-8") for name in names)


def test_campaigns_without_a_look_make_no_figure_together(tmp_path, capsys):
    paths = [str(tmp_path / name) for name in ("a.h5", "b.h5")]
    for path, count in zip(paths, (60, 3), strict=True):
        _, writer = written(Path(path), ONE, in_order(CampaignState(ONE))[:count])
        writer.close(0)

    assert main(["plot", *paths]) == 2
    assert capsys.readouterr().err.endswith("b.h5: no batch of games is complete yet\n")


def test_a_page_has_its_table_its_picture_and_what_was_accepted(tmp_path):
    file, out = tmp_path / "job.h5", tmp_path / "page.html"
    _, writer = written(file, ONE, in_order(CampaignState(ONE)))
    writer.close(0)

    assert main(["report", str(file), "-o", str(out)]) == 0

    said = out.read_text("utf-8")
    assert '<figure tabindex="0">\n<svg ' in said
    assert '<th scope="col" class="left">candidate</th>' in said
    assert ", accepted in race " in said and "risk of error so far" in said
    assert '<svg style="width:' in said and 'class="pattern"' in said


def test_a_campaign_is_no_curve_of_doublings(file, capsys):
    assert main(["plot", str(file), "--doublings", str(file)]) == 2

    assert "no match of 2N simulations against N has a game" in capsys.readouterr().err


def test_without_a_look_there_is_nothing_to_draw():
    with pytest.raises(UserError, match=r"^no batch of games is complete yet"):
        axes_of(told(count=3))
