// The living part of a report: choose a criterion and a number of columns, pin and ban columns, copy the result.
const AS_FITTED = "fitted"; // the order of a method that pairs do not determine
const NINETY = 1.645; // standard errors on either side of a 90 % interval
const ROWS_AT_ONCE = 40; // of the columns to choose from: browsers are slow at long tables, and scrolling shows more

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const percent = (share) => Math.round(100 * share) + " %";
const bits = (value) => (Math.abs(value) < 5e-5 ? "0" : value.toFixed(4).replace("-", "−"));
const small = (value) => (value === 0 ? "<1e−300" : value < 0.001 ? value.toExponential(0).replace("-", "−") : value.toFixed(3));
const several = (n) => n.toLocaleString("en") + (n === 1 ? " column" : " columns");

// What is chosen, and what follows from it. Zeros of facts were left out to save space.
function newChoice(fit) {
  for (const key of ["error", "p", "q", "folds", "missing"]) {
    const isKnown = fit.pairs.columns.some((facts) => key in facts);
    for (const facts of fit.pairs.columns) facts[key] ??= isKnown ? 0 : null;
  }
  const pairs = openPairs(fit.pairs);
  const start = () => ({ criterion: fit.criterion || AS_FITTED, n: fit.n, pinned: [...fit.pinned], banned: [] });
  const choice = { fit, pairs, ...start(), paths: new Map() };
  choice.reset = () => Object.assign(choice, start());
  const isKnown = fit.criterion in CRITERIA && fit.order.every((column, i) => pathOf(choice)[i]?.column === column);
  if (!isKnown) fit.criterion = null;
  choice.reset();
  return choice;
}

// Columns in the order of selection, of which the first n are selected.
function pathOf(choice) {
  const { fit, pairs, criterion, pinned, banned, paths } = choice;
  const key = JSON.stringify([criterion, pinned, banned]);
  if (!paths.has(key)) {
    const parameters = criterion === fit.criterion ? fit.parameters : {};
    const others = fit.order.filter((f) => !pinned.includes(f) && !banned.includes(f));
    paths.set(
      key,
      criterion in CRITERIA
        ? selectAll(pairs, criterion, { pinned, banned, parameters })
        : [...pinned, ...others].map((column) => ({ column })),
    );
  }
  return paths.get(key);
}

// Select by each criterion while nothing else happens, so that switches find the result.
function prepare(choice, names) {
  const later = window.requestIdleCallback || setTimeout;
  if (names.length) later(() => (pathOf({ ...choice, criterion: names[0] }), prepare(choice, names.slice(1))));
}

const isAsFitted = ({ fit, criterion, pinned, banned }) =>
  criterion === (fit.criterion || AS_FITTED) && !banned.length && String(pinned) === String(fit.pinned);

// The share of the information of two columns that they have in common.
function sharedBy(pairs, f, s) {
  const most = Math.min(pairs.entropy[f], pairs.entropy[s]);
  return most > 0 ? Math.min(Math.max(pairs.redundancyOf(f, s) / most, 0), 1) : 0;
}

// The column among some that has the most in common with f.
function nearest(pairs, f, columns) {
  const found = { column: null, share: 0 };
  for (const s of columns) {
    const share = s === f ? 0 : sharedBy(pairs, f, s);
    if (share > found.share) Object.assign(found, { column: s, share });
  }
  return found;
}

// What a column adds to the selected ones: the mean of I(f;y|s), nothing if it follows from one of them.
function addedBy(pairs, f, selected) {
  if (selected.some((s) => pairs.gains.follows(f, s))) return 0;
  if (!selected.length) return pairs.gains.relevance[f];
  return selected.reduce((total, s) => total + pairs.gains.given(f, s), 0) / selected.length;
}

// -- ready to copy ---------------------------------------------------------------------------------

