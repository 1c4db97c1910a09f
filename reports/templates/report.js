// Tables that can be sorted and filtered, and what lies behind each number of them. Students choose names, messages and sources:
// they become text nodes and attributes, never markup.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const cases = new Map(data.cases.map(one => [one.id, one]));
const builds = new Map(data.builds.map(one => [one.key + one.variant, one]));
const LINK = "#case=";
const FILTERED_ROWS = 6; // a table with fewer rows needs no filter
// A text in the language of the page, with values in the place of {names}.
const tr = (english, values = {}) => (data.texts[english] ?? english).replace(/\{(\w+)\}/g, (_, name) => values[name]);

function element(space, name, attributes, children) {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter(child => child !== null));
  return made;
}
const html = (name, attributes = {}, ...children) => element("http://www.w3.org/1999/xhtml", name, attributes, children);
const svg = (name, attributes = {}, ...children) => element("http://www.w3.org/2000/svg", name, attributes, children);
const number = value => String(Number(value.toPrecision(4)));
const samples = n => n === 1 ? tr("1 sample") : tr("{n} samples", {n});

// ---- what a number is made of

const named = one => [one.variant, ...Object.entries(one.axes).map(([axis, value]) => `${axis}=${value}`)].join(" ");

const has_interval = metric => typeof metric.low === "number" && typeof metric.high === "number";

function metric_text(one, name) {
  const metric = one.metrics[name];
  const {label = name, unit = ""} = data.metrics[name] ?? {};
  const value = `${label}: ${name === data.counted ? metric.median : number(metric.median)}${unit ? " " + unit : ""}`;
  const range = has_interval(metric) ? tr(", 95 % interval {low} to {high}", {low: number(metric.low), high: number(metric.high)}) : "";
  if (data.not_sampled[name]) return `${value}${range}, ${data.not_sampled[name]}`;
  return `${value}${range || tr(", too few samples for an interval")}, n = ${metric.n ?? tr("unknown")}`;
}

function check_text(one) {
  const wrong = one.check.lines.filter(part => !part.right);
  if (wrong.length) return tr("check: wrong in {parts}", {parts: wrong.map(part => part.name).join(", ")});
  return one.check.lines.length ? tr("check: right in all {n} parts", {n: one.check.lines.length}) : tr("no part of the check was completed");
}

// Each sample is a point: its time from left to right, the order of the calls from top to bottom.
function plot(one, height) {
  const times = one.samples_ms;
  if (!times.length) return null;
  const time = one.metrics.kernel_ms ?? {};
  const [low, high] = [Math.min(...times), Math.max(...times)];
  const x = value => high > low ? 10 + 300 * (value - low) / (high - low) : 160;
  const y = index => 8 + (height - 34) * (times.length > 1 ? index / (times.length - 1) : 0.5);
  const text = tr("{samples} from {low} to {high} ms, in the order of the calls from top to bottom",
    {samples: samples(times.length), low: number(low), high: number(high)});
  const made = svg("svg", {viewBox: `0 0 320 ${height}`, role: "img", class: "strip"}, svg("title", {}, text));
  if (has_interval(time)) made.append(svg("rect", {class: "interval", x: x(time.low), y: 2, width: Math.max(1, x(time.high) - x(time.low)), height: height - 22}));
  made.append(...times.map((value, index) => svg("circle", {cx: x(value).toFixed(1), cy: y(index).toFixed(1), r: times.length > 60 ? 1.5 : 2.5})));
  if (time.median !== undefined) made.append(svg("line", {x1: x(time.median), x2: x(time.median), y1: 2, y2: height - 20}));
  made.append(svg("text", {x: 10, y: height - 4}, `${number(low)} ms`));
  if (high > low) made.append(svg("text", {x: 310, y: height - 4, "text-anchor": "end"}, `${number(high)} ms`));
  return made;
}

// ---- a glance at a number: while the pointer or the focus is on it

const peek = html("div", {id: "peek", role: "tooltip", hidden: ""});
document.body.append(peek);

function glance(button, one, name) {
  const metrics = [...new Set([name, "kernel_ms"])].filter(metric => one.metrics[metric]);
  peek.replaceChildren(html("p", {}, html("strong", {}, `${named(one)}: ${one.status}`)), ...[plot(one, 90)].filter(Boolean),
    ...metrics.map(metric => html("p", {}, metric_text(one, metric))), html("p", {}, check_text(one)),
    html("p", {class: "soft"}, tr("Enter, click or tap: all of it")));
  peek.hidden = false;
  const at = button.getBoundingClientRect();
  const below = at.bottom + peek.offsetHeight < innerHeight;
  peek.style.left = `${Math.max(4, Math.min(at.left, document.documentElement.clientWidth - peek.offsetWidth - 4))}px`;
  peek.style.top = `${below ? at.bottom : Math.max(0, at.top - peek.offsetHeight)}px`;
  button.setAttribute("aria-describedby", "peek");
}

