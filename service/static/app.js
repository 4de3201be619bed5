// The page: shows what the service answers. It computes no revenue by itself.
import { Api, Failure, linkOf, positionOf } from "./api.js";
import { MapView } from "./map.js";
import { answerText, element, put, swatch } from "./parts.js";

const $ = (id) => document.getElementById(id);
const api = new Api();
const map = new MapView($("map"), { onStop, onHex });

const EXAMPLES = [
  ["1830, Erie", "1830-erie.json"],
  ["18GB, LNWR", "18gb-lnwr.json"],
  ["1833NE, Fitchburg", "1833ne-frr.json"],
  ["A whole game of 1830", "1830-game.json"],
];

// What is open (a game or a list, and the place in it), what is asked about it, and what was answered.
const nothing = () => ({
  game: null, turns: [], place: 0, list: null, position: null, original: null, best: null, money: null, claims: [],
  verdict: null, pins: [], avoid: [], changed: false,
});

// `asked`, `judged`, `looked`, `listed` and `opened` count questions: only the answer to the latest one is shown. `shown` is the
// question whose answer is on the page, `good` what was on the table with that answer: a question that fails leads back to it.
const table = {
  ...nothing(), titles: [], hex: null, tiles: null, search: null, asking: null, asked: 0, judged: 0, looked: 0, listed: 0, opened: 0,
  shown: 0, good: null,
};

// --- messages -------------------------------------------------------------------------------------------------------

const say = (text) => { $("status").textContent = text; };

function complain(failure) {
  if (failure?.name === "AbortError") return;
  const faults = failure instanceof Failure ? failure.faults : [{ message: String(failure?.message ?? failure), where: "" }];
  const list = element("ul", {}, ...faults.slice(0, 12).map((fault) =>
    element("li", {}, [fault.where, fault.message].filter(Boolean).join(": "))));
  if (faults.length > 12) list.append(element("li", {}, `and ${faults.length - 12} more`));
  const close = element("button", { type: "button" }, "Close");
  close.addEventListener("click", () => { $("errors").hidden = true; });
  put($("errors"), element("h2", {}, failure instanceof Failure ? failure.title : "That did not work"), list, close);
  $("errors").hidden = false;
  $("token-form").hidden = failure?.status !== 401;
  if (failure?.status === 401) showStart();
}

const forget = () => { $("errors").hidden = true; };

// Does some work and tells what goes wrong. The page says that it is busy from the first moment on.
let pending = 0;
async function guarded(work) {
  pending += 1;
  document.body.dataset.pending = "true";
  try {
    return await work();
  } catch (failure) {
    complain(failure);
    return undefined;
  } finally {
    pending -= 1;
    if (!pending) document.body.dataset.pending = "false";
  }
}

// --- opening --------------------------------------------------------------------------------------------------------

async function open(text) {
  forget();
  if (!text.trim()) { complain(new Error("There is nothing to open: paste a game or a position first.")); return; }
  say("Reading…");
  const first = parsed(text);
  if (first && (Array.isArray(first.actions) || (first.players && !first.tiles))) await openGame(text);
  else if (first) await openPositions(text, first);
  else await openPositions(text, null);
}

function parsed(text) {
  try { return JSON.parse(text); } catch { /* perhaps one position a line */ }
  try { return JSON.parse(text.trim().split("\n")[0]); } catch { return null; }
}

async function openGame(text) {
  const number = ++table.opened;
  const summary = await guarded(() => api.post("games", text));
  if (number !== table.opened) return; // something else has been opened in the meantime
  if (summary) await showGame(summary);
  else say("");
}

async function openPositions(text, first) {
  let list = first ? [first] : null;
  if (first && text.trim().includes("\n")) {
    try { JSON.parse(text); } catch {
      try { list = text.trim().split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line)); } catch { list = null; }
    }
  }
  if (!list?.length || !list.every((one) => typeof one === "object" && one !== null && !Array.isArray(one))) {
    say("");
    complain(new Error("This is not JSON. Paste the whole text of a game export or of a position file, from the first { to the last }."));
    return;
  }
  clear();
  table.list = list;
  await showPosition(list[0]);
}

function clear() {
  Object.assign(table, nothing(), { hex: null, tiles: null });
  table.opened += 1;
  table.judged += 1;
  table.looked += 1;
}

async function showGame(summary, action) {
  if (!summary.turns.length) {
    say("");
    complain(new Error(`${summary.title}: no operating round has been played yet, so there is no run to show.`));
    return;
  }
  clear();
  table.game = summary;
  await chooseTurns(action ?? summary.turns.filter((turn) => turn.run).at(-1)?.action ?? summary.turns.at(-1).action);
  if (summary.faults.length && table.game === summary) {
    complain(new Failure(0, summary.faults, "The game is shown up to where the rules refuse it"));
  }
}