const quoted = (names) => JSON.stringify(names).replaceAll('","', '", "');
const FORMATS = {
  List: (names) => quoted(names),
  polars: (names) => `df.select(${quoted(names)})`,
  pandas: (names) => `df[${quoted(names)}]`,
  SQL: (names) => `SELECT ${names.map((name) => `"${name.replaceAll('"', '""')}"`).join(", ")}\nFROM my_table`,
  Pipeline: pipeline,
};

// A pipeline step that selects the same columns when it is fitted to all rows.
function pipeline(names, choice) {
  const { fit, criterion, pinned, banned } = choice;
  if (isAsFitted(choice) && choice.n === fit.n && fit.code) return `import entropick as ep\nselector = ${fit.code}`;
  if (!(criterion in CRITERIA)) {
    const step = `make_column_transformer(("passthrough", ${quoted(names)}))`;
    return `from sklearn.compose import make_column_transformer\nselector = ${step}`;
  }
  const { correction } = fit.pairs;
  const nameOf = (f) => fit.pairs.columns[f].name;
  const given = [String(names.length)];
  if (correction !== (CRITERIA[criterion].correction || null)) {
    given.push("correction=" + (correction === null ? "None" : JSON.stringify(correction)));
  }
  if (criterion === fit.criterion) {
    for (const [name, value] of Object.entries(fit.parameters)) if (name !== "correction") given.push(`${name}=${value}`);
  }
  if (pinned.length) given.push(`fixed_features=${quoted(pinned.map(nameOf))}`);
  given.push(...fit.options);
  const without = banned.length ? `X = X.drop(columns=${quoted(banned.map(nameOf))})\n` : "";
  return `import entropick as ep\n${without}selector = ep.${criterion}(${given.join(", ")})`;
}

// -- the page --------------------------------------------------------------------------------------

function bringToLife(root) {
  const choice = newChoice(JSON.parse(root.dataset.fit));
  const { fit, pairs } = choice;
  const view = { n_columns: pairs.n_columns, rows: pairs.columns.map((facts, f) => newRow(choice, f, () => show(choice, view))) };
  const again = () => show(choice, view);
  root.append(controls(choice, view, again), ...tableOf(choice, view), ...copies(choice, view, again));
  root.hidden = false;
  for (const old of root.parentElement.querySelectorAll(":scope > .snippet")) old.remove();
  again();
  prepare({ ...choice }, Object.keys(CRITERIA));
}

function controls(choice, view, again) {
  const { fit } = choice;
  const names = [...(fit.criterion ? [] : [AS_FITTED]), ...Object.keys(CRITERIA)];
  view.criterion = make("select", { id: "criterion", onchange: () => ((choice.criterion = view.criterion.value), again()) });
  for (const name of names) view.criterion.append(make("option", { value: name }, name === AS_FITTED ? fit.method : name));
  view.slider = make("input", {
    id: "number", type: "range", min: Math.min(fit.n, 1), oninput: () => ((choice.n = Number(view.slider.value)), again()),
  });
  view.number = make("output", { for: "number" });
  view.reset = make("button", { type: "button", onclick: () => (choice.reset(), again()) }, "Back to the fit");
  view.status = make("p", { class: "status", role: "status" });
  return make(
    "div", { class: "controls" },
    make("p", {}, make("label", { for: "number" }, "Number of columns"), view.slider, view.number),
    make("p", {}, make("label", { for: "criterion" }, "Criterion"), view.criterion, view.reset),
    view.status,
  );
}