function end_glance() {
  peek.hidden = true;
  document.querySelector("[aria-describedby=peek]")?.removeAttribute("aria-describedby");
}
peek.addEventListener("mouseleave", end_glance);

let dismissed = false; // until the pointer moves: then the number that lay below the glance may have one
addEventListener("pointermove", () => { dismissed = false; }, {capture: true});
addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  dismissed = true;
  end_glance();
});
addEventListener("scroll", end_glance, {capture: true, passive: true});

// ---- all of it

const sheet = html("dialog", {id: "sheet", "aria-labelledby": "sheet-title"});
document.body.append(sheet);
sheet.addEventListener("click", event => event.target === sheet && sheet.close());
sheet.addEventListener("close", () => history.replaceState(null, "", location.href.split("#")[0]));

const block = (name, text) => html("pre", {tabindex: 0, role: "region", "aria-label": name}, text);
const folded = (name, text) => html("details", {}, html("summary", {}, name), block(name, text));
const pair = (name, value) => value ? html("div", {}, html("dt", {}, name), html("dd", {}, value)) : null;

function source_part(build) {
  const text = data.sources[build.source_hash];
  const hash = html("p", {}, tr("sha256 of the source: "), html("code", {}, build.source_hash || tr("unknown")));
  if (text === undefined) return [hash, html("p", {class: "soft"}, tr("The text is not in this page; the command below prints it where it is kept."))];
  const lines = text.split("\n");
  return [hash, folded(tr("source text"), lines.map((line, index) => `${String(index + 1).padStart(5)}  ${line}`).join("\n"))];
}

function show(one) {
  end_glance();
  const build = builds.get(one.build_key + one.variant);
  const taken = one.samples_taken;
  const close = html("button", {type: "button", class: "close"}, tr("close"));
  close.addEventListener("click", () => sheet.close());
  sheet.replaceChildren(close, html("h2", {id: "sheet-title"}, `${named(one)}: ${one.status}`),
    ...one.reason ? [html("p", {}, one.reason)] : [], html("h3", {}, tr("Samples")), ...[plot(one, Math.min(220, 50 + 10 * taken))].filter(Boolean),
    html("p", {}, taken ? tr("{samples}; calls per sample: {calls}{how}.", {samples: samples(taken), calls: one.calls_per_sample,
      how: data.stops[one.stop_reason] ? tr("; ") + tr("sampling {how}", {how: data.stops[one.stop_reason]}) : ""}) : tr("No samples."),
      taken > one.samples_ms.length ? tr(" {n} of them are in this page, and all in run.json.", {n: one.samples_ms.length}) : ""),
    html("ul", {}, ...Object.keys(one.metrics).map(name => html("li", {}, metric_text(one, name)))),
    html("h3", {}, tr("Check")), html("ul", {}, ...one.check.lines.map(part =>
      html("li", {}, html("b", {}, part.right ? tr("right") : tr("WRONG")), ` ${part.name}${part.detail ? `: ${part.detail}` : ""}`)), html("li", {}, check_text(one))),
    ...one.notes.length ? [html("h3", {}, tr("Notes")), html("ul", {}, ...one.notes.map(note => html("li", {}, note.text)))] : [],
    html("h3", {}, tr("Build and source")), html("dl", {}, pair(tr("command"), build && html("code", {}, build.command)), pair(tr("compiler"), build?.compiler),
      pair(tr("machine"), data.machine), pair(tr("reused from"), one.reused_from)), ...build ? source_part(build) : [],
    html("h3", {}, tr("Raw")), folded(tr("this case in run.json"), JSON.stringify(one, null, 1)),
    folded(tr("clocks and load before and after"), JSON.stringify(data.noise, null, 1)),
    html("p", {}, tr("In a terminal: "), html("code", {}, `bin/harness show ${data.run} '${one.id.split("/").slice(1).join("/").replaceAll("'", "'\\''")}'`)),
    html("p", {}, html("a", {href: LINK + encodeURIComponent(one.id)}, tr("link to this number"))));
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
  history.replaceState(null, "", LINK + encodeURIComponent(one.id));
}

function follow_link() {
  if (!location.hash.startsWith(LINK)) return;
  let id = "";
  try { id = decodeURIComponent(location.hash.slice(LINK.length)); } catch { return; } // somebody typed "%"
  const one = cases.get(id);
  if (one) show(one);
}
addEventListener("hashchange", follow_link);