async function chooseTurns(action) {
  const runs = table.game.turns.filter((turn) => turn.run);
  if (!runs.length) $("runs-only").checked = false;
  table.turns = $("runs-only").checked ? runs : table.game.turns;
  let place = table.turns.findLastIndex((turn) => turn.action <= action);
  if (place < 0) place = 0;
  await showTurn(place);
}

// Nothing is known yet of what is shown next: neither its position nor an answer.
function turnTo(place, position) {
  Object.assign(table, nothing(), { game: table.game, turns: table.turns, list: table.list, place, position, original: position });
  Object.assign(table, { hex: null, tiles: null });
  table.judged += 1;
  table.looked += 1;
  showTimeline();
}

async function showTurn(place) {
  turnTo(Math.max(0, Math.min(place, table.turns.length - 1)), null);
  await loadTurn();
}

function loadTurn() {
  const turn = table.turns[table.place];
  return search(`games/${encodeURIComponent(table.game.id)}/turns/${turn.action}`, null, (answer) => {
    Object.assign(table, { position: answer.position, original: answer.position, money: answer.options ? answer : null });
    return answer.best;
  });
}

async function showPosition(position) {
  turnTo(table.place, position);
  await recompute();
}

// --- searching ------------------------------------------------------------------------------------------------------

function recompute() {
  const question = { position: table.position, map: true };
  if (table.pins.length) question.pin = table.pins;
  if (table.avoid.length) question.avoid = table.avoid;
  return search("best", question, (answer) => answer);
}

async function search(path, question, read) {
  forget();
  forgetWhatIf();
  table.search?.abort();
  const control = new AbortController();
  table.search = control;
  const number = ++table.asked;
  hold(!table.best);
  const late = setTimeout(() => { if (number === table.asked) busy("Searching…"); }, 150);
  try {
    for await (const [kind, answer] of api.stream(path, question, control.signal)) {
      if (number !== table.asked) return;
      table.best = read(answer);
      table.best.under_way = kind === "progress";
      table.shown = number;
      keep();
      showTable();
      showAnswer();
      hold(false);
      if (kind === "progress") busy(`Best so far ${table.best.revenue}, at most ${table.best.bound}`);
    }
    if (table.changed && table.game) await refreshMoney(number);
  } catch (failure) {
    if (number !== table.asked) return; // a later question is under way, and what is on the table belongs to that
    back();
    complain(failure);
  } finally {
    clearTimeout(late);
    if (number === table.asked) rest();
  }
}

function keep() {
  table.good = Object.fromEntries(Object.keys(nothing()).map((key) => [key, table[key]]));
  table.good.claims = structuredClone(table.claims);
}

// Back to what was last answered, or to the page where something is opened. A turn or a position of several that cannot
// be shown stays chosen, so that one can go on from there.
function back() {
  say("");
  const { game, list, good } = table;
  if (!table.best && (game || list?.length > 1)) {
    $("heading").textContent = "No answer";
    showTable();
    return;
  }
  if (!good) { clear(); showStart(); return; }
  Object.assign(table, good, { claims: structuredClone(good.claims) });
  if (table.best.under_way) Object.assign(table.best, { under_way: false, stopped: true });
  table.judged += 1;
  table.shown = table.asked;
  if ($("table").hidden) return;
  showTimeline();
  showTable();
  showAnswer();
  if (table.hex) showHex(table.hex);
}

// Nothing on the table can be used while it is not known what lies there; a search can be stopped.
function hold(on) {
  for (const one of document.querySelectorAll(".map-tools, .map, .panel > :not(#progress)")) one.inert = on;
  for (const one of document.querySelectorAll("[data-needs]")) one.disabled = on || !table.best;
}

function rest() {
  $("progress").hidden = true;
  $("map").dataset.busy = "false";
  hold(false);
}

function busy(text) {
  $("progress").hidden = false;
  $("progress-text").textContent = text;
  $("map").dataset.busy = String(!table.best?.under_way);
}

async function refreshMoney(number) {
  const turn = table.turns[table.place];
  if (table.position.operator !== table.money?.company) { table.money = null; showMoney(); return; }
  const path = `games/${encodeURIComponent(table.game.id)}/dividends/${turn.action}?revenue=${table.best.revenue}`;
  const money = await guarded(() => api.get(path));
  if (money && number === table.asked) { table.money = money; keep(); showMoney(); }
}

// --- showing --------------------------------------------------------------------------------------------------------

