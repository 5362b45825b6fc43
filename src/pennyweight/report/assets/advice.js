"use strict";
// Ranks algorithms for message lengths and limits: the rules of pennyweight.analysis.advice, on
// the rows of one board. A test holds the two together.

globalThis.pennyweightAdvice = (() => {
  const OPS = { aead: ["dec", "enc"], hash: ["hash"], auth: ["auth", "auth-verify"] };
  const number = (value) => value.toLocaleString("en");

  /** The shortest measured lengths that are at least as long as those asked for, or null. */
  function nearest(board, algorithms, query) {
    const known = new Set();
    for (const build of board.builds) {
      if (algorithms[build.algorithm].kind !== query.kind) continue;
      if (!query.ops.every((op) => build.ops[op])) continue;
      if (!competes(build, query.limits)) continue;
      for (const at of board.sets[build.ops[query.ops[0]][0]]) known.add(at);
    }
    let best = null;
    for (const at of known) {
      const [ad, m] = board.pairs[at];
      if (ad < query.ad || m < query.m) continue;
      const [bestAd, bestM] = best === null ? [Infinity, Infinity] : board.pairs[best];
      if (ad + m < bestAd + bestM || (ad + m === bestAd + bestM && m < bestM)) best = at;
    }
    return best;
  }

  /** The rows of a build at a pair of lengths, one for each operation that has it. */
  function rowsOf(board, build, ops, at) {
    const rows = [];
    for (const op of OPS.aead.concat(OPS.hash, OPS.auth).filter((each) => ops.includes(each))) {
      if (!build.ops[op]) continue;
      const [set, cycles, stack] = build.ops[op];
      const place = board.sets[set].indexOf(at);
      if (place < 0) continue;
      const [status, reason] = build.why[op]?.[at] ?? ["ok", ""];
      const used = Array.isArray(stack) ? stack[place] : stack;
      const [words, waiting] = build.drawn?.[op]?.map((each) => each[place]) ?? [null, null];
      rows.push({ cycles: cycles[place], stack: used, words, waiting, status, reason });
    }
    return rows;
  }

  /** The sum of a column, or null if it has no values. */
  function sumOf(rows, column) {
    const values = rows.map((row) => row[column]).filter((each) => each !== null);
    return values.length ? values.reduce((sum, each) => sum + each, 0) : null;
  }

  /** Whether a build competes: with as many shares as asked for, otherwise without any. */
  function competes(build, limits) {
    return limits.protected ? (build.shares || 1) > limits.protected : !build.shares;
  }

  /** Builds by the part that they mask: what costs more is not hidden by what masks less. */
  function partsOf(competing) {
    const parts = new Map();
    for (const each of competing) {
      const part = each[0].masked;
      if (!parts.has(part)) parts.set(part, []);
      parts.get(part).push(each);
    }
    return [...parts.values()];
  }

  function unfit(facts, limits) {
    const size = facts.tag || facts.digest;
    if (limits.tag !== null && size < limits.tag) {
      return `its tag has ${size} bytes, less than ${limits.tag}`;
    }
    return "";
  }

  /** One build over its rows, or in words why it has no measurement. */
  function measured(board, facts, build, rows, ad, m) {
    const failed = rows.find((row) => row.cycles === null);
    if (failed) {
      const reason = failed.reason ? `, ${failed.reason}` : "";
      return `${build.implementation} ${build.flags}: ${failed.status}${reason}`;
    }
    const cycles = rows.reduce((sum, row) => sum + row.cycles, 0);
    const time = board.hz ? (cycles * 1e6) / board.hz : null;
    const supplied = time !== null && board.current_ma !== null && board.voltage_v !== null;
    return {
      algorithm: build.algorithm,
      title: facts.title,
      status: facts.status,
      attack: facts.attack,
      attack_source: facts.attack_source,
      implementation: build.implementation,
      flags: build.flags,
      steady: build.steady,
      cycles,
      stack: Math.max(...rows.map((row) => row.stack)),
      flash: build.flash,
      ram: build.ram,
      tag: facts.tag || facts.digest,
      shares: build.shares,
      masked: build.masked,
      leakage: build.shares ? "not checked" : null,
      random_words: sumOf(rows, "words"),
      random_wait_cycles: sumOf(rows, "waiting"),
      time_us: time,
      bytes_per_second: cycles && board.hz && ad + m ? ((ad + m) * board.hz) / cycles : null,
      energy_uj_estimate: supplied ? (time * board.current_ma * board.voltage_v) / 1e3 : null,
    };
  }

  function faultsOf(build, limits) {
    const faults = [];
    for (const [what, need, limit] of [
      ["flash", build.flash, limits.flash],
      ["static RAM", build.ram, limits.ram],
      ["stack", build.stack, limits.stack],
    ]) {
      if (limit !== null && (need === null || need > limit)) {
        const size = need === null ? "an unknown number of" : number(need);
        faults.push(`needs ${size} bytes of ${what}, more than the limit of ${number(limit)}`);
      }
    }
    if (limits.constant_time && !build.steady) {
      faults.push(
        build.steady === false
          ? "is not constant-time"
          : "is not known to be constant-time",
      );
    }
    return faults;
  }

  /** The bytes by which a build exceeds the limits, in total. */
  function excess(build, limits) {
    return ["flash", "ram", "stack"]
      .filter((each) => limits[each] !== null)
      .reduce((sum, each) => sum + Math.max(0, (build[each] || 0) - limits[each]), 0);
  }

  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  /** By the aim; ties by cycles, flash, and the names. */
  function order(aim) {
    const keys = (each) => [
      each[aim] === null ? 1 : 0,
      each[aim] || 0,
      each.cycles,
      each.flash || 0,
      each.implementation,
      each.flags,
    ];
    return (a, b) => {
      const [one, other] = [keys(a), keys(b)];
      for (let i = 0; i < one.length; i += 1) {
        const found = compare(one[i], other[i]);
        if (found) return found;
      }
      return 0;
    };
  }

  const least = (all, by) => all.reduce((best, each) => (by(each, best) < 0 ? each : best));

  function withRates(build, best, aim, board, battery) {
    const [need, own] = [best[aim], build[aim]];
    const energy = build.energy_uj_estimate;
    const known = battery !== null && energy && board.voltage_v;
    return {
      ...build,
      messages_per_battery_estimate: known
        ? Math.trunc((battery * board.voltage_v * 3.6 * 1e6) / energy)
        : null,
      times_the_best: need && own !== null ? own / need : null,
    };
  }

  /** The ranking, the exclusions and the pair of lengths they are of; null if none is as long. */
  function advise(board, algorithms, query) {
    const at = nearest(board, algorithms, query);
    if (at === null) return null;
    const [ad, m] = board.pairs[at];
    const by = order(query.aim);
    const groups = new Map();
    for (const build of board.builds) {
      if (algorithms[build.algorithm].kind !== query.kind) continue;
      if (build.shares && !query.limits.protected) continue;
      if (!groups.has(build.algorithm)) groups.set(build.algorithm, []);
      const rows = rowsOf(board, build, query.ops, at);
      if (rows.length) groups.get(build.algorithm).push([build, rows]);
    }
    const ranking = [];
    const excluded = [];
    function exclude(algorithm, reason, { status = "", unprotected = false } = {}) {
      excluded.push({ algorithm, reason, status, unprotected });
    }
    for (const [name, own] of groups) {
      const facts = algorithms[name];
      if (!query.limits.statuses.includes(facts.status)) {
        exclude(name, `its status is ${facts.status}`, { status: facts.status });
        continue;
      }
      const out = own.length ? unfit(facts, query.limits) : "was not measured at these lengths";
      if (out) {
        exclude(name, out);
        continue;
      }
      const competing = own.filter(([build]) => competes(build, query.limits));
      if (!competing.length) {
        const order = query.limits.protected;
        const reason = `no implementation of it is masked at order ${order} or more`;
        exclude(name, reason, { unprotected: true });
        continue;
      }
      for (const part of query.limits.protected ? partsOf(competing) : [competing]) {
        const all = part.map(([build, rows]) => measured(board, facts, build, rows, ad, m));
        const whole = all.filter((each) => typeof each !== "string");
        if (!whole.length) {
          exclude(name, all[0]);
          continue;
        }
        const faults = new Map(whole.map((each) => [each, faultsOf(each, query.limits)]));
        const kept = whole.filter((each) => !faults.get(each).length);
        if (kept.length) {
          ranking.push(least(kept, by));
          continue;
        }
        const near = least(
          whole,
          (a, b) =>
            faults.get(a).length - faults.get(b).length ||
            excess(a, query.limits) - excess(b, query.limits) ||
            by(a, b),
        );
        const where = `${near.implementation} ${near.flags}`;
        exclude(name, `${where}, the closest build, ${faults.get(near).join(" and ")}`);
      }
    }
    ranking.sort(by);
    excluded.sort((a, b) => compare(a.algorithm, b.algorithm));
    return {
      ad,
      m,
      ranking: ranking.map((each) =>
        withRates(each, ranking[0], query.aim, board, query.battery),
      ),
      excluded,
    };
  }

  /** Calls back with the rows of a board, which are loaded once. */
  const boards = new Map();
  const waiting = new Map();
  globalThis.pennyweightBoard = (board) => {
    boards.set(board.id, board);
    for (const then of waiting.get(board.id) ?? []) then(board);
    waiting.delete(board.id);
  };
  function load(id, then) {
    if (boards.has(id)) return then(boards.get(id));
    if (waiting.has(id)) return waiting.get(id).push(then);
    waiting.set(id, [then]);
    const script = document.createElement("script");
    script.src = `data/${id}.board.js`;
    document.head.append(script);
    return undefined;
  }

  return { advise, load, rowsOf };
})();