function tableOf(choice, view) {
  const { pairs } = choice;
  const has = (key) => pairs.columns.some((facts) => facts[key] !== null);
  const heads = [
    ["#", "number narrow", "rank"],
    ["Column", "", ""],
    ["Explains alone", "alone", `share of H(y), ${bits(pairs.target_entropy)} bits, that the column explains alone, corrected for chance if the criterion is; the thin line is its 90 % interval`],
    ["Adds", "number short", "bits given each selected column before it, on average; of others, given each selected one"],
    ["Shared with", "", "selected column with which it has the most information in common"],
    ...(has("folds") ? [["In folds", "number short", "share of the folds that selected the column"]] : []),
    ...(has("q") ? [["q alone", "number short", "false discovery rate of the column alone"]] : []),
    ["Keep", "last keep", "pin a column to select it first, ban it to leave it out"],
  ];
  const search = make("input", { id: "find", type: "search", oninput: () => find(view, search.value) });
  view.found = make("span", { class: "note" });
  view.body = make("tbody", {}, ...view.rows.map((row) => row.element));
  const head = heads.map(([text, kind, title]) => make("th", { scope: "col", class: kind, title: title || null }, text));
  const table = make("table", { class: "choice" }, make("caption", {}, "Columns to choose from"), make("thead", {}, make("tr", {}, ...head)), view.body);
  const scrolled = () => {
    if (box.scrollTop === 0) reveal(view, ROWS_AT_ONCE);
    else if (box.scrollTop + 2 * box.clientHeight > box.scrollHeight) reveal(view, view.n_shown + ROWS_AT_ONCE);
  };
  const box = make(
    "div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Columns to choose from", onscroll: scrolled }, table,
  );
  view.order = [...view.rows.keys()];
  find(view, "");
  const meanings = heads.filter(([, , title]) => title && title !== "rank");
  const legend = make("dl", { class: "legend" }, ...meanings.map(([text, , title]) => make("div", {}, make("dt", {}, text), " ", make("dd", {}, title))));
  return [
    make("p", { class: "find" }, make("label", { for: "find" }, "Find a column"), search, view.found),
    box,
    legend,
  ];
}

function find(view, text) {
  view.wanted = text.trim().toLowerCase();
  reveal(view, ROWS_AT_ONCE);
  const n = view.rows.filter((row) => isWanted(view, row)).length;
  const all = several(view.rows.length) + (view.rows.length < view.n_columns ? ` of ${view.n_columns.toLocaleString("en")}, the most informative` : "");
  view.found.textContent = view.wanted ? `${n} of ${all}` : all;
}

const isWanted = (view, row) => row.name.toLowerCase().includes(view.wanted);

// Show the first rows of columns that were searched for, and those of banned columns, which come last.
function reveal(view, n) {
  view.n_shown = n;
  let open = n;
  for (const f of view.order) {
    const row = view.rows[f];
    const isHidden = !isWanted(view, row) || (--open < 0 && !row.element.classList.contains("banned"));
    if (row.element.hidden !== isHidden) row.element.hidden = isHidden;
  }
}

function newRow(choice, f, again) {
  const facts = choice.pairs.columns[f];
  const cells = { rank: make("td", { class: "number" }), adds: make("td", { class: "number" }), prefix: make("span"), other: make("bdi"), share: make("small") };
  const toggle = (key, text, hint) =>
    make("button", {
      type: "button", "aria-pressed": "false", "aria-label": `${text} ${facts.name}`, title: hint,
      onclick: () => {
        const was = choice[key].includes(f);
        for (const other of ["pinned", "banned"]) choice[other] = choice[other].filter((g) => g !== f);
        if (!was) choice[key].push(f);
        again();
      },
    }, text);
  const row = { name: facts.name, cells, pin: toggle("pinned", "Pin", "select it first"), ban: toggle("banned", "Ban", "leave it out") };
  row.note = make("small");
  const bdi = make("bdi", { title: facts.name.length > 40 ? facts.name : null }, ...breakable(facts.name));
  const card = choice.fit.cards[facts.name];
  const label = card ? make("a", { href: "#" + card }, bdi) : bdi;
  row.element = make(
    "tr", {}, cells.rank, make("th", { scope: "row" }, label, " ", row.note), aloneCell(choice.pairs, f), cells.adds,
    make("td", {}, cells.prefix, cells.other, " ", cells.share),
    ...optional(choice, "folds", facts.folds, percent), ...optional(choice, "q", facts.q, small),
    make("td", { class: "keep" }, row.pin, row.ban),
  );
  return row;
}