function showStart() {
  $("start").hidden = false;
  $("table").hidden = true;
  $("return").hidden = !table.best;
  for (const button of document.querySelectorAll("[data-needs]")) button.disabled = true;
  const number = ++table.listed;
  return guarded(async () => {
    const games = await api.get("games");
    if (number !== table.listed) return;
    $("stored").hidden = !games.length;
    put($("stored-list"), ...games.map(storedGame));
  });
}

function storedGame(game) {
  const open = element("button", { type: "button" }, `${game.id} · ${new Date(game.stored * 1000).toLocaleString()}`);
  open.addEventListener("click", () => guarded(async () => {
    forget();
    const number = ++table.opened;
    const summary = await api.get(`games/${encodeURIComponent(game.id)}`);
    if (number === table.opened) await showGame(summary);
  }));
  const remove = element("button", { type: "button", "aria-label": `Forget ${game.id}` }, "Forget");
  remove.addEventListener("click", () => guarded(async () => {
    await api.remove(`games/${encodeURIComponent(game.id)}`);
    await showStart();
  }));
  return element("li", {}, open, remove);
}

function showTable() {
  $("start").hidden = true;
  $("table").hidden = false;
  $("table").dataset.empty = String(!table.best);
  for (const button of document.querySelectorAll("[data-needs]")) button.disabled = !table.best;
}

function showTimeline() {
  const list = table.game ? table.turns : table.list?.length > 1 ? table.list : null;
  $("timeline").hidden = !list;
  if (!list) return;
  $("slider").max = String(list.length - 1);
  $("slider").value = String(table.place);
  $("previous").disabled = table.place === 0;
  $("next").disabled = table.place === list.length - 1;
  $("runs-only").closest("label").hidden = !table.game;
  const companies = [...new Set(list.map((one) => String(one.company ?? one.operator ?? "")))].sort();
  const now = list[table.place].company ?? list[table.place].operator;
  options($("company"), companies, now);
  let text = `position ${table.place + 1} of ${list.length}`;
  if (table.game) {
    const turn = list[table.place];
    text = `Round ${turn.turn[0]}.${turn.turn[1]}, phase ${turn.phase}, action ${turn.action}: ${turn.who} ${turn.what}`;
  }
  $("moment").textContent = text;
  $("slider").setAttribute("aria-valuetext", `${now}, ${text}`);
}

function options(select, values, chosen, names = {}) {
  put(select, ...values.map((value) => {
    const one = element("option", { value }, names[value] ?? value);
    one.selected = value === chosen;
    return one;
  }));
}

function title() {
  return table.titles.find((one) => one.title === table.position.title)
    ?? table.titles.find((one) => one.title === table.best?.title);
}

function showAnswer() {
  const { best, position } = table;
  const trains = position.trains.length ? position.trains.join(", ") : "no train";
  $("heading").textContent = [best.title, `${position.operator} in phase ${position.phase} with ${trains}`,
    position.game && `game ${position.game}`].filter(Boolean).join(" · ");
  document.title = `${position.operator} ${best.revenue} · Trackage`;
  $("total").textContent = String(best.revenue);
  const [words, looks] = best.no_run ? [`No run: ${best.no_run}`, ""]
    : best.proven ? [best.revenue ? "Proven: no legal set of runs earns more" : "Proven: no train can run a route that earns anything", "proven"]
      : [`Not proven${best.stopped ? ", stopped" : ""}: no set earns more than ${best.bound}`, "open"];
  $("proof").textContent = words;
  $("proof").className = `proof ${looks}`;
  const ran = table.changed || best.under_way ? undefined : position.claimed_revenue;
  $("recorded").hidden = ran === undefined || ran === null;
  $("recorded").textContent = `It was run for ${ran}${best.revenue > ran ? `: ${best.revenue - ran} less than the best` : best.revenue === ran ? ", the best there is" : ""}`;
  $("recorded").className = `recorded ${best.revenue > ran ? "less" : ""}`;
  $("others").hidden = best.under_way || !best.revenue;
  if (!(mode() === "claim" && table.verdict)) showMap(best.svg);
  showRoutes();
  const notes = [...best.notices];
  if (best.idle.length) notes.unshift(`Idle: ${best.idle.join(", ")}`);
  if (best.price_of_pins !== undefined && best.price_of_pins !== null) {
    notes.unshift(best.price_of_pins > 0 ? `The pins cost ${best.price_of_pins}: without them the best is ${best.revenue + best.price_of_pins}`
      : "The pins cost nothing");
  }
  put($("notes"), ...notes.map((note) => element("li", {}, note)));
  showWishes();
  showMoney();
  showCompany();
  showClaims();
  say(best.under_way ? "" : `${position.operator}: best runs ${best.revenue}, ${best.proven ? "proven" : `at most ${best.bound}`}`);
}

