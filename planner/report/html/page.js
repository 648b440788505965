"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  root.classList.add("scripted");

  // Light or dark: what the reader's system says, until they choose.
  const system = matchMedia("(prefers-color-scheme: dark)");
  try { root.dataset.theme = localStorage.getItem("planner-theme") ?? ""; } catch { /* nothing is stored then */ }
  const isDark = () => (root.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  const name = () => { byId("theme").textContent = isDark() ? "Light" : "Dark"; };
  byId("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("planner-theme", root.dataset.theme); } catch { /* for this visit only */ }
    name();
  });
  system.addEventListener("change", name);
  name();

  const save = (name, type, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  // A spreadsheet takes text that starts like this for a formula; an apostrophe makes it text.
  const field = (value) => {
    if (value === null || value === undefined) return "";
    let text = String(value);
    if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = "'" + text;
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const csv = (columns, rows) => [columns, ...rows].map((row) => row.map(field).join(",")).join("\n") + "\n";

  // Programs that draw do not know CSS variables: the saved picture has its colours as such.
  const light = (css) => {
    const colours = new Map(Array.from(css.matchAll(/(--\w+): light-dark\((#\w+),/g), (m) => [m[1], m[2]]));
    return "svg { background: #ffffff; }\n" +
      css.slice(css.indexOf("svg.chart {")).replace(/var\((--\w+)\)/g, (_, colour) => colours.get(colour));
  };

  let numbers = null;
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { svg, csv: data } = button.dataset;
    if (svg) {
      const copy = byId(svg).cloneNode(true);
      const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
      style.textContent = light(byId("chart-style").textContent);
      copy.insertBefore(style, copy.firstChild);
      const [, , width, height] = copy.getAttribute("viewBox").split(" ");
      copy.setAttribute("width", width);
      copy.setAttribute("height", height);
      save(svg + ".svg", "image/svg+xml", new XMLSerializer().serializeToString(copy));
    } else if (data) {
      numbers ??= JSON.parse(byId("figures-data").textContent);
      save(data + ".csv", "text/csv", csv(numbers[data].columns, numbers[data].rows));
    }
  });

  const table = byId("table");
  if (!table) return;

  const start = () => {
    const { page: size, rows, columns } = JSON.parse(byId("cells-data").textContent);
    for (const column of columns) {
      if (column.texts) column.lower = column.texts.map((text) => text.toLowerCase());
    }
    const named = (name) => columns.find((column) => column.name === name);
    let order = Uint32Array.from({ length: rows }, (_, row) => row);
    let found = order;
    let page = 0;
    let sorted = null;
    let descending = false;

    const shown = (column, row) => {
      if (column.texts) return column.texts[column.places[row]];
      const value = column.numbers[row];
      if (value === null) return "";
      if (!column.share) return String(Number(value.toPrecision(6)));
      return value > 0 && value < 0.00005 ? "<0.01 %" : (value * 100).toFixed(2) + " %";
    };

    const draw = () => {
      const pages = Math.max(1, Math.ceil(found.length / size));
      page = Math.min(page, pages - 1);
      const body = document.createElement("tbody");
      for (const row of found.subarray(page * size, (page + 1) * size)) {
        const line = body.insertRow();
        for (const column of columns) {
          const cell = line.insertCell();
          cell.textContent = shown(column, row);
          if (column.numbers) cell.className = "number";
        }
      }
      table.tBodies[0].replaceWith(body);
      const of = found.length === rows ? "" : ` of ${rows.toLocaleString("en")}`;
      byId("shown").textContent = `${found.length.toLocaleString("en")}${of} cells`;
      byId("page").textContent = `page ${page + 1} of ${pages}`;
      byId("before").disabled = page === 0;
      byId("after").disabled = page === pages - 1;
    };

    const filter = () => {
      const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
      const texts = columns.filter((column) => column.texts);
      // Each different text is searched once; then every row only looks its places up.
      const hits = words.map((word) => texts.map((column) => column.lower.map((text) => text.includes(word))));
      const chosenOf = (id) => {
        const value = byId(id).value;
        return value === "" ? -1 : Number(value);
      };
      const solver = chosenOf("only-solver"), status = chosenOf("only-status");
      const solvers = named("solver").places, statuses = named("status").places;
      const places = texts.map((column) => column.places);
      found = order.filter((row) => {
        if (solver >= 0 && solvers[row] !== solver) return false;
        if (status >= 0 && statuses[row] !== status) return false;
        for (const hit of hits) {
          let any = false;
          for (let i = 0; i < places.length && !any; i++) any = hit[i][places[i][row]];
          if (!any) return false;
        }
        return true;
      });
      page = 0;
      draw();
    };

    const sort = (index) => {
      const column = columns[index];
      descending = sorted === index ? !descending : false;
      sorted = index;
      let key = column.numbers;
      if (column.texts) {
        const ranks = [];
        const compare = new Intl.Collator("en", { numeric: true }).compare;
        column.texts.map((_, i) => i).sort((a, b) => compare(column.texts[a], column.texts[b]))
          .forEach((place, rank) => { ranks[place] = rank; });
        key = column.places.map((place) => (column.texts[place] === "" ? null : ranks[place]));
      }
      const sign = descending ? -1 : 1;
      // What does not exist stands last either way; equal cells keep the order of the file.
      order = Uint32Array.from({ length: rows }, (_, row) => row).sort((a, b) => {
        const x = key[a], y = key[b];
        if (x === y) return a - b;
        if (x === null) return 1;
        if (y === null) return -1;
        return sign * (x - y);
      });
      [...table.tHead.rows[0].cells].forEach((cell, at) => {
        if (at === index) cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
        else cell.removeAttribute("aria-sort");
      });
      filter();
    };

    [...table.tHead.rows[0].cells].forEach((cell, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = cell.textContent;
      button.addEventListener("click", () => sort(index));
      cell.replaceChildren(button);
    });
    for (const name of ["solver", "status"]) {
      named(name).texts.forEach((text, place) => byId("only-" + name).add(new Option(text, place)));
      byId("only-" + name).addEventListener("change", filter);
    }
    byId("find").addEventListener("input", filter);
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    byId("before").addEventListener("click", () => { page--; draw(); });
    byId("after").addEventListener("click", () => { page++; draw(); });
    byId("save-rows").addEventListener("click", () => {
      const rowsOf = Array.from(found, (row) =>
        columns.map((column) => (column.texts ? column.texts[column.places[row]] : column.numbers[row])));
      save("cells.csv", "text/csv", csv(columns.map((column) => column.name), rowsOf));
    });
    draw();
    root.dataset.ready = "true";
  };
  requestAnimationFrame(() => setTimeout(start));
})();
