"""The page of several files: all is in it, and it is HTML."""

import json
import re
import shutil
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mcts_cluster.__main__ import main
from mcts_cluster.errors import UserError, harmless
from mcts_cluster.matches.game_record import GameRecord
from mcts_cluster.matches.setup import MatchKey
from mcts_cluster.reports import match_plot, matches
from mcts_cluster.reports.pictures import figures
from mcts_cluster.reports.watch import live
from mcts_cluster.reports.watch.watched import Watched
from mcts_cluster.storage import reader
from mcts_cluster.storage.results import MatchRecord, Results, RunRecord
from mcts_cluster.storage.writer import Writer

pytest.importorskip("matplotlib")

JOB = 'title = "a job"\n# a < b & c\n'
VOID = {"area", "br", "img", "input", "link", "meta"}


class Page(HTMLParser):
    """What a page says, with an error for an element that is not closed where it should be."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tables, self.said = [], [], ""
        self.links, self.places, self.figures, self.scripts = [], [], 0, []
        self.feed(text)
        assert not self.open
        assert {link.removeprefix("#") for link in self.links} <= {*self.places}
        ids = [one for one in self.places if one]
        assert len(ids) == len(set(ids))

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag == "figure":
            self.figures += 1
        elif tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)
        attributes = dict(attributes)
        self.places.append(attributes.get("id"))
        self.links += [attributes["href"]] if tag == "a" else []
        assert not [name for name in attributes if name.startswith("on")]
        assert not {"src", "href"} & {
            key for key, value in attributes.items() if not (value or "").startswith("#")
        }, "nothing is fetched from elsewhere"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" in self.open:
            self.scripts[-1] += data
            return
        self.said += data
        if self.open and {*self.open[-2:]} & {"td", "th"}:
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
    first, *tables = page.tables
    assert [table[0][:3] for table in tables] == [["match", "games", "success rate"]] * 2
    assert [table[1][:2] for table in tables] == [["a against <b>", "4"]] * 2
    assert [table[1][2].split()[0] for table in tables] == ["25.0", "75.0"]
    assert first[0][:4] == ["figure", "published", "match", "ours"]
    place = ["Table 1, Go 9x9, N = 1,000", "71.1 ± 0.1 %", "a against <b>"]
    assert [row[:3] for row in first[1:]] == [place] * 2
    assert [row[3].split()[0] for row in first[1:]] == ["25.0", "75.0"]
    # From the list of all parts, and from the figures.
    assert page.links == ["#figures", "#file-0", "#file-1", "#reading", "#file-0", "#file-1"]
    assert "one.h5: the <first>\ntwo.h5: the second\n" in page.said
    for text in (
        "Both & more",
        "the <first>",
        "the second",
        JOB,
        "commit abcdef",
        "one.h5: 4 games",
    ):
        assert text in page.said
    svgs = re.findall(
        '<figure tabindex="0">\n(.*?)\n</figure>', out.read_text("utf-8"), flags=re.DOTALL
    )
    assert len(svgs) == 2
    for svg, title in zip(svgs, ("the <first>", "the second"), strict=True):
        assert ElementTree.fromstring(svg).get("aria-label") == title


def test_a_file_without_games_says_so(tmp_path):
    write(tmp_path / "none.h5", "nothing", 0, games=0)
    out = tmp_path / "page.html"

    page = page_of(tmp_path / "none.h5", "-o", out, out=out)

    assert "No game has been played yet." in page.said
    assert not page.figures and not page.tables


def test_without_published_figures_there_is_no_section_of_them(tmp_path, capsys):
    path, out = SHIPPED / "doublings-go9.h5", tmp_path / "page.html"

    page = page_of(path, "-o", out, out=out)

    assert page.links == ["#file-0", "#reading"]
    assert "ublished figures" not in page.said
    capsys.readouterr()
    assert main(["report", str(path), "--format", "markdown"]) == 0
    assert "ublished figures" not in capsys.readouterr().out
    page = page_of(path, "--summary", "-o", out, out=out)
    assert "No published figures: doublings-go9.h5." in page.said


def test_a_file_of_games_that_do_not_count_yet_says_so(tmp_path):
    path, out = tmp_path / "void.h5", tmp_path / "page.html"
    match = MatchRecord(MatchKey("a", "b"), 1)
    void = GameRecord(match.key, 0, None, "no answer")
    Writer(path, Results("void", "go", JOB, "", "{}", (match,), (void,), (RunRecord(0.0),))).close(
        0
    )

    assert "No game counts yet." in page_of(path, "-o", out, out=out).said


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
    assert (len(page.tables), page.figures) == (2, 1)


def test_a_summary_has_no_sections(tmp_path):
    write(tmp_path / "one.h5", "the first", 1)
    out = tmp_path / "page.html"

    page = page_of(tmp_path / "one.h5", "--summary", "-o", out, out=out)

    assert len(page.tables) == 1
    assert not page.figures and page.links == ["#figures", "#reading"]
    assert "the first" not in page.said


def test_markdown_is_printed_and_has_all_but_the_pictures(tmp_path, capsys):
    write(tmp_path / "one.h5", "the first", 3)
    write(tmp_path / "none.h5", "the second", 0, games=0)

    words = [str(tmp_path / name) for name in ("one.h5", "none.h5")]
    assert main(["report", *words, "--format", "markdown"]) == 0

    text = capsys.readouterr().out
    assert "# Results\n\n## Published figures\n\n| figure | published | match |" in text
    assert "\n## the first\n\n| match | games | success rate |" in text
    assert "\n| a against \\<b> | 4 | 75.0 ± 23.6 % |" in text
    assert "\n## the second\n\nNo game has been played yet.\n" in text
    assert '\nThe job:\n\n    title = "a job"\n    # a < b & c\n' in text
    assert "\none.h5: 4 games.\n\n- run of " in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("|")) <= 120


def test_markdown_is_written_where_a_file_is_named(tmp_path, capsys):
    write(tmp_path / "one.h5", "the first", 3)
    words = ["report", str(tmp_path / "one.h5"), "--format", "markdown", "--summary"]

    assert main(words) == 0
    printed = capsys.readouterr().out
    assert main([*words, "-o", str(tmp_path / "page.md")]) == 0

    assert capsys.readouterr().out == f"{tmp_path / 'page.md'}\n"
    assert (tmp_path / "page.md").read_text("utf-8") == printed
    assert printed.startswith("| figure |") and "the first" not in printed


def test_a_file_without_a_title_has_the_name_of_the_file(tmp_path, capsys):
    path, out = tmp_path / "one.h5", tmp_path / "page.html"
    write(path, "", 3)

    page = page_of(path, "-o", out, out=out)

    assert "\none.h5\n" in page.said and "one.h5: \n" not in page.said
    text = out.read_text("utf-8")
    assert 'aria-label=""' not in text and "<h2>one.h5</h2>" in text
    assert "\n## one.h5\n" in as_markdown(path)
    capsys.readouterr()
    for words in (["table"], ["table", "--format", "markdown"], ["show"]):
        assert main([words[0], str(path), *words[1:]]) == 0
        assert capsys.readouterr().out[0] != "\n"


def test_a_page_names_the_versions_that_have_played(tmp_path):
    several = Path(__file__).parents[2] / "results" / "machines-go9.h5"
    out = tmp_path / "page.html"

    assert (
        "played by 3 versions: 0.1.0 c32aec7 (1,990 games), "
        in page_of(several, "-o", out, out=out).said
    )


def watched(path):
    file = Watched(path)
    file.look()
    return unescape(live.page([file], 5))


def reported(path):
    out = path.with_suffix(".html")
    assert main(["report", str(path), "-o", str(out)]) == 0
    return unescape(out.read_text("utf-8"))


def as_markdown(path):
    out = path.with_suffix(".md")
    assert main(["report", str(path), "--format", "markdown", "-o", str(out)]) == 0
    return out.read_text("utf-8")


@pytest.mark.parametrize("form", [reported, as_markdown, watched])
def test_matches_without_published_figures_have_what_the_table_tells_of_them(form, tmp_path):
    # One of its two matches has a figure, so that the other has no columns of its own.
    path = Path(shutil.copy(SHIPPED / "quickstart-example.h5", tmp_path))
    told = matches.summary(reader.read(path)).legend
    assert told[0].startswith("mcts-1000 against mcts-500: 45–15, Elo +191 ± 51, LOS >99.9 %")

    page = " ".join(form(path).split())

    assert [line for line in told if line not in page] == []


# What files say


SHIPPED = Path(__file__).parents[2] / "results"
HOSTILE = (
    "</script></title><script>alert(1)</script><img src=x onerror=alert(1)>&quot;'\" --> ]]> `x`"
)


def hostile_results(path):
    """Write a file whose texts are all hostile; its game is a true one."""
    described = {"game": {"name": "go", "size": 5}, "player": {HOSTILE: {}, "b": {}}}
    match = MatchRecord(MatchKey(HOSTILE, "b"), 4)
    rows = [GameRecord(match.key, n, 1.0, HOSTILE, (n, n + 5), ended=60.0 * n) for n in range(4)]
    run = RunRecord(0.0, 60.0, 0, **dict.fromkeys(("version", "commit", "hosts"), HOSTILE))
    run = replace(run, arguments="mcts-cluster run '" + HOSTILE.replace("'", "") + "'")
    texts = (HOSTILE, "go", HOSTILE, HOSTILE, json.dumps(described))
    Writer(path, Results(*texts, (match,), tuple(rows), (run,))).close(0)


def test_what_a_file_says_is_text_and_nothing_else(tmp_path):
    path, out = tmp_path / "<b>&.h5", tmp_path / "page.html"
    hostile_results(path)

    page = page_of(path, "-o", out, "--title", HOSTILE, out=out)

    assert page.said.count(HOSTILE) > 10
    text = out.read_text("utf-8")
    assert text.count("<script") == len(page.scripts) == 2
    assert "<img" not in text and "<!--" not in text
    data, script = page.scripts
    assert json.loads(data)["games"][0]["players"]["black"] == HOSTILE
    assert script.startswith('"use strict"')


# No font has what stands in the figure's title.
@pytest.mark.filterwarnings("ignore:Glyph")
def test_what_would_turn_the_direction_of_writing_is_written_out(tmp_path):
    path, out = tmp_path / "one.h5", tmp_path / "page.html"
    described = {"game": {"name": "go", "size": 5}, "player": {}}
    match = MatchRecord(MatchKey(ORDERS, "b"), 1)
    rows = (GameRecord(match.key, 0, 1.0, ORDERS, (12,)),)
    run = RunRecord(0.0, 60.0, 0, hosts=ORDERS)
    texts = (ORDERS, "go", f"# {ORDERS}\n", "", json.dumps(described))
    Writer(path, Results(*texts, (match,), rows, (run,))).close(0)

    page = page_of(path, "-o", out, "--title", ORDERS, out=out)

    [game] = json.loads(page.scripts[0])["games"]
    of_game = [game["title"], game["result"], game["players"]["black"]]
    for text in (out.read_text("utf-8"), watched(path), as_markdown(path), *of_game):
        assert harmless(text) == text
        assert "\\u202e" in text


# Orders to a terminal, and one to whoever sets a text.
ORDERS = "x\x1b[31m\a\u202ey"


def test_no_script_runs_but_the_page_s_own(tmp_path):
    write(tmp_path / "one.h5", "one", 1)
    out = tmp_path / "page.html"

    main(["report", str(tmp_path / "one.h5"), "-o", str(out)])

    [policy] = re.findall('Content-Security-Policy" content="(.*?)">', out.read_text("utf-8"))
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["default-src"] == parts["connect-src"] == "'none'"
    assert parts["script-src"].startswith("'sha256-")


# Games


def games_of(page):
    return json.loads(page.scripts[0])["games"]


def test_games_are_shown_move_by_move_as_the_rules_have_them(tmp_path):
    """A stone is captured, and a pass changes nothing."""
    path, out = tmp_path / "one.h5", tmp_path / "page.html"
    settings = json.dumps({"game": {"name": "go", "size": 5}, "player": {"a": {}, "b": {}}})
    match = MatchRecord(MatchKey("a", "b"), 2)
    # B1, A1; A2 takes A1.
    rows = (GameRecord(match.key, 0, 1.0, "area", (1, 0, 5, 25)),)
    Writer(path, Results("", "go", "", "", settings, (match,), rows, (RunRecord(0.0),))).close(0)

    [game] = games_of(page_of(path, "-o", out, out=out))

    assert game["moves"] == [
        ["black", "B1", 1, {"1": "black"}],
        ["white", "A1", 0, {"0": "white"}],
        ["black", "A2", 5, {"0": "", "5": "black"}],
        ["white", "pass", 25, {}],
    ]
    assert game["players"] == {"black": "a", "white": "b"}
    assert game["result"].startswith("B+")


def test_as_many_games_are_shown_as_are_asked_for_of_each_match_in_turn(tmp_path, capsys):
    example = Path(__file__).parents[2] / "results" / "quickstart-example.h5"
    out = tmp_path / "page.html"

    games = games_of(page_of(example, "--games", 6, "-o", out, out=out))

    assert sorted(game["title"].split(" of ")[1] for game in games) == sorted(
        [str(match.key) for match in reader.read(example).matches]
        + [str(match.key) for match in reader.read(example).matches[:2]]
    )
    assert len(page_of(example, "--games", 0, "-o", out, out=out).scripts) == 1
    assert main(["report", str(example), "--games", "-1"]) == 2
    assert "--games -1: must be from 0 to 1,000" in capsys.readouterr().err


def test_a_game_that_breaks_the_rules_is_left_out(tmp_path):
    path, out = tmp_path / "one.h5", tmp_path / "page.html"
    settings = json.dumps({"game": {"name": "go", "size": 5}, "player": {"a": {}, "b": {}}})
    match = MatchRecord(MatchKey("a", "b"), 2)
    rows = tuple(
        GameRecord(match.key, n, 1.0, "area", moves) for n, moves in [(0, (7, 7)), (1, (3,))]
    )
    Writer(path, Results("", "go", "", "", settings, (match,), rows, (RunRecord(0.0),))).close(0)

    games = games_of(page_of(path, "-o", out, out=out))

    assert [game["title"] for game in games] == ["game 1 of a against b"]


def test_positions_and_patterns_are_boards(tmp_path):
    results = Path(__file__).parents[2] / "results"
    out = tmp_path / "page.html"

    page_of(results / "table3-laptop.h5", "-o", out, out=out)
    text = out.read_text("utf-8")
    assert text.count('<svg class="board"') >= 2
    assert "good moves: " in text and 'class="good"' in text

    page = page_of(results / "bgp-good-9x9-laptop.h5", "-o", out, out=out)
    assert out.read_text("utf-8").count('class="pattern"') >= 3
    assert "at most 1, which bounds nothing, 0.05 a race" in page.said
    assert "-11.5 to 17.5" in page.said


def test_a_page_without_matplotlib_says_what_it_lacks(tmp_path, monkeypatch):
    def missing(size=(7, 4.5)):
        raise UserError(figures.NO_MATPLOTLIB)

    monkeypatch.setattr(match_plot, "new_figure", missing)
    write(tmp_path / "one.h5", "one", 1)
    out = tmp_path / "page.html"

    page = page_of(tmp_path / "one.h5", "-o", out, out=out)

    assert "No figure: a picture needs matplotlib" in page.said
    assert len(page.tables) == 2
