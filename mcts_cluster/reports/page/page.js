"use strict";
// Games are stepped through by buttons, a slider, arrow keys and clicks on the board. A page of a
// run under way reads itself again, and replaces what has changed.

const SVG = "http://www.w3.org/2000/svg";

class Viewer {
  constructor(element) {
    this.element = element;
    this.select = element.querySelector("select");
    this.slider = element.querySelector("input");
    this.told = element.querySelector(".told");
    this.area = element.querySelector(".boards");
    this.read();
    this.go(this.games[0], this.games[0].moves.length);
    this.select.addEventListener("change", () => this.choose(Number(this.select.value)));
    this.slider.addEventListener("input", () => this.go(this.game, Number(this.slider.value)));
    for (const button of element.querySelectorAll("button"))
      button.addEventListener("click", () => this.step(button.dataset.step));
    this.area.addEventListener("click", (event) => {
      const box = this.area.getBoundingClientRect();
      this.step(event.clientX < box.left + box.width / 2 ? "back" : "on");
    });
    element.addEventListener("keydown", (event) => this.key(event));
  }

  read() {
    const data = JSON.parse(this.element.querySelector("script").textContent);
    this.games = data.games;
    this.boards = data.boards;
    this.file = data.file;
  }

  choose(row) {
    const game = this.games.find((one) => one.row === row);
    if (game) this.go(game, game.moves.length);
  }

  step(name) {
    const places = { first: 0, back: this.ply - 1, on: this.ply + 1, last: this.game.moves.length };
    this.go(this.game, places[name]);
  }

  key(event) {
    const steps = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === this.select) return;
    if (!(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(steps[event.key]);
  }

  go(game, ply) {
    this.game = game;
    this.ply = Math.max(0, Math.min(ply, game.moves.length));
    this.select.value = String(game.row);
    this.slider.max = String(game.moves.length);
    this.slider.value = String(this.ply);
    const stones = new Map(Object.entries(game.start));
    for (const [, , , changes] of game.moves.slice(0, this.ply))
      for (const [point, color] of Object.entries(changes))
        color ? stones.set(point, color) : stones.delete(point);
    const svgs = [...this.area.querySelectorAll("svg")];
    svgs.forEach((svg, number) => svg.toggleAttribute("hidden", number !== game.board));
    this.draw(svgs[game.board], this.boards[game.board], stones);
    this.tell();
  }

  draw(svg, places, stones) {
    const found = [...stones].filter(([point]) => places[point]);
    const drawn = found.map(([point, color]) => circle(places[point], color, 0.46));
    const last = this.ply ? String(this.game.moves[this.ply - 1][2]) : "";
    if (places[last]) drawn.push(circle(places[last], "lately", 0.22));
    svg.querySelector("g.stones").replaceChildren(...drawn);
    const count = (color) => found.filter((one) => one[1] === color).length;
    const counts = Object.keys(this.game.players).map((color) => `${count(color)} ${color}`);
    svg.setAttribute("aria-label", `the board after move ${this.ply}: ${counts.join(", ")}`);
  }

  tell() {
    const { game, ply } = this;
    const players = Object.entries(game.players).filter(([, name]) => name);
    const who = players.map(([color, name]) => `${color}: ${name}`).join(", ");
    const move = ply ? `${game.moves[ply - 1][0]} ${game.moves[ply - 1][1]}` : "the beginning";
    const end = ply === game.moves.length ? `; ${game.result}` : "";
    this.told.textContent = `${who}. Move ${ply} of ${game.moves.length}: ${move}${end}`;
  }

  // Takes the games of a newer page, and stays where it is, unless that was the end of the newest.
  renew(fresh) {
    const atEnd = this.game.row === this.games[0].row && this.ply === this.game.moves.length;
    const { game, ply } = this;
    this.element.querySelector("script").textContent = fresh.querySelector("script").textContent;
    this.area.replaceChildren(...fresh.querySelector(".boards").childNodes);
    this.read();
    if (!atEnd && !this.games.some((one) => one.row === game.row)) this.keep(game, fresh);
    this.select.replaceChildren(...fresh.querySelector("select").childNodes);
    const shown = atEnd ? this.games[0] : this.games.find((one) => one.row === game.row);
    this.go(shown, atEnd ? shown.moves.length : ply);
  }

  // A game that the newer page has no more.
  keep(game, fresh) {
    this.games.push({ ...game, board: Math.min(game.board, this.boards.length - 1) });
    const option = document.createElement("option");
    option.value = String(game.row);
    option.textContent = `${game.title}: ${game.result}`;
    fresh.querySelector("select").append(option);
  }
}

function circle([x, y], kind, radius) {
  const made = document.createElementNS(SVG, "circle");
  for (const [name, value] of Object.entries({ class: kind, cx: x, cy: y, r: radius }))
    made.setAttribute(name, value);
  return made;
}

const viewers = new Map();

function begin(element) {
  if (!viewers.has(element.id)) viewers.set(element.id, new Viewer(element));
}

document.querySelectorAll(".viewer").forEach(begin);

document.addEventListener("keydown", (event) => {
  const all = [...document.querySelectorAll(".viewer")];
  if (all.length === 1 && event.target === document.body) viewers.get(all[0].id).key(event);
});

window.addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details")) one.open = true;
});