// ---- the numbers of a table as buttons: one of them takes part in the order of tabs, arrows lead to the others

function add_numbers(table) {
  for (const cell of table.querySelectorAll("td[data-case]")) {
    const one = cases.get(cell.dataset.case);
    if (!one) continue;
    const button = html("button", {type: "button", class: "number", tabindex: -1, "aria-haspopup": "dialog"}, ...cell.childNodes);
    cell.append(button);
    cell.removeAttribute("title");
    button.addEventListener("click", () => show(one));
    button.addEventListener("focus", () => glance(button, one, cell.dataset.metric));
    button.addEventListener("blur", end_glance);
    button.addEventListener("mouseenter", () => dismissed || glance(button, one, cell.dataset.metric));
    button.addEventListener("mouseleave", event => peek.contains(event.relatedTarget) || end_glance());
  }
  table.querySelector("button.number")?.setAttribute("tabindex", 0);
  table.addEventListener("keydown", event => {
    const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    const button = event.target.closest("button.number");
    const next = step && button && neighbour(table, button, ...step);
    if (!next) return;
    event.preventDefault();
    button.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

function neighbour(table, button, down, right) {
  const row = button.closest("tr");
  if (right) {
    const buttons = [...row.querySelectorAll("button.number")];
    return buttons[buttons.indexOf(button) + right];
  }
  const rows = [...table.querySelectorAll("tbody tr")].filter(other => !other.hidden);
  const column = start(row, button.closest("td"));
  for (let at = rows.indexOf(row) + down; rows[at]; at += down) {
    const found = cell_at(rows[at], column)?.querySelector("button.number");
    if (found) return found;
  }
}

// ---- order and filter

const start = (row, cell) => [...row.cells].slice(0, cell.cellIndex).reduce((sum, before) => sum + before.colSpan, 0);
const cell_at = (row, column) => [...row.cells].find(cell => start(row, cell) === column);

function value_of(row, column) {
  const cell = cell_at(row, column);
  const mark = cell?.querySelector("sup")?.textContent ?? "";
  const text = cell?.dataset.value ?? (cell?.textContent.trim() ?? "").slice(0, -mark.length || undefined);
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

// Numbers come before words in both directions: a status is no large number.
function compare(a, b, sign) {
  if (typeof a === typeof b) return sign * (typeof a === "number" ? a - b : a.localeCompare(b, "en", {numeric: true}));
  return typeof a === "number" ? -1 : 1;
}

function add_order(table, bodies, arranged) {
  const heads = table.tHead.rows[table.tHead.rows.length - 1];
  for (const head of heads.cells) {
    if (!head.textContent.trim()) continue;
    const button = html("button", {type: "button", class: "order"}, ...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const next = {ascending: "descending", descending: ""}[head.getAttribute("aria-sort")] ?? "ascending";
      for (const other of heads.cells) other.removeAttribute("aria-sort");
      if (next) head.setAttribute("aria-sort", next);
      const column = start(heads, head);
      const keyed = bodies.flatMap(([, rows]) => rows).map(row => [value_of(row, column), row]);
      keyed.sort((a, b) => compare(a[0], b[0], next === "ascending" ? 1 : -1));
      if (next) bodies[0][0].append(...keyed.map(([, row]) => row));
      else for (const [body, rows] of bodies) body.append(...rows);
      arranged();
    });
  }
}

function add_filter(figure, bodies, arranged) {
  const title = figure.querySelector("figcaption")?.textContent ?? "";
  const field = html("input", {type: "search", autocomplete: "off", "aria-label": tr("Filter the rows of {title}", {title}), placeholder: tr("filter rows")});
  const count = html("output");
  const rows = bodies.flatMap(([, all]) => all);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
    count.textContent = words.length ? tr("{n} of {all} rows", {n: rows.filter(row => !row.hidden).length, all: rows.length}) : "";
    arranged();
  });
  figure.querySelector(".scroll").before(html("div", {class: "tools"}, field, " ", count));
}

for (const figure of document.querySelectorAll("figure.table")) {
  const table = figure.querySelector("table");
  const bodies = [...table.tBodies].map(body => [body, [...body.rows]]);
  const count = bodies.reduce((sum, [, rows]) => sum + rows.length, 0);
  const arranged = () => table.classList.toggle("arranged", Boolean(table.querySelector("[aria-sort], tr[hidden]")));
  add_numbers(table);
  if (count > 1) add_order(table, bodies, arranged);
  if (count >= FILTERED_ROWS) add_filter(figure, bodies, arranged);
}
follow_link();
