"""The pages in a browser: what steps through games, what renews itself, what fits a phone."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from threading import Thread

import pytest
from test_report import hostile_results
from watch_here import games, write

from mcts_cluster.__main__ import main
from mcts_cluster.reports.watch import live, server
from mcts_cluster.reports.watch.watched import Watched

RESULTS = Path(__file__).parents[2] / "results"
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = pytest.mark.skipif(not BROWSER, reason="no Chromium here")

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
# Widths of phones are below what a window may have, so the page stands in a frame.
FRAME = """
<body style="margin:0"><iframe id="f" src="{name}" style="width:390px;height:800px;border:0">
</iframe><script>
addEventListener("load", () => {{
  const page = document.getElementById("f").contentDocument.documentElement;
  const all = (selector) => [...page.querySelectorAll(selector)];
  const view = document.getElementById("f").contentWindow;
  // A text that begins or ends outside its drawing is cut.
  const isCut = (text) => {{
    const own = text.getBoundingClientRect();
    const drawing = text.ownerSVGElement.getBoundingClientRect();
    return own.left < drawing.left - 0.5 || own.right > drawing.right + 0.5;
  }};
  document.body.dataset.result = JSON.stringify({{
    widths: [page.clientWidth, page.scrollWidth],
    scrolled: all("figure").filter((one) => one.scrollWidth > one.clientWidth).length,
    empty: all(".cards td:empty").filter((one) => view.getComputedStyle(one).display != "none")
      .length,
    cut: all("figure text, .chart text").filter(isCut).map((one) => one.textContent),
  }});
}});
</script>
"""


def seen(address, folder, milliseconds=1000):
    """Return the page as a browser has it after some time of its own, and its complaints."""
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
    words += ["--enable-logging=stderr", f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
    ended = subprocess.run(
        [BROWSER, *words, f"--virtual-time-budget={milliseconds}", str(address)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout, [line for line in ended.stderr.splitlines() if "CONSOLE" in line]


def result_of(script, page, folder):
    """Run a script behind those of a page, and return what it leaves."""
    path = folder / "scripted.html"
    # The page itself allows no script but its own.
    text = POLICY.sub("", page)
    path.write_text(text.replace("</body>", f"<script>{script}</script></body>"), "utf-8")
    dom, complaints = seen(path, folder)
    assert complaints == []
    return json.loads(unescape(re.search('data-result="(.*?)"', dom)[1]))


def reported(folder, *files, **options):
    out = folder / "page.html"
    assert main(["report", *map(str, files), "-o", str(out)]) == 0
    return out


def looked_at(*files):
    for file in files:
        file.look()
    return live.page(files, 500)


STEPS = """
const circles = () => document.querySelectorAll(".stones circle").length;
const told = () => document.querySelector(".told").textContent;
const shown = () => [viewers.get("viewer-0").ply, circles(), told()];
const board = document.querySelector(".boards");
const press = (key, from = board) =>
  from.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