// A run under way

const SCROLLING = "pre, .scroll";
const FOCUSABLE = "a, button, input, select, summary, [tabindex]";
const sources = new Map();

function parts(page) {
  return [...page.querySelectorAll("[data-part]")];
}

function renewPart(old, fresh) {
  const before = old.querySelector(".viewer");
  const after = fresh.querySelector(".viewer");
  if (before && after) {
    viewers.get(before.id).renew(after);
    return;
  }
  const focused = [...old.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
  const open = [...old.querySelectorAll("details")].map((one) => one.open);
  const scrolled = [...old.querySelectorAll(SCROLLING)].map((one) => [
    one.scrollLeft,
    // The end of a log that is looked at stays the end.
    one.scrollTop + one.clientHeight > one.scrollHeight - 4 ? Infinity : one.scrollTop,
  ]);
  if (before) viewers.delete(before.id);
  old.replaceChildren(...fresh.childNodes);
  old.querySelectorAll("details").forEach((one, n) => (one.open = open[n] ?? one.open));
  old.querySelectorAll(SCROLLING).forEach((one, n) => {
    const [left, top] = scrolled[n] ?? [0, Infinity];
    one.scrollLeft = left;
    one.scrollTop = Math.min(top, one.scrollHeight);
  });
  old.querySelectorAll(".viewer").forEach(begin);
  if (focused >= 0) [...old.querySelectorAll(FOCUSABLE)][focused]?.focus({ preventScroll: true });
}

function renewPage(page) {
  document.title = page.title;
  const main = document.querySelector("main");
  const fresh = parts(page);
  const names = new Set(fresh.map((one) => one.id));
  for (const old of parts(document)) if (!names.has(old.id)) old.remove();
  let following = main.firstElementChild;
  for (const one of fresh) {
    const source = one.innerHTML;
    let old = document.getElementById(one.id);
    if (!old) {
      old = one.cloneNode(false);
      main.insertBefore(old, following);
    }
    if (sources.get(one.id) !== source) renewPart(old, one);
    sources.set(one.id, source);
    following = old.nextElementSibling;
  }
}

function watch(seconds) {
  const told = document.getElementById("contact");
  let heard = Date.now();
  let written = document.body.dataset.written;

  async function again() {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (page.body.dataset.written !== written) heard = Date.now();
      written = page.body.dataset.written;
      renewPage(page);
    } catch {
      // What is said below tells it.
    }
    const silent = Math.round((Date.now() - heard) / 1000);
    told.textContent =
      silent > 3 * seconds + 20 ? `No news for ${silent} s: the program that writes this has ended, or is not reached.` : "";
    setTimeout(again, 1000 * seconds);
  }

  // A page that is opened as a file cannot read itself; it is loaded again.
  if (location.protocol === "file:") setTimeout(() => location.reload(), 1000 * seconds);
  else setTimeout(again, 1000 * seconds);
}

// The place in the games outlives a reload.
const PLACE = `place ${location.pathname}`;

function restorePlace() {
  try {
    for (const [id, [row, ply]] of Object.entries(JSON.parse(sessionStorage.getItem(PLACE) ?? "{}"))) {
      const one = viewers.get(id);
      const game = one?.games.find((other) => other.row === row);
      if (game) one.go(game, ply);
    }
  } catch {
    // Without storage there is no place to go back to.
  }
}

function keepPlace() {
  const places = {};
  for (const [id, one] of viewers) {
    const isNewest = one.game.row === one.games[0].row && one.ply === one.game.moves.length;
    if (!isNewest) places[id] = [one.game.row, one.ply];
  }
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(places));
  } catch {
    // As above.
  }
}

if (document.body.dataset.every) {
  for (const one of parts(document)) {
    const pure = one.cloneNode(true);
    sources.set(one.id, pure.querySelector(".viewer") ? "" : pure.innerHTML);
  }
  for (const one of document.querySelectorAll(".log")) one.scrollTop = one.scrollHeight;
  window.addEventListener("pagehide", keepPlace);
  restorePlace();
  watch(Number(document.body.dataset.every));
}
