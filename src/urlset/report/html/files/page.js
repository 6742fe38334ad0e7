// Behavior of the page: the theme, localized dates and numbers, and sortable tables.
// Untrusted text is inserted as text, never as markup.
"use strict";

const ROWS_AT_ONCE = 50;
const SEVERITIES = ["error", "warning", "info", "hint"];
const data = JSON.parse(document.getElementById("data").textContent);
const numbers = new Intl.NumberFormat();
const texts = new Intl.Collator(undefined, { numeric: true });

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// The theme: auto (the system's), light, or dark. The choice is stored if the browser allows it.
function setUpTheme() {
  const button = document.getElementById("theme");
  const themes = ["auto", "light", "dark"];
  const show = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.querySelector("span").textContent = theme;
  };
  const kept = (theme) => {
    try {
      if (theme) localStorage.setItem("urlset-theme", theme);
      return localStorage.getItem("urlset-theme");
    } catch {
      return null; // Browsers may deny storage to a local file; the theme then follows the system.
    }
  };
  const before = kept();
  show(themes.includes(before) ? before : "auto");
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length];
    show(next);
    kept(next);
  });
}

// Dates in the reader's language and time zone; the title keeps the exact instant.
function localizeDates() {
  const days = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });
  for (const time of document.querySelectorAll("time")) {
    const instant = new Date(time.dateTime);
    if (Number.isNaN(instant.getTime())) continue;
    time.title = time.textContent;
    time.textContent = days.format(instant);
  }
}

// The path of a URL on the origin that the page names once; any other text as it is.
function withoutHome(url) {
  const { home } = data;
  return home && url.startsWith(`${home}/`) && url.length > home.length + 1 ? url.slice(home.length) : url;
}

