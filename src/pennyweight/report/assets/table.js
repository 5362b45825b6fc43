"use strict";
// Tables that sort and filter. Without this script they are readable, in the order given.

(() => {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  /** The value by which a cell is sorted: a number where the column has numbers; null sorts last. */
  function valueOf(cell) {
    const raw = cell.dataset.value;
    if (raw === undefined) return cell.textContent.trim();
    return raw === "" ? null : Number(raw);
  }

  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "number" ? a - b : collator.compare(a, b));
  }

  function sort(table, index, direction) {
    const body = table.tBodies[0];
    const sign = direction === "ascending" ? 1 : -1;
    const rows = [...body.rows].map((row) => [valueOf(row.cells[index]), row]);
    rows.sort(([a], [b]) => compare(a, b, sign));
    body.append(...rows.map(([, row]) => row));
    [...table.tHead.rows[0].cells].forEach((head, i) => {
      if (i === index) head.setAttribute("aria-sort", direction);
      else head.removeAttribute("aria-sort");
    });
  }

  /** Puts a button into each heading, so that sorting works by pointer and by keyboard. */
  function makeSortable(table) {
    [...table.tHead.rows[0].cells].forEach((head, index) => {
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

  /** Shows the rows that contain every word of the filter, and only the best if that is asked. */
  function makeFilterable(section, table) {
    const controls = section.querySelector(".controls");
    if (!controls) return;
    const filter = controls.querySelector("[data-filter]");
    const best = controls.querySelector("[data-best]");
    const count = controls.querySelector("[data-count]");
    const texts = new Map(
      [...table.tBodies[0].rows].map((row) => [
        row,
        [...row.cells].map((cell) => cell.textContent.trim()).join(" ").toLowerCase(),
      ]),
    );
    const apply = () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const [row, text] of texts) {
        const matches = words.every((word) => text.includes(word));
        row.hidden = !matches || Boolean(best && best.checked && !("best" in row.dataset));
        if (!row.hidden) shown += 1;
      }
      count.textContent = shown === texts.size ? `${shown} rows` : `${shown} of ${texts.size} rows`;
    };
    filter.addEventListener("input", apply);
    if (best) best.addEventListener("change", apply);
    controls.hidden = false;
    apply();
  }

  for (const section of document.querySelectorAll("section.table")) {
    const table = section.querySelector("table[data-sortable]");
    makeSortable(table);
    makeFilterable(section, table);
  }
})();
