"use strict";
// The page that ranks algorithms for the reader's message lengths and limits.

(() => {
  const form = document.querySelector("form[data-choose]");
  const facts = JSON.parse(document.getElementById("choose-algorithms").textContent);
  const body = document.querySelector("#choice tbody");
  const out = document.querySelector("#left-out ul");
  const byStatus = document.querySelector("[data-by-status]");
  const boxes = [...form.querySelectorAll("input[name=status]")];
  const attacks = document.querySelector("[data-attacks]");
  const says = document.querySelector("[data-says]");
  const daggerNote = document.querySelector("#choice [data-footnote]");
  const command = document.querySelector("[data-command]");
  const OPS = {
    aead: { first: ["enc"], second: ["dec"], both: ["enc", "dec"] },
    hash: { first: ["hash"], second: ["hash"], both: ["hash"] },
    auth: { first: ["auth"], second: ["auth-verify"], both: ["auth", "auth-verify"] },
  };
  const LONGEST = 1 << 20; // what the command takes
  const MASKED_COLUMNS = 4;
  const AIMS = { cycles: "speed", flash: "flash", ram: "ram", stack: "stack" };

  /** Bytes, or kilobytes of 1024 with a k; null if empty, undefined for anything else. */
  function size(text) {
    if (!text.trim()) return null;
    const found = /^(\d+)\s*([kK]i?)?[bB]?$/.exec(text.trim());
    return found ? Number(found[1]) * (found[2] ? 1024 : 1) : undefined;
  }

  /** Three significant digits, never in powers of ten. */
  function rounded(value) {
    if (value === null) return "–";
    const shown = Number(value.toPrecision(3));
    const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(shown) || 1)));
    return shown.toLocaleString("en", {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }
  const whole = (value) => (value === null ? "–" : value.toLocaleString("en"));

  function link(text, href) {
    const made = document.createElement("a");
    made.href = href;
    made.textContent = text;
    return made;
  }

  function row(each, rank) {
    const made = document.createElement("tr");
    const page = `implementation-${each.algorithm}--${each.implementation}.html`;
    const mark = each.steady === false ? "†" : "";
    const kilobytes = each.bytes_per_second === null ? null : each.bytes_per_second / 1000;
    const cells = [
      [link(each.title, `algorithm-${each.algorithm}.html`)],
      [each.status],
      [link(each.implementation, page), mark],
      [each.flags],
      [whole(each.cycles), null, each.cycles],
      [rounded(each.times_the_best), null, each.times_the_best],
      [rounded(each.time_us), null, each.time_us],
      [rounded(kilobytes), null, kilobytes],
      [rounded(each.energy_uj_estimate), null, each.energy_uj_estimate],
      [whole(each.messages_per_battery_estimate), null, each.messages_per_battery_estimate],
      [whole(each.flash), null, each.flash],
      [whole(each.ram), null, each.ram],
      [whole(each.stack), null, each.stack],
      [whole(each.tag), null, each.tag],
      [whole(each.shares), null, each.shares],
      [each.masked ?? ""],
      [whole(each.random_words), null, each.random_words],
      [whole(each.random_wait_cycles), null, each.random_wait_cycles],
    ];
    cells.forEach((content, i) => {
      const cell = document.createElement(i === 0 ? "th" : "td");
      if (i === 0) cell.scope = "row";
      cell.append(content[0], content[1] ?? "");
      if (content.length === 3) {
        cell.className = "number";
        cell.dataset.value = content[2] ?? "";
      }
      made.append(cell);
    });
    made.dataset.rank = rank;
    return made;
  }

  function query() {
    const value = (name) => form.elements[name].value;
    const sizes = ["max-flash", "max-ram", "max-stack", "min-tag"].map((n) => size(value(n)));
    const lengths = [value("ad"), value("message")].map((text) => (text.trim() ? +text : NaN));
    const kind = value("kind");
    const bad =
      boxes.every((box) => !box.checked) ||
      sizes.some((each) => each === undefined) ||
      lengths.some((each) => !Number.isInteger(each) || each < 0 || each > LONGEST);
    if (bad) return null;
    const battery = Number(value("battery"));
    return {
      kind,
      ad: kind === "aead" ? lengths[0] : 0,
      m: lengths[1],
      ops: OPS[kind][value("direction")],
      aim: value("aim"),
      battery: battery > 0 && Number.isFinite(battery) ? battery : null,
      limits: {
        flash: sizes[0],
        ram: sizes[1],
        stack: sizes[2],
        tag: sizes[3],
        constant_time: form.elements.steady.checked,
        protected: Number(value("protected")),
        statuses: boxes.filter((box) => box.checked).map((box) => box.value),
      },
    };
  }

  /**
   * The compilers and flags of which the ranking has builds. A build's flags start with the name of
   * its compiler unless that is the board's own, which the command line calls gcc.
   */
  function buildsOf(rows, kind) {
    const own = rows.builds.filter((build) => facts[build.algorithm].kind === kind);
    // The command adds the source of random words itself.
    const flagsOf = (build) => build.flags.replace(/ \(random: \w+\)$/, "");
    const parts = own.map((build) => /^(?:([^-]\S*) )?(.*)$/.exec(flagsOf(build)));
    const values = (index) => [...new Set(parts.map((each) => each[index]))].sort().reverse();
    return { compilers: values(1).map((each) => each || "gcc"), flags: values(2) };
  }

  /** The same question for the command line, which measures exactly these lengths. */
  function asCommand(rows, asked) {
    const words = ["pennyweight choose", "--board", rows.id, "--message", asked.m];
    if (asked.ad) words.push("--ad", asked.ad);
    const { compilers, flags } = buildsOf(rows, asked.kind);
    if (compilers.some((each) => each !== "gcc")) words.push("--compiler", compilers.join(","));
    for (const each of flags) words.push("--flags", /\s/.test(each) ? `"${each}"` : each);
    if (asked.kind !== "aead") words.push("--kind", asked.kind);
    if (form.elements.direction.value !== "first" && asked.kind !== "hash") {
      words.push("--op", asked.ops.join(","));
    }
    for (const [name, limit] of [
      ["--max-flash", asked.limits.flash],
      ["--max-ram", asked.limits.ram],
      ["--max-stack", asked.limits.stack],
      ["--min-tag", asked.limits.tag],
    ]) {
      if (limit !== null) words.push(name, limit);
    }
    if (boxes.some((box) => box.checked !== box.defaultChecked)) {
      const chosen = asked.limits.statuses.map((each) => each.replaceAll(" ", "-"));
      const all = chosen.length === boxes.length;
      words.push("--status", all ? "all" : chosen.join(","));
    }
    if (asked.limits.constant_time) words.push("--constant-time");
    if (asked.limits.protected) words.push("--protected", asked.limits.protected);
    if (asked.aim !== "cycles") words.push("--by", AIMS[asked.aim]);
    if (asked.battery !== null) words.push("--battery", asked.battery);
    return words.join(" ");
  }

  /** A word that no line ends within, and the space after it. */
  function whole_word(word) {
    const made = document.createElement("span");
    made.textContent = word;
    return [made, " "];
  }

  function show(board, asked) {
    const found = pennyweightAdvice.advise(board, facts, asked);
    for (const each of [body, attacks, out, byStatus]) each.replaceChildren();
    daggerNote.hidden = found === null || found.ranking.every((each) => each.steady !== false);
    if (found === null) {
      says.textContent =
        `No message with ${asked.ad} bytes of associated data and ${asked.m} bytes, or longer, ` +
        `was measured on the ${board.title}. The command below measures it.`;
      return;
    }
    body.append(...found.ranking.map((each, i) => row(each, i + 1)));
    showMasked(asked.limits.protected > 0);
    showAttacks(found.ranking);
    const exact = found.ad === asked.ad && found.m === asked.m;
    const withAd = asked.kind === "aead" ? `, ${found.ad} bytes of associated data` : "";
    const of = `${found.m} bytes of message${withAd}`;
    const number = new Set(found.ranking.map((each) => each.algorithm)).size;
    const keep = number === 1 ? "1 algorithm meets" : `${number} algorithms meet`;
    says.textContent = exact
      ? `${keep} these limits. Figures are for exactly ${of}.`
      : `${keep} these limits. Figures are for ${of}, the ` +
        "shortest measured lengths that yours fit in. The command below measures exactly yours.";
    if (found.ranking.length && found.ranking.every((each) => each.energy_uj_estimate === null)) {
      says.textContent += " No energy figures: the board file has no supply current.";
    }
    showByStatus(found.excluded.filter((each) => each.status));
    const unprotected = found.excluded.filter((each) => each.unprotected);
    const others = found.excluded.filter((each) => !each.status && !each.unprotected);
    for (const each of others) {
      const item = document.createElement("li");
      item.append(link(facts[each.algorithm].title, `algorithm-${each.algorithm}.html`));
      item.append(`: ${each.reason}.`);
      out.append(item);
    }
    if (unprotected.length) {
      const item = document.createElement("li");
      const number = unprotected.length === 1 ? "1 algorithm" : `${unprotected.length} algorithms`;
      item.append(`${number}: ${unprotected[0].reason}.`);
      out.append(item);
    }
    if (!found.excluded.length) out.append("None.");
    for (const head of document.querySelectorAll("#choice th[aria-sort]")) {
      head.removeAttribute("aria-sort");
    }
  }

  /** Shows the last columns, which only masked implementations have, or hides them. */
  function showMasked(shown) {
    for (const { cells } of body.closest("table").rows) {
      for (const cell of [...cells].slice(-MASKED_COLUMNS)) cell.hidden = !shown;
    }
  }

  /** Lists the best known attack on each ranked algorithm. */
  function showAttacks(ranking) {
    for (const each of ranking) {
      const item = document.createElement("li");
      item.append(link(each.title, `algorithm-${each.algorithm}.html`));
      item.append(`: ${each.attack || "none recorded."}`);
      attacks.append(item);
    }
  }

  /** One line for all algorithms that the statuses exclude. */
  function showByStatus(excluded) {
    const counts = new Map();
    for (const { status } of excluded) counts.set(status, (counts.get(status) ?? 0) + 1);
    const parts = [...counts].map(([status, count]) => `${count} ${status}`);
    byStatus.textContent = parts.length ? `By status: ${parts.join(", ")}.` : "";
  }

  function update() {
    const asked = query();
    const board = form.elements.board.value;
    form.elements.ad.disabled = form.elements.kind.value !== "aead";
    form.elements.direction.disabled = form.elements.kind.value === "hash";
    if (asked === null) {
      for (const each of [body, attacks, out, byStatus, command]) each.replaceChildren();
      says.textContent = boxes.some((box) => box.checked)
        ? "Enter lengths and limits in bytes, such as 4096 or 4k."
        : "Select at least one status.";
      return;
    }
    pennyweightAdvice.load(board, (rows) => {
      if (form.elements.board.value !== board) return;
      command.replaceChildren(...asCommand(rows, asked).split(" ").flatMap(whole_word));
      show(rows, asked);
    });
  }

  /** Takes the question from the address, so that a ranking can be linked to. */
  function restore() {
    const asked = new URLSearchParams(location.search);
    if (asked.has("status")) {
      const chosen = asked.get("status").split(",");
      for (const box of boxes) box.checked = chosen.includes(box.value);
    }
    for (const [name, text] of asked) {
      const field = form.elements[name];
      if (name === "status" || !(field instanceof HTMLElement)) continue;
      if (field.type === "checkbox") field.checked = text === "1";
      else if (!field.options || [...field.options].some((each) => each.value === text)) {
        field.value = text;
      }
    }
  }

  /** The address of the question: what differs from the page's defaults. */
  function remember() {
    const asked = new URLSearchParams();
    for (const field of form.elements) {
      if (!field.name || field.name === "status" || field.disabled) continue;
      const initial = field.options
        ? ([...field.options].find((each) => each.defaultSelected) ?? field.options[0]).value
        : field.defaultValue;
      if (field.type === "checkbox") {
        if (field.checked) asked.set(field.name, "1");
      } else if (field.value !== initial) asked.set(field.name, field.value);
    }
    if (boxes.some((box) => box.checked !== box.defaultChecked)) {
      const chosen = boxes.filter((box) => box.checked);
      asked.set("status", chosen.map((box) => box.value).join(","));
    }
    const query = asked.toString();
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
  }

  form.addEventListener("input", () => {
    update();
    remember();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const each of document.querySelectorAll("[data-scripted]")) each.hidden = false;
  restore();
  update();
})();