// Text in which http(s) URLs are links. A shortened or escaped URL is not a link.
function linked(text) {
  return text.split(/(https?:\/\/[^\s<>"“”'`…\\]*[^\s<>"“”'`….,:;!?\\](?![^\s<>"“”'`]*[…\\]))/i).flatMap((piece, place) => place % 2
    ? [element("a", { className: "url", href: piece, rel: "noopener noreferrer nofollow", target: "_blank", title: withoutHome(piece) === piece ? "" : piece }, ...breakable(withoutHome(piece)))]
    : breakable(piece));
}

// Text with line break opportunities after slashes.
function breakable(text) {
  return text.split(/(?<=[^/]\/)(?=[^/])/).flatMap((piece, place) => (place ? [element("wbr"), piece] : [piece]));
}

function size(bytes) {
  let amount = bytes;
  let unit = "B";
  for (const larger of ["KiB", "MiB", "GiB", "TiB"]) {
    if (amount < 1024) break;
    amount /= 1024;
    unit = larger;
  }
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: amount < 10 ? 1 : 0 }).format(amount)} ${unit}`;
}

function day(text) {
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return text;
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }).format(date);
}

// A table with sorting, filtering, and pagination. A row is {cells, words, severity, reason}.
class Table {
  constructor(holder, rows, total, noun) {
    this.holder = holder;
    this.rows = rows;
    this.shown = rows;
    this.at = 0;
    this.columns = [...holder.querySelectorAll("thead th")];
    this.body = holder.querySelector("tbody");
    this.status = holder.querySelector("[data-status]");
    this.search = holder.querySelector("input[type=search]");
    this.boxes = [...holder.querySelectorAll("input[name=severity]")];
    this.reason = holder.querySelector("select[name=reason]");
    this.reason?.addEventListener("change", () => this.filter());
    holder.querySelector("[data-kept]").textContent = total > rows.length
      ? `This page contains ${numbers.format(rows.length)} of ${numbers.format(total)} ${noun}; the counts above include all of them.`
      : "";
    this.columns.forEach((column, place) => this.makeSortable(column, place));
    this.search.addEventListener("input", () => this.filter());
    this.boxes.forEach((box) => box.addEventListener("change", () => this.filter()));
    for (const button of holder.querySelectorAll("button[data-page]")) {
      button.addEventListener("click", () => this.turn(button.dataset.page));
    }
    holder.querySelector(".buttons").hidden = rows.length <= ROWS_AT_ONCE;
    holder.hidden = false;
    this.draw();
  }

  makeSortable(column, place) {
    const button = element("button", { type: "button", textContent: column.textContent });
    column.replaceChildren(button);
    column.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      // Numbers start in descending order and text in ascending order; another click reverses the order.
      const now = column.getAttribute("aria-sort");
      const descends = now === "none" ? column.dataset.sort === "number" : now === "ascending";
      this.columns.forEach((one) => one.setAttribute("aria-sort", "none"));
      column.setAttribute("aria-sort", descends ? "descending" : "ascending");
      this.sort(place, column.dataset.sort, descends ? -1 : 1);
    });
  }

  sort(place, kind, sign) {
    const by = {
      number: (a, b) => a - b,
      severity: (a, b) => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b),
      text: (a, b) => texts.compare(a, b),
    }[kind];
    // Missing values come last in either order.
    this.rows.sort((one, other) => {
      const [a, b] = [one.cells[place], other.cells[place]];
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * by(a, b);
    });
    this.filter();
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const severities = new Set(this.boxes.filter((box) => box.checked).map((box) => box.value));
    this.shown = this.rows.filter((row) => {
      if (this.boxes.length && !severities.has(row.severity)) return false;
      if (this.reason?.value && row.reason !== this.reason.value) return false;
      if (!words.length) return true;
      row.words ??= [...row.cells, row.value].filter((cell) => cell !== null).join(" ").toLowerCase();
      return words.every((word) => row.words.includes(word));
    });
    this.at = 0;
    this.draw();
  }

  turn(where) {
    if (this.holder.querySelector(`button[data-page=${where}]`).getAttribute("aria-disabled") === "true") return;
    const last = Math.max(0, Math.ceil(this.shown.length / ROWS_AT_ONCE) - 1);
    this.at = { first: 0, previous: Math.max(0, this.at - 1), next: Math.min(last, this.at + 1), last }[where];
    this.draw();
  }

  draw() {
    const begin = this.at * ROWS_AT_ONCE;
    const rows = this.shown.slice(begin, begin + ROWS_AT_ONCE);
    this.body.replaceChildren(...rows.map((row) => element("tr", {}, ...this.columns.map((column, place) => this.cell(column, row.cells[place], row)))));
    const end = begin + rows.length;
    const of = this.shown.length === this.rows.length ? "" : `, filtered from ${numbers.format(this.rows.length)}`;
    this.status.textContent = rows.length
      ? `${numbers.format(begin + 1)} to ${numbers.format(end)} of ${numbers.format(this.shown.length)}${of}`
      : `no rows${of}`;
    for (const button of this.holder.querySelectorAll("button[data-page]")) {
      const back = button.dataset.page === "first" || button.dataset.page === "previous";
      // `disabled` would remove the focus from the button.
      button.setAttribute("aria-disabled", back ? this.at === 0 : end >= this.shown.length);
    }
  }

  cell(column, value, row) {
    const cell = element("td", { className: column.className });
    if (value === null) return cell;
    if (column !== this.columns[0]) cell.dataset.label = column.textContent === "URL" ? "URL" : column.textContent.toLowerCase();
    if (column.dataset.sort === "severity") {
      cell.append(element("span", { className: `tag ${value}`, textContent: value }));
    } else if (column.dataset.format === "reason") {
      delete cell.dataset.label;
      cell.className = "why";
      cell.append(element("span", { className: `tag ${row.severity}`, textContent: value }));
      if (row.value !== null) cell.append(" ", element("span", { className: "faint" }, `${row.named} `), ...linked(row.value));
      cell.append(element("small", {}, ...row.fix.split("`").map((piece, place) => (place % 2 ? element("code", { textContent: piece }) : piece))));
    } else if (column.dataset.format === "bytes") {
      cell.textContent = size(value);
      cell.title = `${numbers.format(value)} bytes`;
    } else if (column.dataset.format === "date") {
      cell.textContent = day(value);
    } else if (column.dataset.sort === "number") {
      cell.textContent = numbers.format(value);
      if (column.dataset.bar !== undefined) cell.append(this.bar(column, value));
    } else {
      cell.className = value.length > 16 ? "wide" : "";
      cell.append(...linked(value.length > 300 ? `${value.slice(0, 200)}…${value.slice(-60)}` : value));
      if (value.length > 300) cell.title = `${numbers.format(value.length)} characters`;
    }
    return cell;
  }

  bar(column, value) {
    const place = this.columns.indexOf(column);
    this.most ??= {};
    this.most[place] ??= this.rows.reduce((most, row) => Math.max(most, row.cells[place] ?? 0), 1);
    const make = (name, attributes, ...children) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, one] of Object.entries(attributes)) made.setAttribute(key, one);
      made.append(...children);
      return made;
    };
    const width = value ? Math.max(1, (100 * value) / this.most[place]) : 0;
    return make("svg", { class: "across", width: "100%", height: 4, "aria-hidden": "true" },
      make("rect", { class: `bar ${column.dataset.bar}`, x: `${100 - width}%`, width: `${width}%`, height: 4 }));
  }
}

