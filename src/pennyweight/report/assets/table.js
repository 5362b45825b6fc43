"use strict";
// Tables that sort, filter, load their other rows when asked, and show one column of many.
// Without this script they are readable, in the order given.

(() => {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const waiting = new Map();

  const isNumber = (cell) => cell.dataset.value !== undefined || cell.classList.contains("number");

  /** The value by which a cell is sorted: a number where the column has numbers; null sorts last. */
  function valueOf(cell) {
    if (!isNumber(cell)) return cell.textContent.trim();
    const raw = cell.dataset.value ?? cell.firstChild.textContent.replaceAll(",", "");
    return raw === "" ? null : Number(raw);
  }

  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "number" ? a - b : collator.compare(a, b));
  }

  const headsOf = (table) => [...table.tHead.rows[0].cells];

  function sort(table, index, direction) {
    const body = table.tBodies[0];
    const sign = direction === "ascending" ? 1 : -1;
    const rows = [...body.rows].map((row) => [valueOf(row.cells[index]), row]);
    rows.sort(([a], [b]) => compare(a, b, sign));
    body.append(...rows.map(([, row]) => row));
    headsOf(table).forEach((head, i) => {
      if (i === index) head.setAttribute("aria-sort", direction);
      else head.removeAttribute("aria-sort");
    });
  }

  function sortAgain(table) {
    const index = headsOf(table).findIndex((head) => head.hasAttribute("aria-sort"));
    if (index >= 0) sort(table, index, headsOf(table)[index].getAttribute("aria-sort"));
  }

  /** Puts a button into each heading, so that sorting works by pointer and by keyboard. */
  function makeSortable(table) {
    headsOf(table).forEach((head, index) => {
      const label = head.querySelector(".head");
      const unit = head.querySelector("small");
      const button = document.createElement("button");
      button.type = "button";
      button.append(...label.childNodes);
      if (!button.textContent) {
        button.append(unit.textContent);
        unit.remove();
      }
      label.replaceWith(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        sort(table, index, now === "ascending" ? "descending" : "ascending");
      });
    });
  }

  /** A row of the page from the content of a file of rows: per cell text, value, link, small print. */
  function makeRow(cells, heads) {
    const row = document.createElement("tr");
    cells.forEach(([text, value, href, small], index) => {
      const cell = document.createElement(index === 0 ? "th" : "td");
      if (index === 0) cell.scope = "row";
      if (heads[index].classList.contains("number")) {
        cell.className = "number";
        cell.dataset.value = value ?? "";
      }
      if (href) {
        const link = document.createElement("a");
        link.href = href;
        link.textContent = text;
        cell.append(link);
      } else {
        cell.append(text);
      }
      if (small) {
        const below = document.createElement("small");
        below.textContent = small;
        cell.append(" ", below);
      }
      row.append(cell);
    });
    return row;
  }

  /** Adds the rows that the page does not hold, once; calls back when they are loaded. */
  function load(section, table, then) {
    const source = section.dataset.rows;
    if (!source) return then();
    delete section.dataset.rows;
    waiting.set(section.id, (rows) => {
      const heads = headsOf(table);
      table.tBodies[0].append(...rows.map((cells) => makeRow(cells, heads)));
      sortAgain(table);
      then();
    });
    const script = document.createElement("script");
    script.src = source;
    document.head.append(script);
    return undefined;
  }

  globalThis.pennyweightRows = (id, rows) => {
    waiting.get(id)?.(rows);
    waiting.delete(id);
  };

  /** Shows the rows that contain every word of the filter, and only the best if that is asked. */
  function makeFilterable(section, table) {
    const filter = section.querySelector("[data-filter]");
    if (!filter) return;
    const best = section.querySelector("[data-best]");
    const count = section.querySelector("[data-count]");
    const texts = new Map();
    const textOf = (row) => {
      if (!texts.has(row)) {
        const cells = [...row.cells].map((cell) => cell.textContent.trim());
        texts.set(row, cells.join(" ").toLowerCase());
      }
      return texts.get(row);
    };
    const apply = () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const rows = [...table.tBodies[0].rows];
      const total = Number(section.dataset.total ?? rows.length);
      let shown = 0;
      for (const row of rows) {
        const matches = words.every((word) => textOf(row).includes(word));
        row.hidden = !matches || Boolean(best?.checked && !("best" in row.dataset));
        if (!row.hidden) shown += 1;
      }
      const all = total.toLocaleString("en");
      count.textContent = shown === total ? `${all} rows` : `${shown} of ${all} rows`;
    };
    filter.addEventListener("input", apply);
    best?.addEventListener("change", () => (best.checked ? apply() : load(section, table, apply)));
    apply();
  }

  /** On a phone, shows the first column and one that the reader chooses. */
  function makeChoosable(section, table) {
    const choice = section.querySelector("[data-column]");
    if (!choice) return;
    const small = matchMedia("(max-width: 640px)");
    const apply = () => {
      const chosen = choice.value === "" ? null : Number(choice.value);
      for (const row of [table.tHead.rows[0], ...table.tBodies[0].rows]) {
        [...row.cells].forEach((cell, i) => {
          cell.hidden = i > 0 && chosen !== null && i !== chosen;
        });
      }
      if (chosen !== null) sort(table, chosen, "ascending");
      table.classList.toggle("single", chosen !== null);
    };
    const adapt = () => {
      if (headsOf(table).length < 3) return;
      choice.value = small.matches ? "1" : "";
      apply();
    };
    choice.addEventListener("change", apply);
    small.addEventListener("change", adapt);
    if (small.matches) adapt();
  }

  const plain = (text) => text.replaceAll("\u00ad", "").replaceAll("\u2011", "-").trim();
  const words = (node) => plain(node.textContent.replace(/\s+/g, " "));

  /** What a table shows: headings with units, and cells as text or as numbers, without hidden ones. */
  function shownOf(section, table) {
    const heads = headsOf(table);
    const note = section.querySelector("[data-footnote]:not([hidden])");
    const places = heads.map((_, i) => i).filter((i) => !heads[i].hidden);
    const titles = places.map((i) => words(heads[i]).replace(/[\s\u00a0]*[↕↑↓]/g, ""));
    const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
    return {
      heads: places.map((i) => heads[i]),
      titles,
      rows: rows.map((row) => places.map((i) => row.cells[i])),
      footnote: note ? words(note) : "",
    };
  }

  const mainText = (cell) => {
    const copy = cell.cloneNode(true);
    for (const small of copy.querySelectorAll("small")) small.remove();
    return words(copy);
  };

  /** The small text below a cell; in the first cell, the build of the row. */
  const below = (cell) => [...cell.querySelectorAll("small")].map(words).join(" ");
  const withBelow = (cell) => mainText(cell) + (below(cell) && ` (${below(cell)})`);

  /** Titles and values of a table for programs: the small text below has its own column. */
  function fieldsOf({ titles, rows }, i) {
    const value = (cell) => (isNumber(cell) ? valueOf(cell) : mainText(cell));
    const found = [[titles[i], value]];
    if (rows.some((row) => below(row[i]))) {
      found.push([i === 0 ? "Build" : `${titles[i]}, note`, below]);
    }
    return found.map(([title, read]) => [title, (row) => read(row[i])]);
  }
  const allFields = (shown) => shown.titles.flatMap((_, i) => fieldsOf(shown, i));

  const TEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
  const SIGNS = { "–": "--", "†": "\\dag{}", "×": "$\\times$", "µ": "\\textmu{}" };
  const escapeTex = (text) =>
    text
      .replace(/[\\~^]|[&%$#_{}]/g, (each) => TEX[each] ?? `\\${each}`)
      .replace(/[–†×µ]/g, (each) => SIGNS[each]);

  const FORMATS = {
    csv(shown) {
      const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      const line = (cells) => cells.map((each) => quoted(String(each ?? ""))).join(",");
      const fields = allFields(shown);
      const lines = shown.rows.map((row) => line(fields.map(([, read]) => read(row))));
      return [line(fields.map(([title]) => title)), ...lines].join("\n");
    },
    md({ heads, titles, rows, footnote }) {
      const line = (cells) => `| ${cells.map((each) => each.replaceAll("|", "\\|")).join(" | ")} |`;
      const rule = heads.map((head) => (head.classList.contains("number") ? "---:" : "---"));
      const lines = [line(titles), line(rule), ...rows.map((row) => line(row.map(withBelow)))];
      return [...lines, ...(footnote ? ["", footnote] : [])].join("\n");
    },
    tex({ heads, titles, rows, footnote }) {
      const line = (cells) => `${cells.map(escapeTex).join(" & ")} \\\\`;
      const columns = heads.map((head) => (head.classList.contains("number") ? "r" : "l")).join("");
      return [
        "% needs \\usepackage{booktabs}",
        `\\begin{tabular}{${columns}}`,
        "\\toprule",
        line(titles),
        "\\midrule",
        ...rows.map((row) => line(row.map(withBelow))),
        "\\bottomrule",
        "\\end{tabular}",
        ...(footnote ? [`\\par\\smallskip{\\footnotesize ${escapeTex(footnote)}}`] : []),
      ].join("\n");
    },
    json(shown) {
      const fields = allFields(shown);
      const records = shown.rows.map((row) =>
        Object.fromEntries(fields.map(([title, read]) => [title, read(row)])),
      );
      return JSON.stringify(records, null, 1);
    },
  };

  /** Saves the shown rows as a file, without a request to a server. */
  function makeSavable(section, table) {
    const save = section.querySelector("[data-save]");
    if (!save) return;
    save.hidden = false;
    save.addEventListener("click", (event) => {
      const format = event.target.closest("button")?.value;
      if (!format) return;
      const text = `${FORMATS[format](shownOf(section, table))}\n`;
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
      link.download = `${section.id}.${format}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  }

  for (const section of document.querySelectorAll("section.table")) {
    const table = section.querySelector("table[data-sortable]");
    makeSortable(table);
    makeFilterable(section, table);
    makeChoosable(section, table);
    makeSavable(section, table);
    const controls = section.querySelector(".controls");
    if (controls) controls.hidden = false;
  }
})();
