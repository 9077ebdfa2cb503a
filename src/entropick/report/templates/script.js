"use strict";
// Click on a heading to sort a table: numbers by their exact values, strings alphabetically, missing values last.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const value = (row, at) => {
    const cell = row.cells[at];
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const text = cell.firstChild ? cell.firstChild.textContent.trim() : "";
    if (text === "" || text === "–") return null;
    return cell.classList.contains("number") ? Number(text) : text;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
  table.querySelectorAll("thead th").forEach((heading) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const wasNumber = heading.classList.contains("number");
      const now = heading.getAttribute("aria-sort");
      const falling = now ? now === "ascending" : wasNumber && heading.cellIndex > 0;
      const rows = [...body.rows].map((row) => [value(row, heading.cellIndex), row]);
      rows.sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : falling ? compare(b, a) : compare(a, b)));
      body.append(...rows.map(([, row]) => row));
      table.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
    });
  });
}
// Names break between their words before they break anywhere.
function breakable(name) {
  const parts = name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[_./-])/);
  return parts.flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part]));
}
for (const name of document.querySelectorAll("tbody bdi, tbody bdi a")) {
  if (!name.children.length) name.replaceChildren(...breakable(name.textContent));
}
// A button copies a text; if the browser denies access to the clipboard, the text is selected instead.
for (const snippet of document.querySelectorAll(".snippet")) {
  const button = document.createElement("button");
  const code = snippet.querySelector("code");
  const label = snippet.querySelector(".note").textContent;
  button.type = "button";
  button.setAttribute("aria-label", "Copy: " + label);
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      document.execCommand("copy");
    }
    button.dataset.done = "";
    setTimeout(() => delete button.dataset.done, 1500);
  });
  snippet.prepend(button);
}
// Tooltips appear at once, with all digits in tables; without this script the browser shows the titles of
// figures after a delay. Where a title has a line for each rectangle of a row, the one behind the pointer is shown.
const tip = document.createElement("div");
tip.id = "tip";
tip.hidden = true;
tip.setAttribute("aria-hidden", "true");
document.body.append(tip);
document.addEventListener("pointerover", (event) => {
  const titled = event.target.closest(".figure :has(> title), [data-tip], [data-v]:not([title])");
  const title = titled && titled.querySelector(":scope > title");
  if (title) {
    titled.dataset.tip = title.textContent;
    title.remove();
  }
  const text = titled ? titled.dataset.tip || titled.dataset.v || "" : "";
  const [name, ...lines] = text.split("\n");
  const line = titled && lines[[...titled.querySelectorAll("rect")].indexOf(event.target)];
  tip.textContent = line ? `${name}, ${line}` : text;
  tip.hidden = !tip.textContent;
});
document.addEventListener("pointermove", (event) => {
  if (tip.hidden) return;
  const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, room)) + "px";
  tip.style.top = event.clientY + 18 + "px";
});
// Unfold everything for printing, and fold it again afterwards.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  folded.forEach((part) => (part.open = true));
});
addEventListener("afterprint", () => folded.forEach((part) => (part.open = false)));
// In a notebook the page is in a frame, which is made as high as the page, up to a screen.
if (document.body.classList.contains("framed") && window.frameElement) {
  window.frameElement.style.height = Math.min(Math.ceil(document.body.getBoundingClientRect().height) + 4, 720) + "px";
}
