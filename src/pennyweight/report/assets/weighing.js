// Figures that follow from weights: sliders change the weights, the table its numbers and order.
"use strict";

/** Three significant digits, never in powers of ten. */
const written = (value) => {
  if (value === 0) return "0";
  const digits = value.toPrecision(3);
  return value < 999.5 ? digits : Number(digits).toLocaleString("en");
};

for (const form of document.querySelectorAll("form[data-weighing]")) {
  const values = JSON.parse(document.getElementById(form.id + "-values").textContent);
  const body = document.querySelector("#" + CSS.escape(form.dataset.weighing) + " tbody");
  const lines = [...body.rows].map((row, i) => ({ row, own: values.rows[i] }));
  const weights = () =>
    [...form.querySelectorAll("input[data-metric]")].map((i) => [i.dataset.metric, +i.value]);

  const figure = (boards, chosen) => {
    const parts = Object.values(boards);
    const sums = parts.map((p) => chosen.reduce((sum, [metric, w]) => sum + w * p[metric], 0));
    return sums.reduce((a, b) => a + b, 0) / parts.length;
  };

  const show = () => {
    const chosen = weights();
    for (const line of lines) {
      line.own.forEach((boards, i) => {
        const cell = line.row.cells[i + 1];
        if (!boards) return;
        const value = figure(boards, chosen);
        cell.dataset.value = value;
        cell.textContent = written(value);
      });
      const known = line.own.filter(Boolean).map((boards) => figure(boards, chosen));
      line.mean = known.length ? known.reduce((a, b) => a + b, 0) / known.length : Infinity;
    }
    lines.sort((a, b) => a.mean - b.mean).forEach((line) => body.append(line.row));
    for (const head of body.parentNode.querySelectorAll("th[aria-sort]")) {
      head.removeAttribute("aria-sort");
    }
  };

  form.addEventListener("input", (event) => {
    const out = event.target.parentNode.querySelector(".weight");
    if (out) out.textContent = (+event.target.value).toString();
    show();
  });
  form.addEventListener("reset", () =>
    setTimeout(() => {
      for (const input of form.querySelectorAll("input[data-metric]")) {
        input.parentNode.querySelector(".weight").textContent = (+input.value).toString();
      }
      show();
    })
  );
  form.hidden = false;
}
