"use strict";
// The map of any two builds, drawn whenever one is picked.

(() => {
  const form = document.querySelector("form[data-maps]");
  const given = JSON.parse(document.getElementById("maps-facts").textContent);
  const figure = document.getElementById("picked-map");
  const says = document.querySelector("[data-says]");
  const SVG = "http://www.w3.org/2000/svg";
  const keyOf = (build) => `${build.algorithm}/${build.implementation} ${build.flags}`;
  const nameOf = (build) =>
    `${given.titles[build.algorithm]}${build.steady === false ? "†" : ""}`;
  const operation = () => form.elements.op.value;

  function make(tag, attributes, text) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  /** Cycles by "ad:m" of one build. */
  function cyclesOf(board, build) {
    const found = new Map();
    const own = build.ops[operation()];
    if (!own) return found;
    board.sets[own[0]].forEach((at, i) => {
      if (own[1][i]) found.set(board.pairs[at].join(":"), own[1][i]);
    });
    return found;
  }

  /** The pairs of lengths that both have and that form a grid, with their ratios. */
  function ratiosOf(board, one, other) {
    const [mine, theirs] = [cyclesOf(board, one), cyclesOf(board, other)];
    const found = [];
    const messages = new Map();
    for (const [pair, cycles] of mine) {
      if (!theirs.has(pair)) continue;
      const [ad, m] = pair.split(":").map(Number);
      found.push({ ad, m, ratio: theirs.get(pair) / cycles });
      messages.set(ad, (messages.get(ad) ?? 0) + 1);
    }
    return found.filter(({ ad }) => messages.get(ad) >= given.least);
  }

  const classOf = (ratio) =>
    given.classes.findIndex((each) => ratio >= each.least || each.least === 0);

  function sorted(values) {
    return [...new Set(values)].sort((a, b) => a - b);
  }

  /** As many of the values as there is room for, at even distances. */
  function some(values, most) {
    const step = Math.ceil(values.length / most);
    return values.filter((_, i) => i % step === 0);
  }

  function draw(ratios, one, other) {
    const narrow = matchMedia("(max-width: 640px)").matches;
    const [width, left, top] = narrow ? [358, 44, 34] : [560, 60, 34];
    const ads = sorted(ratios.map((each) => each.ad));
    const ms = sorted(ratios.map((each) => each.m));
    const plot = width - left - 12;
    const high = ads.length > 3 ? plot : 34 * ads.length;
    const [cellX, cellY] = [plot / ms.length, high / ads.length];
    const svg = make("svg", {
      viewBox: `0 0 ${width} ${top + high + 48}`,
      width,
      height: top + high + 48,
      role: "img",
      "aria-label": says.textContent,
    });
    svg.append(make("text", { x: 4, y: 16 }, "Associated data (bytes)"));
    for (const { ad, m, ratio } of ratios) {
      const number = classOf(ratio);
      const x = left + ms.indexOf(m) * cellX;
      const y = top + high - (ads.indexOf(ad) + 1) * cellY;
      const cell = make("rect", {
        x: x.toFixed(2),
        y: y.toFixed(2),
        width: (cellX + 0.3).toFixed(2),
        height: (cellY + 0.3).toFixed(2),
        "shape-rendering": "crispEdges",
        class: `class${number}`,
      });
      const winner = ratio >= 1 ? one : other;
      const factor = (ratio >= 1 ? ratio : 1 / ratio).toFixed(2);
      cell.append(make("title", {}, `${ad}:${m}: ${nameOf(winner)} ${factor} times as fast`));
      svg.append(cell);
      if (given.classes[number].other) {
        const r = (Math.min(cellX, cellY, 12) * 0.14).toFixed(2);
        svg.append(make("circle", { cx: x + cellX / 2, cy: y + cellY / 2, r }));
      }
    }
    for (const m of some(ms, narrow ? 5 : 8)) {
      const x = left + (ms.indexOf(m) + 0.5) * cellX;
      svg.append(make("text", { x, y: top + high + 16, class: "tick middle" }, m));
    }
    for (const ad of some(ads, 8)) {
      const y = top + high - (ads.indexOf(ad) + 0.5) * cellY + 4;
      svg.append(make("text", { x: left - 6, y, class: "tick end" }, ad));
    }
    const middle = left + plot / 2;
    svg.append(make("text", { x: middle, y: top + high + 36, class: "middle" },
      "Message length (bytes)"));
    return svg;
  }

  function legend(one, other) {
    const list = document.createElement("dl");
    list.className = "legend";
    given.classes.forEach((each, number) => {
      if (number === 0 || number === given.classes.length / 2) {
        const head = document.createElement("dt");
        head.textContent = `${nameOf(each.other ? other : one)} is faster`;
        list.append(head);
      }
      const line = document.createElement("dd");
      const box = make("svg", { width: 22, height: 14, viewBox: "0 0 22 14", "aria-hidden": true });
      box.append(make("rect", { width: 22, height: 14, class: `class${number}` }));
      if (each.other) box.append(make("circle", { cx: 11, cy: 7, r: 1.7 }));
      line.append(box, ` ${each.words}`);
      list.append(line);
    });
    return list;
  }

  function show(board) {
    const find = (key) => board.builds.find((build) => keyOf(build) === key);
    const [one, other] = [find(form.elements.one.value), find(form.elements.other.value)];
    if (!one || !other) return;
    const ratios = ratiosOf(board, one, other);
    if (!ratios.length) {
      says.textContent = "These builds were not measured at the same lengths.";
      figure.replaceChildren();
      return;
    }
    const won = ratios.filter(({ ratio }) => ratio > 1).length;
    const sum = ratios.reduce((total, { ratio }) => total + Math.log(ratio), 0);
    const mean = Math.exp(sum / ratios.length).toPrecision(3);
    says.textContent =
      `${nameOf(one)} (${one.implementation} ${one.flags}) is faster than ${nameOf(other)} ` +
      `(${other.implementation} ${other.flags}) at ${won.toLocaleString("en")} of ` +
      `${ratios.length.toLocaleString("en")} pairs of lengths on the ${board.title}, ` +
      `and ${mean} times as fast in the geometric mean.`;
    figure.replaceChildren(draw(ratios, one, other), legend(one, other));
  }

  function fill(select, board, chosen) {
    const before = select.value;
    select.replaceChildren();
    let group = null;
    for (const build of board.builds) {
      if (!build.ops[operation()] || build.shares) continue;
      if (group?.dataset.name !== build.algorithm) {
        group = document.createElement("optgroup");
        group.label = given.titles[build.algorithm];
        group.dataset.name = build.algorithm;
        select.append(group);
      }
      const mark = build.steady === false ? "†" : "";
      const text = `${given.titles[build.algorithm]}, ${build.implementation}${mark} ${build.flags}`;
      group.append(new Option(text, keyOf(build)));
    }
    select.value = before;
    if (select.selectedIndex < 0) select.value = chosen;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
  }

  function update(event) {
    const id = form.elements.board.value;
    pennyweightAdvice.load(id, (board) => {
      if (form.elements.board.value !== id) return;
      if (!["one", "other"].includes(event?.target.name)) {
        const [one, other] = given.pairs[id];
        fill(form.elements.one, board, one);
        fill(form.elements.other, board, other);
      }
      show(board);
    });
  }

  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.querySelector("[data-swap]").addEventListener("click", () => {
    const [one, other] = [form.elements.one.value, form.elements.other.value];
    form.elements.one.value = other;
    form.elements.other.value = one;
    update({ target: form.elements.one });
  });
  matchMedia("(max-width: 640px)").addEventListener("change", () =>
    update({ target: form.elements.one }),
  );
  for (const each of document.querySelectorAll("[data-scripted]")) each.hidden = false;
  update();
})();