function optional(choice, key, value, shown) {
  if (!choice.pairs.columns.some((facts) => facts[key] !== null)) return [];
  return [make("td", { class: "number", "data-v": value }, value === null ? "" : shown(value))];
}

function aloneCell(pairs, f) {
  const share = pairs.target_entropy > 0 ? Math.max(pairs.relevance[f], 0) / pairs.target_entropy : 0;
  const { error, p } = pairs.columns[f];
  const known = `${bits(pairs.relevance[f])}${error === null ? "" : " ± " + bits(error)} of ${bits(pairs.target_entropy)} bits`;
  const bar = make("span", { class: "share" });
  bar.style.width = 100 * Math.min(share, 1) + "%";
  const rail = make("span", { class: "rail" }, bar);
  if (error !== null && pairs.target_entropy > 0) {
    const [low, high] = [-NINETY, NINETY].map((z) => Math.min(Math.max(pairs.relevance[f] + z * error, 0) / pairs.target_entropy, 1));
    const interval = make("span", { class: "between" });
    Object.assign(interval.style, { left: 100 * low + "%", width: 100 * (high - low) + "%" });
    rail.append(interval);
  }
  return make("td", { class: "alone", "data-v": known + (p === null ? "" : `, p = ${small(p)}`) }, rail, percent(share));
}

function copies(choice, view, again) {
  view.format = "List";
  view.formats = Object.keys(FORMATS).map((name) =>
    make("button", { type: "button", "aria-pressed": "false", onclick: () => ((view.format = name), again()) }, name),
  );
  view.code = make("code", { dir: "auto" });
  const pre = make("pre", { tabindex: 0, role: "region", "aria-label": "Selected columns to copy" }, view.code);
  const label = make("p", { class: "note" }, "Selected columns");
  return [make("div", { class: "formats", role: "group", "aria-label": "Copy as" }, ...view.formats), make("div", { class: "snippet" }, label, pre)];
}

// Show a choice everywhere on the page.
function show(choice, view) {
  const { fit, pairs } = choice;
  const path = pathOf(choice);
  choice.n = Math.max(Math.min(choice.n, path.length), choice.pinned.length, Math.min(fit.n, 1));
  const steps = path.slice(0, choice.n);
  const selected = steps.map((step) => step.column);
  Object.assign(view.slider, { max: path.length, value: choice.n });
  view.criterion.value = choice.criterion;
  view.number.textContent = choice.n;
  view.reset.hidden = isAsFitted(choice) && choice.n === fit.n;
  const order = [...path.map((step) => step.column)];
  for (let f = 0; f < pairs.n; f++) if (!order.includes(f)) order.push(f);
  order.forEach((f, place) => showRow(choice, view.rows[f], f, steps[place], selected.slice(0, place)));
  const isNew = String(view.order) !== String(order); // moving rows costs more than all else, and the slider moves none
  view.order = order;
  if (isNew) view.body.append(...order.map((f) => view.rows[f].element));
  reveal(view, view.n_shown);
  const names = selected.map((f) => pairs.columns[f].name);
  view.code.textContent = names.length ? FORMATS[view.format](names, choice) : "[]";
  view.formats.forEach((button) => button.setAttribute("aria-pressed", button.textContent === view.format));
  view.status.replaceChildren(...statusOf(choice, selected));
  showCards(choice, order, isNew);
  markCurves(isAsFitted(choice) ? choice.n : null);
}