function showRoutes() {
  const { best } = table;
  const together = best.bonuses.map((bonus) => {
    const trains = bonus.routes.map((place) => best.routes[place].train).join(" and ");
    return element("li", {}, element("div", { class: "route-head" }, bonus.label,
      element("span", { class: "amount" }, String(bonus.amount))), element("p", { class: "range" }, `earned together by ${trains}`));
  });
  put($("routes"), ...best.routes.map((route, place) => routeItem(route, place, true)), ...together);
}

function showMap(svg) {
  const routes = map.show(svg, `${table.best.title} ${table.position.players ?? ""} ${[...(table.position.options ?? [])]}`);
  table.styles = routes;
  setMode();
}

function routeItem(route, place, tools) {
  const amounts = new Map(route.parts.map((part) => [part.where, part.amount]));
  const stops = element("p", { class: "stops" });
  route.stops.forEach((stop, at) => {
    const name = [stopName(stop), route.names?.[at]].filter(Boolean).join(" ");
    if (at) stops.append(" – ");
    stops.append(amounts.has(stop) ? `${name} ${amounts.get(stop)}` : element("span", { class: "skipped" }, `[${name}]`));
  });
  const own = route.parts.filter((part) => !route.stops.includes(part.where));
  for (const part of own) stops.append(` + ${part.label} ${part.amount}`);
  const head = element("div", { class: "route-head" }, swatch(table.styles?.[place]), element("span", {}, `Train ${route.train}`),
    element("span", { class: "amount" }, String(route.revenue)));
  const item = element("li", { tabindex: "0" }, head, stops, element("p", { class: "range" }, route.range));
  for (const skipped of route.skipped) {
    item.append(element("p", { class: "range" }, `${stopName(skipped.stop)} adds nothing: ${skipped.reason}`));
  }
  if (route.token_rule) item.append(element("p", { class: "range" }, route.token_rule));
  if (tools) {
    const pinned = table.pins.includes(route.text);
    const pin = element("button", { type: "button", "aria-pressed": String(pinned) }, pinned ? "Pinned" : "Pin");
    pin.addEventListener("click", () => {
      const others = table.pins.filter((one) => one !== route.text);
      table.pins = others.length < table.pins.length ? others : [...table.pins, route.text];
      wish();
    });
    const forbid = element("button", { type: "button" }, "Forbid");
    forbid.addEventListener("click", () => {
      table.avoid = [...new Set([...table.avoid, route.text])];
      table.pins = table.pins.filter((one) => one !== route.text);
      wish();
    });
    item.append(element("div", { class: "route-tools" }, pin, forbid));
  }
  for (const [event, shown] of [["pointerenter", true], ["pointerleave", false], ["focusin", true], ["focusout", false]]) {
    item.addEventListener(event, () => map.point(shown ? place : null));
  }
  return item;
}

// A stop by its hex where the map shows one stop there.
const stopName = (stop) => (map.stopsOn(stop.split(".")[0]).length === 1 ? stop.split(".")[0] : stop);

function wish() {
  table.changed = true;
  showRoutes();
  showWishes();
  return guarded(recompute);
}

function showWishes() {
  const chips = (name, list, drop) => list.length ? [element("h3", {}, name), element("ul", { class: "chips" }, ...list.map((text) => {
    const button = element("button", { type: "button", "aria-label": `Remove: ${text}` }, "×");
    button.addEventListener("click", () => { drop(text); wish(); });
    return element("li", {}, text, button);
  }))] : [];
  put($("wishes"),
    ...chips("Pinned", table.pins, (text) => { table.pins = table.pins.filter((one) => one !== text); }),
    ...chips("Forbidden", table.avoid, (text) => { table.avoid = table.avoid.filter((one) => one !== text); }));
}

function showMoney() {
  const money = table.money;
  $("money-panel").hidden = !money?.options?.length;
  if ($("money-panel").hidden) return;
  const rows = [...money.options.map((one) => [one, false]), ...(money.done ? [[money.done, true]] : [])];
  const parties = [...new Set(rows.flatMap(([one]) => Object.keys(one.receives)))];
  const head = element("tr", {}, element("th", { scope: "col" }, "Use"), element("th", { scope: "col" }, "Revenue"),
    element("th", { scope: "col" }, "Price"), ...parties.map((one) => element("th", { scope: "col" }, money.names[one] ?? one)));
  const kinds = { payout: "Pay", half: "Half", withhold: "Withhold" };
  put($("money"), element("thead", {}, head), element("tbody", {}, ...rows.map(([one, done]) => element("tr", { class: done ? "done" : "" },
    element("th", { scope: "row" }, `${done ? "Done: " : ""}${kinds[one.kind] ?? one.kind}`), element("td", {}, String(one.revenue)),
    element("td", {}, one.price === one.price_after ? String(one.price) : `${one.price} → ${one.price_after}`),
    ...parties.map((party) => element("td", {}, String(one.receives[party] ?? 0)))))));
}