const found = [shown()];
for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight"]) {
  press(key);
  found.push(shown());
}
press("Home", document.body);
found.push(shown());
document.querySelector("[data-step=on]").click();
found.push(shown());
document.body.dataset.result = JSON.stringify(found);
"""


def test_a_game_is_stepped_through_by_keys_and_buttons(tmp_path):
    page = looked_at(Watched(write(tmp_path / "job.h5", *games(0, 4))))

    found = result_of(STEPS, page, tmp_path)

    # Of each game two moves; the last one has a mark.
    assert [ply for ply, _, _ in found] == [2, 0, 1, 2, 1, 2, 2, 0, 1]
    assert [circles for _, circles, _ in found] == [3, 0, 2, 3, 2, 3, 3, 0, 2]
    assert found[0][2] == "black: a, white: b. Move 2 of 2: white D1; B+R, resigned"
    assert found[1][2].endswith("Move 0 of 2: the beginning")


RENEWED = """
const fresh = new DOMParser().parseFromString(FRESH, "text/html");
const viewer = viewers.get("viewer-0");
document.querySelector("details").open = true;
const before = viewer.game.row;
KEEP && viewer.go(viewer.games[2], 1);
const place = [viewer.game.row, viewer.ply];
renewPage(fresh);
const text = (selector) => document.querySelector(selector).textContent;
document.body.dataset.result = JSON.stringify({
  before,
  place,
  after: [viewer.game.row, viewer.ply],
  newest: viewer.games[0].row,
  open: document.querySelector("details").open,
  count: text("#file-0 p:nth-of-type(2)"),
  heads: document.querySelectorAll("h1").length,
});
"""


def renewed(folder, keep):
    file = Watched(write(folder / "job.h5", *games(0, 20)))
    old = looked_at(file)
    write(folder / "job.h5", *games(0, 26))
    fresh = looked_at(file)
    # What is in a script must not end it.
    text = json.dumps(fresh).replace("<", "\\u003c")
    script = f"const FRESH = {text}, KEEP = {json.dumps(keep)};{RENEWED}"
    return result_of(script, old, folder)


def test_a_page_renews_itself_and_keeps_the_place_in_a_game(tmp_path):
    found = renewed(tmp_path, keep=True)

    assert found["place"] == found["after"] == [17, 1]
    assert found["newest"] == 25
    assert found["count"].startswith("26 of 100 games")
    assert found["open"]
    assert found["heads"] == 1


def test_who_looks_at_the_end_of_the_latest_game_gets_the_next(tmp_path):
    found = renewed(tmp_path, keep=False)

    assert (found["before"], found["after"]) == (19, [25, 2])


RELOADED = """
const viewer = viewers.get("viewer-0");
viewer.go(viewer.games[2], 1);
keepPlace();
viewer.go(viewer.games[0], 0);
restorePlace();
document.body.dataset.result = JSON.stringify([viewer.game.row, viewer.ply]);
"""


def test_the_place_in_a_game_outlives_a_reload(tmp_path):
    page = looked_at(Watched(write(tmp_path / "job.h5", *games(0, 20))))

    assert result_of(RELOADED, page, tmp_path) == [17, 1]


class Growing(Watched):
    """A file that has a game more whenever it is looked at."""

    count = 0

    def look(self):
        self.count += 1
        write(self.path, *games(0, self.count))
        super().look()


def test_a_page_that_is_served_reads_itself_again(tmp_path, monkeypatch):
    # Every request has it made anew.
    monkeypatch.setattr(server, "SHARE", 1e9)
    file = Growing(tmp_path / "job.h5")
    one = server.Server(server.Pages([file], 0.01), 0)
    thread = Thread(target=one.serve_forever)
    thread.start()
    try:
        dom, complaints = seen(one.address, tmp_path, milliseconds=100)
    finally:
        one.shutdown()
        thread.join()
        one.server_close()

    assert complaints == []
    [said] = re.findall(r"<p>(\d+) of 100 games</p>", dom)
    assert int(said) > 1


def test_hostile_texts_run_nothing(tmp_path):
    path = tmp_path / "job.h5"
    hostile_results(path)
    out = reported(tmp_path, path)

    for page in (out, tmp_path / "watch.html"):
        if page != out:
            page.write_text(looked_at(Watched(path)), "utf-8")
        dom, complaints = seen(page, tmp_path)
        # What the page forbids would be complained of.
        assert complaints == []
        assert "<img" not in dom
        told = re.search('class="told" aria-live="polite">(.*?)</p>', dom)[1]
        assert ": &lt;/script&gt;&lt;/title&gt;&lt;script&gt;alert(1)" in told


@pytest.mark.parametrize(
    "name", ["quickstart-example.h5", "bgp-good-9x9-laptop.h5", "table3-laptop.h5"]
)
def test_pages_fit_a_phone(name, tmp_path):
    reported(tmp_path, RESULTS / name)
    (tmp_path / "watch.html").write_text(looked_at(Watched(RESULTS / name)), "utf-8")

    for page in ("page.html", "watch.html"):
        frame = tmp_path / "frame.html"
        frame.write_text(FRAME.format(name=page))
        dom, complaints = seen(frame, tmp_path)
        assert complaints == []
        found = json.loads(unescape(re.search('data-result="(.*?)"', dom)[1]))
        width, needed = found.pop("widths")
        assert needed == width <= 390
        assert found == {"scrolled": 0, "empty": 0, "cut": []}


def test_the_boards_of_both_games_are_drawn(tmp_path):
    """Every place of a board of Havannah, by the script, too."""
    settings = json.dumps({"game": {"name": "havannah", "size": 4}, "player": {"a": {}, "b": {}}})
    path = write(
        tmp_path / "job.h5", *games(0, 2, moves=(0, 3)), settings=settings, game="havannah"
    )

    dom, complaints = seen(reported(tmp_path, path), tmp_path)

    assert complaints == []
    assert 'class="cells"' in dom
    assert 'aria-label="the board after move 2: 1 white, 1 black"' in dom
