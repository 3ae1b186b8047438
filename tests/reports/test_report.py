"""The page of several files: all is in it, and it is HTML."""

import base64
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.storage import reader
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

pytest.importorskip("matplotlib")

JOB = 'title = "a job"\n# a < b & c\n'
VOID = {"area", "br", "img", "link", "meta"}


class Page(HTMLParser):
    """What a page says, with an error for an element that is not closed where it should be."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tables, self.said, self.images = [], [], "", []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag == "img":
            self.images.append(dict(attributes))
        if tag not in VOID:
            self.open.append(tag)
        assert not dict(attributes).get("href"), "nothing is fetched from elsewhere"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said += data
        if self.open and self.open[-1] in ("td", "th"):
            self.tables[-1][-1].append(data)


def write(path, title, wins, games=4):
    match = MatchRecord(MatchKey("a", "<b>"), games, "table1.go9.1000", 1000)
    rows = tuple(
        GameRecord(match.key, number, float(number < wins), "area", (number,))
        for number in range(games)
    )
    run = RunRecord(0.0, 60.0, 0, version="1.0", commit="abcdef", hosts="here (2)")
    Writer(path, Results(title, "go", JOB, "", "{}", (match,), rows, (run,))).close(0)


def page_of(*words, out):
    assert main(["report", *map(str, words)]) == 0
    return Page(out.read_text("utf-8"))


def test_a_page_has_a_section_with_table_picture_and_job_for_each_file(tmp_path, capsys):
    files = [tmp_path / "one.h5", tmp_path / "two.h5"]
    for path, title, wins in zip(files, ("the <first>", "the second"), (1, 3), strict=True):
        write(path, title, wins)
    out = tmp_path / "page.html"

    page = page_of(*files, "-o", out, "--title", "Both & more", out=out)

    assert capsys.readouterr().out == f"{out}\n"
    assert [table[0][:3] for table in page.tables] == [["match", "games", "success rate"]] * 2
    assert [table[1][:2] for table in page.tables] == [["a against <b>", "4"]] * 2
    assert [table[1][2].split()[0] for table in page.tables] == ["25.0", "75.0"]
    for text in (
        "Both & more",
        "the <first>",
        "the second",
        JOB,
        "commit abcdef",
        "one.h5: 4 games",
    ):
        assert text in page.said
    assert [image["alt"] for image in page.images] == ["the <first>", "the second"]
    for image in page.images:
        kind, data = image["src"].split(",", 1)
        assert kind == "data:image/svg+xml;base64"
        assert ElementTree.fromstring(base64.b64decode(data)).tag.endswith("svg")


def test_a_file_without_games_says_so(tmp_path):
    write(tmp_path / "none.h5", "nothing", 0, games=0)
    out = tmp_path / "page.html"

    page = page_of(tmp_path / "none.h5", "-o", out, out=out)

    assert "No game has been played yet." in page.said
    assert not page.images and not page.tables


def test_a_page_that_cannot_be_made_leaves_nothing(tmp_path, capsys):
    write(tmp_path / "one.h5", "one", 1)

    assert (
        main(["report", str(tmp_path / "one.h5"), "-o", str(tmp_path / "one.h5" / "a.html")]) == 2
    )
    assert capsys.readouterr().err == f"mcts-cluster: {tmp_path / 'one.h5'}: File exists\n"
    assert main(["report", str(tmp_path / "none.h5"), "-o", str(tmp_path / "page.html")]) == 2
    assert "none.h5" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["one.h5"]


def test_the_example_of_the_results_makes_a_page(tmp_path):
    example = Path(__file__).parents[2] / "results" / "quickstart-example.h5"
    out = tmp_path / "page.html"

    page = page_of(example, "-o", out, out=out)

    assert reader.read(example).title in page.said
    assert len(page.tables) == len(page.images) == 1


def test_a_page_names_the_versions_that_have_played(tmp_path):
    several = Path(__file__).parents[2] / "results" / "machines-go9.h5"
    out = tmp_path / "page.html"

    assert (
        "played by 3 versions: 0.1.0 c32aec7 (1,990 games), "
        in page_of(several, "-o", out, out=out).said
    )