function showCompany() {
  const about = title();
  const { position } = table;
  const companies = new Set(about?.companies ?? []);
  for (const cities of Object.values(position.tokens)) for (const slots of Object.values(cities)) for (const one of slots) if (one && one !== "BLOCK") companies.add(one);
  companies.add(position.operator);
  options($("operator"), [...companies].sort(), position.operator);
  options($("phase"), about?.phases.map((phase) => phase.phase) ?? [position.phase], position.phase);
  options($("add-train"), Object.keys(about?.trains ?? {}), position.trains.at(-1));
  put($("trains"), ...position.trains.map((train, place) => {
    const button = element("button", { type: "button", "aria-label": `Remove train ${train}` }, "×");
    button.addEventListener("click", () => change((one) => { one.trains.splice(place, 1); }));
    return element("li", {}, train, button);
  }));
  if (!position.trains.length) $("trains").append(element("li", {}, "no train "));
  $("reset").hidden = !table.changed;
  options($("claim-train"), [...new Set([...position.trains])], $("claim-train").value || position.trains[0]);
}

// --- changing -------------------------------------------------------------------------------------------------------

// Each change starts from the latest position that was asked about, answered or not, and what can be changed next is shown at
// once. If the service refuses the latest one, everything that has not been answered is taken back.
function change(how) {
  const position = structuredClone(bare());
  how(position);
  Object.assign(table, { position, claims: [], verdict: null, changed: true });
  table.judged += 1;
  showCompany();
  return guarded(() => Promise.all([recompute(), table.hex && lookAt(table.hex).catch(() => null)]));
}

async function onHex(hex) {
  if (mode() !== "edit") return;
  if (table.hex === hex && table.tiles?.hex === hex && table.position.tiles?.[hex]) await rotate();
  else await showHex(hex);
}

function showHex(hex) {
  table.hex = hex;
  map.pick(hex);
  return guarded(() => lookAt(hex));
}

// What may be done on a hex. The panel of another hex cannot be used while it is asked for.
async function lookAt(hex) {
  const number = ++table.looked;
  $("edit-hex").disabled = table.tiles?.hex !== hex;
  const found = await api.post("tiles", JSON.stringify({ position: bare(), hex }));
  if (number !== table.looked) return;
  table.tiles = found;
  $("edit-hex").disabled = false;
  $("edit-empty").hidden = true;
  $("edit-hex").hidden = false;
  $("edit-title").textContent = `Tile and tokens of ${hex}`;
  const names = { "": "as printed" };
  for (const one of found.tiles) names[one.tile] = `${one.tile} (${one.colour})`;
  if (found.now && !names[found.now[0]]) names[found.now[0]] = found.now[0];
  options($("tile"), Object.keys(names).sort((a, b) => a.localeCompare(b, "en", { numeric: true })), found.now?.[0] ?? "", names);
  $("rotate").disabled = rotations(found.now?.[0]).length < 2;
  put($("cities"), ...Object.entries(found.cities).map(([city, held]) => cityEditor(hex, city, held)));
}

const rotations = (tile) => table.tiles.tiles.find((one) => one.tile === tile)?.rotations ?? [];

function cityEditor(hex, city, held) {
  const tokens = held.tokens.filter(Boolean);
  const list = element("ul", { class: "chips" }, ...tokens.map((company) => {
    const button = element("button", { type: "button", "aria-label": `Remove token of ${company}` }, "×");
    button.addEventListener("click", () => change((position) => {
      const slots = position.tokens[hex]?.[city] ?? [];
      if (slots.includes(company)) slots.splice(slots.indexOf(company), 1);
    }));
    return element("li", {}, company, button);
  }));
  const select = element("select", { "aria-label": `Token for ${hex}.${city}` });
  options(select, [...$("operator").options].map((one) => one.value), table.position.operator);
  const add = element("button", { type: "button" }, "Add token");
  add.addEventListener("click", () => change((position) => {
    position.tokens[hex] ??= {};
    position.tokens[hex][city] ??= [];
    const free = position.tokens[hex][city].indexOf(null);
    if (free >= 0) position.tokens[hex][city][free] = select.value;
    else position.tokens[hex][city].push(select.value);
  }));
  const name = `${city}: ${tokens.length} of ${held.slots} slot${held.slots === 1 ? "" : "s"} taken`;
  return element("div", {}, element("p", { class: "small" }, name), list, element("div", { class: "row" }, select, add));
}

