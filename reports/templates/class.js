"use strict";
const table = document.getElementById("students");
const rows = [...table.tBodies];
const shown = document.getElementById("shown");

function open_row(body, open) {
  body.rows[1].hidden = !open;
  body.querySelector("button.more").setAttribute("aria-expanded", String(open));
}

for (const body of rows) {
  open_row(body, false);
  body.querySelector("button.more").addEventListener("click", () => open_row(body, body.rows[1].hidden));
}

function search(words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(word => word);
  let count = 0;
  for (const body of rows) {
    const text = body.textContent.toLowerCase();
    body.hidden = !wanted.every(word => text.includes(word));
    count += body.hidden ? 0 : 1;
  }
  shown.textContent = `${count} / ${rows.length}`;
}

function value_of(body, column) {
  const cell = body.rows[0].cells[column];
  return cell.dataset.value ?? cell.textContent.trim();
}

function compare(a, b) {
  const [x, y] = [Number(a), Number(b)];
  if (a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a.localeCompare(b, "en", {numeric: true});
}

table.tHead.querySelectorAll("button").forEach(button => button.addEventListener("click", () => {
  const head = button.closest("th");
  const down = head.getAttribute("aria-sort") === "ascending";
  table.tHead.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const sorted = [...rows].sort((a, b) => (down ? -1 : 1) * compare(value_of(a, head.cellIndex), value_of(b, head.cellIndex)));
  table.append(...sorted);
}));

const field = document.getElementById("search");
field.addEventListener("input", () => search(field.value));
search(field.value);

function open_linked() {
  const body = rows.find(body => body.id && "#" + body.id === location.hash);
  if (!body) return;
  field.value = "";
  search("");
  open_row(body, true);
  body.scrollIntoView();
}
window.addEventListener("hashchange", open_linked);
open_linked();
