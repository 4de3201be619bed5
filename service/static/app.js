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

// What is on the table. `asked` counts questions, so that a late answer to an old one is not shown.
const table = {
  titles: [], game: null, turns: [], place: 0, list: null, position: null, original: null, best: null, money: null,
  claims: [], verdict: null, pins: [], avoid: [], hex: null, tiles: null, search: null, asked: 0, changed: false,
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

async function guarded(work) {
  try { return await work(); } catch (failure) { complain(failure); return undefined; }
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
  const summary = await guarded(() => api.post("games", text));
  if (summary) showGame(summary);
  else say("");
}

async function openPositions(text, first) {
  let list = first ? [first] : null;
  if (first && text.trim().includes("\n")) {
    try { JSON.parse(text); } catch {
      try { list = text.trim().split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line)); } catch { list = null; }
    }
  }
  if (!list || typeof list[0] !== "object" || list[0] === null) {
    say("");
    complain(new Error("This is not JSON. Paste the whole text of a game export or of a position file, from the first { to the last }."));
    return;
  }
  clear();
  table.list = list;
  await showPosition(list[0]);
}

function clear() {
  Object.assign(table, {
    game: null, turns: [], place: 0, list: null, best: null, money: null, claims: [], verdict: null, pins: [], avoid: [],
    hex: null, tiles: null, changed: false,
  });
}

function showGame(summary, action) {
  clear();
  table.game = summary;
  if (summary.faults.length) {
    complain(new Failure(0, summary.faults, "The game is shown up to where the rules refuse it"));
  }
  if (!summary.turns.length) {
    say("");
    complain(new Error(`${summary.title}: no operating round has been played yet, so there is no run to show.`));
    return;
  }
  chooseTurns(action ?? summary.turns.filter((turn) => turn.run).at(-1)?.action ?? summary.turns.at(-1).action);
}

function chooseTurns(action) {
  const runs = table.game.turns.filter((turn) => turn.run);
  if (!runs.length) $("runs-only").checked = false;
  table.turns = $("runs-only").checked ? runs : table.game.turns;
  let place = table.turns.findLastIndex((turn) => turn.action <= action);
  if (place < 0) place = 0;
  showTurn(place);
}

async function showTurn(place) {
  table.place = Math.max(0, Math.min(place, table.turns.length - 1));
  const turn = table.turns[table.place];
  Object.assign(table, { pins: [], avoid: [], claims: [], verdict: null, hex: null, tiles: null, changed: false, money: null });
  showTimeline();
  showTable();
  await search(`games/${encodeURIComponent(table.game.id)}/turns/${turn.action}`, null, (answer) => {
    if (answer.position) {
      table.position = answer.position;
      table.original = structuredClone(answer.position);
      table.money = answer;
      return answer.best;
    }
    return answer;
  });
}

async function showPosition(position) {
  table.position = position;
  table.original = structuredClone(position);
  showTimeline();
  if (await recompute()) showTable();
}

// --- searching ------------------------------------------------------------------------------------------------------

function recompute() {
  const question = { position: table.position, map: true };
  if (table.pins.length) question.pin = table.pins;
  if (table.avoid.length) question.avoid = table.avoid;
  return search("best", question, (answer) => answer);
}

async function search(path, question, read) {
  forgetWhatIf();
  table.search?.abort();
  const control = new AbortController();
  table.search = control;
  const number = ++table.asked;
  const late = setTimeout(() => { if (number === table.asked) busy("Searching…"); }, 150);
  try {
    for await (const [kind, answer] of api.stream(path, question, control.signal)) {
      if (number !== table.asked) return false;
      table.best = read(answer);
      table.best.under_way = kind === "progress";
      forget();
      showTable();
      showAnswer();
      if (kind === "progress") busy(`Best so far ${table.best.revenue}, at most ${table.best.bound}`);
    }
    if (table.changed && table.game) await refreshMoney();
    return true;
  } catch (failure) {
    if (number === table.asked) {
      say("");
      complain(failure);
    }
    return false;
  } finally {
    clearTimeout(late);
    if (number === table.asked) { $("progress").hidden = true; $("map").dataset.busy = "false"; }
  }
}

function busy(text) {
  $("progress").hidden = false;
  $("progress-text").textContent = text;
  $("map").dataset.busy = String(!table.best?.under_way);
}

async function refreshMoney() {
  const turn = table.turns[table.place];
  if (table.position.operator !== table.money?.company) { table.money = null; showMoney(); return; }
  const path = `games/${encodeURIComponent(table.game.id)}/dividends/${turn.action}?revenue=${table.best.revenue}`;
  const money = await guarded(() => api.get(path));
  if (money) { table.money = money; showMoney(); }
}