function lay(tile, rotation) {
  const { hex } = table.tiles;
  $("rotate").disabled = rotations(tile).length < 2;
  return change((position) => {
    if (tile) position.tiles[hex] = [tile, rotation];
    else delete position.tiles[hex];
  });
}

// Turns the tile of the latest position, so that three clicks in a row turn it three times.
async function rotate() {
  const now = table.position.tiles?.[table.tiles.hex];
  if (!now) return;
  const may = rotations(now[0]);
  if (may.length > 1) await lay(now[0], may.find((one) => one > now[1]) ?? may[0]);
}

function bare() {
  const { claimed, claimed_revenue, known_best, ...rest } = table.position;
  return rest;
}

// --- what if --------------------------------------------------------------------------------------------------------

async function askWhatIf() {
  const control = new AbortController();
  table.asking?.abort();
  table.asking = control;
  $("if-stop").hidden = false;
  $("if-ask").disabled = true;
  $("if-told").textContent = "Trying every tile, token and train…";
  try {
    const response = await api.call("what-if", { method: "POST", body: JSON.stringify({ position: bare() }), signal: control.signal });
    showWhatIf(await response.json());
  } catch (failure) {
    if (table.asking === control) $("if-told").textContent = "";
    complain(failure);
  } finally {
    if (table.asking === control) { $("if-stop").hidden = true; $("if-ask").disabled = false; }
  }
}

function showWhatIf(found) {
  const better = found.outcomes.filter((one) => one.gain > 0).slice(0, 30);
  const number = found.outcomes.length;
  $("if-told").textContent = `${number} change${number === 1 ? "" : "s"} open; ${better.length ? "the best, money not looked at:" : "none earns more"}`;
  put($("if-list"), ...better.map((one) => {
    const button = element("button", { type: "button" }, `+${one.gain} → ${one.revenue}: ${changeText(one)}${one.cost ? `, costs ${one.cost}` : ""}`);
    button.addEventListener("click", () => change((position) => carryOut(position, one)));
    return element("li", {}, button);
  }));
}

function changeText(one) {
  if (one.kind === "train") return `buy a ${one.train}`;
  if (one.kind === "token") return `token in ${one.city}`;
  return `${one.kind} ${one.hex}: tile ${one.tile}, turned ${one.rotation}`;
}

function carryOut(position, one) {
  if (one.kind === "train") position.trains.push(one.train);
  else if (one.kind === "token") {
    const [hex, city] = one.city.split(".");
    position.tokens[hex] ??= {};
    position.tokens[hex][city] ??= [];
    const free = position.tokens[hex][city].indexOf(null);
    if (free >= 0) position.tokens[hex][city][free] = position.operator;
    else position.tokens[hex][city].push(position.operator);
  } else position.tiles[one.hex] = [one.tile, one.rotation];
}

// The sets that come next, ties first. One that is chosen becomes the claim, where it is seen on the map.
async function askOthers() {
  const number = table.asked;
  $("others-told").textContent = "Searching…";
  const question = { position: bare(), top: 6 };
  if (table.pins.length) question.pin = table.pins;
  if (table.avoid.length) question.avoid = table.avoid;
  const found = await guarded(() => api.post("best", JSON.stringify(question)));
  if (number !== table.asked) return;
  const sets = found?.runner_ups ?? [];
  $("others-told").textContent = !found || sets.length ? "" : "There is no other set.";
  put($("others-list"), ...sets.map((set) => {
    const trains = set.routes.map((route) => `${route.train}: ${route.stops.map(stopName).join("–")}`).join("; ");
    const button = element("button", { type: "button" }, element("b", {}, String(set.revenue)),
      ` ${set.less ? `(${set.less} less)` : "(as much)"} `, element("span", { class: "range" }, trains));
    button.addEventListener("click", () => {
      table.claims = set.routes.map(({ train, stops, connections }) => ({ train, stops, connections }));
      document.querySelector('input[name="mode"][value="claim"]').checked = true;
      setMode();
      judge();
    });
    return element("li", {}, button);
  }));
}

function forgetWhatIf() {
  $("others-told").textContent = "";
  put($("others-list"));
  table.asking?.abort();
  $("if-told").textContent = "";
  put($("if-list"));
}

// --- claims ---------------------------------------------------------------------------------------------------------

function onStop(stop) {
  if (mode() !== "claim") return;
  if (!table.claims.length) newClaim();
  const claim = table.claims.at(-1);
  if (claim.stops.at(-1) === stop) return;
  claim.stops.push(stop);
  delete claim.connections;
  judge();
}