function setUpTables() {
  const places = document.querySelector("[data-table=places]");
  if (places) {
    const { rules, documents, rows, total } = data.places;
    const made = rows.map(([rule, document, line, url, message]) => {
      const [code, name, severity] = rules[rule];
      // Many messages start with the URL, which has its own column.
      const said = url && message.startsWith(`${url} `) ? message.slice(url.length + 1) : message;
      return { severity, cells: [severity, `${code} ${name}`, documents[document], line, url, said] };
    });
    new Table(places, made, total, "places");
  }
  const pages = document.querySelector("[data-table=pages]");
  if (pages) {
    const { reasons, documents, rows, total } = data.pages;
    const made = rows.map(([reason, url, value, listing, line]) => {
      const [name, words, named, isKnown, fix] = reasons[reason];
      return { reason: name, severity: isKnown ? "error" : "warning", named, value, fix, cells: [url, words, documents[listing], line] };
    });
    new Table(pages, made, total, "pages");
  }
  const documents = document.querySelector("[data-table=documents]");
  if (documents) {
    new Table(documents, data.documents.rows.map((cells) => ({ cells })), data.documents.total, "documents");
  }
}

// Open the details that a link targets, and all details for printing.
function setUpDetails() {
  const open = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const own = target.querySelector(":scope > details.fold");
    for (let one = own ?? target; one; one = one.parentElement) {
      if (one instanceof HTMLDetailsElement) one.open = true;
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
  // A second click on the same link changes no hash.
  document.addEventListener("click", (event) => {
    if (event.target.closest?.('a[href^="#"]')?.hash === location.hash) open();
  });
  const button = document.getElementById("expand");
  button.hidden = document.querySelectorAll("main details").length < 2;
  button.addEventListener("click", () => {
    const all = [...document.querySelectorAll("main details")];
    const opens = all.some((one) => !one.open);
    all.forEach((one) => { one.open = opens; });
    button.textContent = opens ? "Collapse all" : "Expand all";
  });
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((one) => { one.open = false; }));
}

// A table that is wider than the page says so.
function setUpScrolling() {
  const watch = new ResizeObserver((entries) => entries.forEach(({ target }) => {
    const table = target.querySelector("table");
    target.classList.toggle("overflows", table.offsetWidth > target.clientWidth + 2);
  }));
  document.querySelectorAll(".scroll").forEach((one) => watch.observe(one));
}

setUpTheme();
localizeDates();
setUpTables();
setUpDetails();
setUpScrolling();