// Change a text only if it differs: the browser lays out what was changed.
function write(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

// What to say of a column that adds no more than chance; one that is related to the target only adds nothing.
function doubtOf(step, q, isFirst) {
  if (!step?.isChance) return "";
  if (q !== null && q > 0.05) return "may be chance";
  return isFirst && q !== null ? "" : "may add nothing";
}

function showRow({ pairs, pinned, banned }, row, f, step, before) {
  const { cells } = row;
  const isBanned = banned.includes(f);
  const facts = pairs.columns[f];
  const added = step?.gain ?? addedBy(pairs, f, before);
  const candidates = isBanned ? [...pairs.columns.keys()].filter((g) => !banned.includes(g)) : before;
  const near = nearest(pairs, f, candidates);
  const notes = [facts.kind, facts.missing ? `${percent(facts.missing)} missing` : "", doubtOf(step, facts.q, !before.length)];
  const other = near.share < 0.005 ? "" : pairs.columns[near.column].name; // shown as 0 %
  row.element.className = step ? "" : isBanned ? "banned" : "quiet";
  row.pin.setAttribute("aria-pressed", pinned.includes(f));
  row.ban.setAttribute("aria-pressed", isBanned);
  write(cells.rank, step ? before.length + 1 : "");
  write(cells.adds, isBanned ? "" : bits(added));
  write(cells.prefix, isBanned && other ? "stand-in: " : "");
  write(cells.other, other);
  write(cells.share, other && percent(near.share));
  write(row.note, notes.filter(Boolean).join(", "));
}

// One sentence on the difference to the fit, and what is known of the score.
function statusOf(choice, selected) {
  const { fit, pairs } = choice;
  const fitted = fit.order.slice(0, fit.n);
  const listed = (columns) =>
    columns.slice(0, 5).flatMap((f, i) => [i ? ", " : "", make("bdi", {}, pairs.columns[f].name)]).concat(columns.length > 5 ? ` and ${columns.length - 5} more` : "");
  const entered = selected.filter((f) => !fitted.includes(f));
  const left = fitted.filter((f) => !selected.includes(f));
  const parts = [`${several(choice.n)}. `];
  if (isAsFitted(choice)) parts.push(...scoreOf(fit, choice.n));
  else parts.push("Not the choice of the fit, so held-out scores are not known for it. ");
  if (entered.length) parts.push("New: ", ...listed(entered), ". ");
  if (left.length) parts.push("Left out: ", ...listed(left), ". ");
  if (!entered.length && !left.length) parts.push(choice.n === fit.n ? "The same columns as selected by the fit. " : "");
  return parts;
}

function scoreOf({ evidence, explained }, n) {
  const parts = [];
  const at = evidence ? evidence.sizes.indexOf(n) : -1;
  if (at >= 0) parts.push(`${evidence.scoring}${evidence.model ? " of " + evidence.model : ""} on held-out rows ${evidence.scores[at].toFixed(3)}. `.replace(/^./, (first) => first.toUpperCase()));
  if (explained[n - 1]) parts.push(`${n === 1 ? "It explains" : "They explain"} at least ${percent(explained[n - 1])} of the target. `);
  return parts;
}

// Cards follow the order of the columns; those of columns left out come last and are marked.
function showCards(choice, order, isNew) {
  const cards = order.map((f) => document.getElementById(choice.fit.cards[choice.pairs.columns[f].name])).filter(Boolean);
  const selected = new Set(order.slice(0, choice.n).map((f) => choice.fit.cards[choice.pairs.columns[f].name]));
  for (const card of cards) {
    card.classList.toggle("left-out", !selected.has(card.id));
    if (isNew) card.parentElement.append(card);
  }
}

// A larger dot on the curves of the fit, at the number of columns or the next smaller one that was tried.
function markCurves(n) {
  for (const curve of document.querySelectorAll("#prediction .curve.c0, #stop .curve.c0")) {
    const dots = [...curve.querySelectorAll("circle[data-n]")];
    const reached = n === null ? [] : dots.filter((dot) => Number(dot.dataset.n) <= n);
    dots.forEach((dot) => dot.classList.toggle("now", dot === reached.at(-1)));
  }
}

document.querySelectorAll("[data-fit]").forEach(bringToLife);