function newClaim() {
  const left = [...table.position.trains];
  for (const claim of table.claims) { const at = left.indexOf(claim.train); if (at >= 0) left.splice(at, 1); }
  const chosen = $("claim-train").value;
  const train = left.includes(chosen) || !left.length ? chosen : left[0];
  if (!train) { complain(new Error("This company has no train; add one under “Company and trains”.")); return; }
  table.claims.push({ train, stops: [] });
  $("claim-train").value = train;
}

async function judge() {
  const number = ++table.judged;
  const claimed = table.claims.filter((claim) => claim.stops.length > 1);
  if (!claimed.length) {
    table.verdict = null;
    showMap(table.best.svg);
    showClaims();
    return;
  }
  showClaims();
  const body = JSON.stringify({ position: { ...bare(), claimed }, map: true });
  const verdict = await guarded(() => api.post("score", body));
  if (!verdict || number !== table.judged) return;
  forget();
  table.verdict = verdict;
  if (mode() === "claim") showMap(verdict.svg);
  showClaims();
}

function showClaims() {
  const { claims, verdict, best } = table;
  $("claim-ran").hidden = !table.position.claimed?.length;
  $("claim-empty").hidden = claims.length > 0;
  if (verdict) put($("claims"), ...verdict.routes.map((route, place) => routeItem(route, place, false)));
  else put($("claims"));
  const open = claims.at(-1);
  if (open && open.stops.length < 2) {
    $("claims").append(element("li", { class: "current" }, `Train ${open.train}: ${open.stops.join(" – ") || "no stop yet"}`));
  }
  map.mark(mode() === "claim" ? open?.stops ?? [] : []);
  const faults = verdict ? [...verdict.faults, ...verdict.routes.flatMap((route) => route.faults)] : [];
  put($("claim-faults"), ...faults.map((fault) => element("li", {}, fault.message)));
  if (verdict?.repair) {
    const out = verdict.repair.left_out.join(" and ");
    $("claim-faults").append(element("li", {}, out ? `Legal if ${out} is left out of route ${verdict.repair.route + 1}: ${verdict.repair.revenue}`
      : `Legal without route ${verdict.repair.route + 1}: ${verdict.repair.revenue}`));
  }
  let text = "";
  if (verdict) {
    const less = best.revenue - verdict.revenue;
    const compared = less > 0 ? `${less} less than the best` : less === 0 ? "as much as the best" : `${-less} more than the best found`;
    text = verdict.legal ? `Legal: ${verdict.revenue}, ${compared}` : `Not legal (would be ${verdict.revenue})`;
  }
  $("verdict").textContent = text;
  $("verdict").className = `verdict ${verdict ? (verdict.legal ? "good" : "bad") : ""}`;
  $("claim-back").disabled = $("claim-clear").disabled = !claims.length;
}

// --- modes ----------------------------------------------------------------------------------------------------------

const mode = () => document.querySelector('input[name="mode"]:checked').value;

function setMode() {
  const now = mode();
  map.setMode(now);
  $("claim-panel").hidden = now !== "claim";
  $("edit-panel").hidden = now !== "edit";
  map.pick(now === "edit" ? table.hex : null);
  map.mark(now === "claim" ? table.claims.at(-1)?.stops ?? [] : []);
  $("map-hint").textContent = { look: "Drag to move, turn the wheel or pinch to zoom.", claim: "Click stops in travel order.",
    edit: "Click a hex to change it, and again to turn its tile." }[now];
}

// --- copying --------------------------------------------------------------------------------------------------------

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", {}, text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(`${what} copied`);
}

// --- wiring ---------------------------------------------------------------------------------------------------------