// --- showing --------------------------------------------------------------------------------------------------------

function showStart() {
  $("start").hidden = false;
  $("table").hidden = true;
  for (const button of document.querySelectorAll("[data-needs]")) button.disabled = true;
  guarded(async () => {
    const games = await api.get("games");
    $("stored").hidden = !games.length;
    put($("stored-list"), ...games.map(storedGame));
  });
}

function storedGame(game) {
  const open = element("button", { type: "button" }, `${game.id} · ${new Date(game.stored * 1000).toLocaleString()}`);
  open.addEventListener("click", () => guarded(async () => showGame(await api.get(`games/${encodeURIComponent(game.id)}`))));
  const remove = element("button", { type: "button", "aria-label": `Forget ${game.id}` }, "Forget");
  remove.addEventListener("click", () => guarded(async () => {
    await api.remove(`games/${encodeURIComponent(game.id)}`);
    showStart();
  }));
  return element("li", {}, open, remove);
}

function showTable() {
  $("start").hidden = true;
  $("table").hidden = false;
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
  const companies = [...new Set(list.map((one) => one.company ?? one.operator))].sort();
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
  if (!(mode() === "claim" && table.verdict)) showMap(best.svg);
  put($("routes"), ...best.routes.map((route, place) => routeItem(route, place, true)));
  for (const bonus of best.bonuses) {
    const with_ = bonus.routes.map((place) => best.routes[place].train).join(" and ");
    $("routes").append(element("li", {}, element("div", { class: "route-head" }, bonus.label,
      element("span", { class: "amount" }, String(bonus.amount))), element("p", { class: "range" }, `earned together by ${with_}`)));
  }
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
      table.pins = pinned ? table.pins.filter((one) => one !== route.text) : [...table.pins, route.text];
      wish();
    });
    const forbid = element("button", { type: "button" }, "Forbid");
    forbid.addEventListener("click", () => {
      table.avoid = [...table.avoid, route.text];
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
  recompute();
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

async function change(how) {
  const before = structuredClone(table.position);
  delete table.position.claimed;
  delete table.position.claimed_revenue;
  delete table.position.known_best;
  how(table.position);
  const changed = table.changed;
  table.changed = true;
  Object.assign(table, { claims: [], verdict: null });
  if (!(await recompute()) && $("errors").hidden === false) {
    Object.assign(table, { position: before, changed });
    showCompany();
  }
  if (table.hex) showHex(table.hex);
}

async function onHex(hex) {
  if (mode() !== "edit") return;
  if (table.hex === hex && table.tiles?.now) { rotate(); return; }
  await showHex(hex);
}

async function showHex(hex) {
  table.hex = hex;
  map.pick(hex);
  const found = await guarded(() => api.post("tiles", JSON.stringify({ position: bare(), hex })));
  if (!found || table.hex !== hex) return;
  table.tiles = found;
  $("edit-empty").hidden = true;
  $("edit-hex").hidden = false;
  $("edit-title").textContent = `Tile and tokens of ${hex}`;
  const names = { "": "as printed" };
  for (const one of found.tiles) names[one.tile] = `${one.tile} (${one.colour})`;
  if (found.now && !names[found.now[0]]) names[found.now[0]] = found.now[0];
  options($("tile"), Object.keys(names).sort((a, b) => a.localeCompare(b, "en", { numeric: true })), found.now?.[0] ?? "", names);
  const turns = found.tiles.find((one) => one.tile === found.now?.[0])?.rotations ?? [];
  $("rotate").disabled = turns.length < 2;
  put($("cities"), ...Object.entries(found.cities).map(([city, held]) => cityEditor(hex, city, held)));
}

function cityEditor(hex, city, held) {
  const tokens = held.tokens.map((company, place) => [company, place]).filter(([company]) => company);
  const list = element("ul", { class: "chips" }, ...tokens.map(([company, place]) => {
    const button = element("button", { type: "button", "aria-label": `Remove token of ${company}` }, "×");
    button.addEventListener("click", () => change((position) => { position.tokens[hex][city].splice(place, 1); }));
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
  const hex = table.hex;
  change((position) => {
    if (tile) position.tiles[hex] = [tile, rotation];
    else delete position.tiles[hex];
  });
}

function rotate() {
  const now = table.tiles?.now;
  if (!now) return;
  const may = table.tiles.tiles.find((one) => one.tile === now[0])?.rotations ?? [now[1]];
  lay(now[0], may.find((one) => one > now[1]) ?? may[0]);
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
    $("if-told").textContent = "";
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

function forgetWhatIf() {
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
  const claimed = table.claims.filter((claim) => claim.stops.length > 1);
  if (!claimed.length) {
    table.verdict = null;
    showMap(table.best.svg);
    showClaims();
    return;
  }
  const number = ++table.judged || (table.judged = 1);
  const verdict = await guarded(() => api.post("score", JSON.stringify({ position: { ...bare(), claimed }, map: true })));
  if (!verdict || number !== table.judged) { showClaims(); return; }
  forget();
  table.verdict = verdict;
  showMap(verdict.svg);
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
$("load").addEventListener("click", () => open($("paste").value));
$("paste").addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) open($("paste").value); });
$("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) await open(await file.text());
  event.target.value = "";
});
$("copy-text").addEventListener("click", () => copy(answerText(table.position, table.best), "Text"));
$("copy-link").addEventListener("click", async () => {
  const link = await linkOf(bare());
  history.replaceState(null, "", link);
  copy(location.href, "Link");
});
const step = (place) => {
  if (table.game) showTurn(place);
  else {
    table.place = Math.max(0, Math.min(place, table.list.length - 1));
    Object.assign(table, { pins: [], avoid: [], claims: [], verdict: null, hex: null, changed: false });
    showPosition(table.list[table.place]);
  }
};
let sliding;
$("slider").addEventListener("input", (event) => {
  const place = Number(event.target.value);
  clearTimeout(sliding);
  sliding = setTimeout(() => step(place), 60);
});
$("previous").addEventListener("click", () => step(table.place - 1));
$("next").addEventListener("click", () => step(table.place + 1));
$("runs-only").addEventListener("change", () => chooseTurns(table.turns[table.place].action));
$("company").addEventListener("change", (event) => {
  const list = table.game ? table.turns : table.list;
  const of = (one) => (one.company ?? one.operator) === event.target.value;
  let place = list.findLastIndex((one, at) => at <= table.place && of(one));
  if (place < 0) place = list.findIndex(of);
  step(place);
});
$("stop").addEventListener("click", () => {
  table.search?.abort();
  table.asked += 1;
  $("progress").hidden = true;
  $("map").dataset.busy = "false";
  if (table.best) { table.best.under_way = false; table.best.stopped = true; showAnswer(); }
});
$("operator").addEventListener("change", (event) => change((one) => { one.operator = event.target.value; }));
$("phase").addEventListener("change", (event) => change((one) => { one.phase = event.target.value; }));
$("add").addEventListener("click", () => change((one) => { one.trains.push($("add-train").value); }));
$("reset").addEventListener("click", () => {
  Object.assign(table, { position: structuredClone(table.original), pins: [], avoid: [], claims: [], verdict: null, changed: false });
  if (table.game) showTurn(table.place);
  else recompute();
});
$("tile").addEventListener("change", (event) => {
  const tile = event.target.value;
  lay(tile, table.tiles.tiles.find((one) => one.tile === tile)?.rotations[0] ?? 0);
});
$("rotate").addEventListener("click", rotate);
$("if-ask").addEventListener("click", askWhatIf);
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
  start();
});

let over = 0;
document.addEventListener("dragenter", (event) => { event.preventDefault(); over += 1; $("drop").hidden = false; });
document.addEventListener("dragleave", () => { over -= 1; if (over <= 0) $("drop").hidden = true; });
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  over = 0;
  $("drop").hidden = true;
  const [file] = event.dataTransfer.files;
  const text = file ? await file.text() : event.dataTransfer.getData("text");
  if (text) await open(text);
});
document.addEventListener("paste", (event) => {
  if (event.target.closest("textarea, input")) return;
  const text = event.clipboardData.getData("text");
  if (text.trim().startsWith("{")) open(text);
});
window.addEventListener("hashchange", fromLink);

async function fromLink() {
  try {
    const position = await positionOf(location.hash);
    if (position) { clear(); table.list = [position]; await showPosition(position); }
    return Boolean(position);
  } catch {
    complain(new Error("This link holds no position that can be read."));
    return false;
  }
}

async function start() {
  put($("examples"), ...EXAMPLES.map(([name, file]) => {
    const button = element("button", { type: "button" }, name);
    button.addEventListener("click", () => guarded(async () => open(await (await fetch(`examples/${file}`)).text())));
    return button;
  }));
  showStart();
  const titles = await guarded(() => api.get("titles"));
  table.titles = titles ?? [];
  if (titles) await fromLink();
}

start();