$("open").addEventListener("click", () => { showStart(); $("paste").focus(); });
$("return").addEventListener("click", () => { forget(); showTable(); });
const opening = (text) => guarded(async () => open(await text));
$("load").addEventListener("click", () => opening($("paste").value));
$("paste").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) opening($("paste").value);
});
$("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) await opening(file.text());
  event.target.value = "";
});
$("copy-text").addEventListener("click", () => copy(answerText(table.position, table.best), "Text"));
$("copy-link").addEventListener("click", () => guarded(async () => {
  const link = await linkOf(bare());
  history.replaceState(null, "", link);
  await copy(location.href, "Link");
}));
function step(place) {
  return guarded(() => {
    if (table.game) return showTurn(place);
    table.place = Math.max(0, Math.min(place, table.list.length - 1));
    return showPosition(table.list[table.place]);
  });
}
let slid = 0;
$("slider").addEventListener("input", (event) => guarded(async () => {
  const place = Number(event.target.value);
  const number = ++slid;
  await new Promise((done) => { setTimeout(done, 60); }); // only the place where it comes to rest is asked for
  if (number === slid) await step(place);
}));
$("previous").addEventListener("click", () => step(table.place - 1));
$("next").addEventListener("click", () => step(table.place + 1));
$("runs-only").addEventListener("change", () => guarded(() => chooseTurns(table.turns[table.place].action)));
$("company").addEventListener("change", (event) => {
  const list = table.game ? table.turns : table.list;
  const of = (one) => (one.company ?? one.operator) === event.target.value;
  let place = list.findLastIndex((one, at) => at <= table.place && of(one));
  if (place < 0) place = list.findIndex(of);
  step(place);
});
$("stop").addEventListener("click", () => {
  table.search?.abort();
  const found = table.shown === table.asked;
  table.asked += 1;
  rest();
  if (!found) { back(); return; }
  table.shown = table.asked;
  Object.assign(table.best, { under_way: false, stopped: true });
  showAnswer();
});
$("operator").addEventListener("change", (event) => change((one) => { one.operator = event.target.value; }));
$("phase").addEventListener("change", (event) => change((one) => { one.phase = event.target.value; }));
$("add").addEventListener("click", () => change((one) => { one.trains.push($("add-train").value); }));
$("reset").addEventListener("click", () => {
  Object.assign(table, { position: table.original, pins: [], avoid: [], claims: [], verdict: null, changed: false });
  table.judged += 1;
  showCompany();
  $("operator").focus();
  guarded(() => Promise.all([table.game ? loadTurn() : recompute(), table.hex && lookAt(table.hex)]));
});
$("tile").addEventListener("change", (event) => {
  const tile = event.target.value;
  lay(tile, rotations(tile)[0] ?? 0);
});
$("rotate").addEventListener("click", rotate);
$("others-ask").addEventListener("click", () => guarded(askOthers));
$("if-ask").addEventListener("click", () => guarded(askWhatIf));
$("if-stop").addEventListener("click", () => { table.asking?.abort(); $("if-told").textContent = ""; });
$("claim-new").addEventListener("click", () => { newClaim(); showClaims(); });
$("claim-back").addEventListener("click", () => {
  const claim = table.claims.at(-1);
  if (!claim?.stops.length) table.claims.pop();
  else { claim.stops.pop(); delete claim.connections; }
  judge();
});
$("claim-clear").addEventListener("click", () => { table.claims = []; judge(); });
$("claim-ran").addEventListener("click", () => { table.claims = structuredClone(table.position.claimed); judge(); });
$("claim-train").addEventListener("change", (event) => {
  const claim = table.claims.at(-1);
  if (claim) { claim.train = event.target.value; judge(); }
});
for (const radio of document.querySelectorAll('input[name="mode"]')) {
  radio.addEventListener("change", () => {
    setMode();
    if (table.best) { showMap(mode() === "claim" && table.verdict ? table.verdict.svg : table.best.svg); showClaims(); }
  });
}
$("zoom-in").addEventListener("click", () => map.zoom(1.3));
$("zoom-out").addEventListener("click", () => map.zoom(1 / 1.3));
$("zoom-fit").addEventListener("click", () => map.fit());
$("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  api.token = $("token").value;
  $("token").value = "";
  forget();
  guarded(start);
});

let over = 0;
document.addEventListener("dragenter", (event) => { event.preventDefault(); over += 1; $("drop").hidden = false; });
document.addEventListener("dragleave", () => { over -= 1; if (over <= 0) $("drop").hidden = true; });
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  over = 0;
  $("drop").hidden = true;
  const [file] = event.dataTransfer.files;
  opening(file ? file.text() : event.dataTransfer.getData("text"));
});
document.addEventListener("paste", (event) => {
  if (event.target.closest("textarea, input")) return;
  const text = event.clipboardData.getData("text");
  if (text.trim()) opening(text);
});
window.addEventListener("hashchange", () => guarded(fromLink));

async function fromLink() {
  let position;
  try {
    position = await positionOf(location.hash);
  } catch {
    complain(new Error("This link holds no position that can be read."));
    return;
  }
  if (!position) return;
  clear();
  table.list = [position];
  await showPosition(position);
}

async function start() {
  put($("examples"), ...EXAMPLES.map(([name, file]) => {
    const button = element("button", { type: "button" }, name);
    button.addEventListener("click", () => opening(fetch(`examples/${file}`).then((response) => response.text())));
    return button;
  }));
  const titles = await guarded(() => api.get("titles"));
  table.titles = titles ?? [];
  if (titles) {
    await showStart();
    await fromLink();
  }
}

guarded(start);
