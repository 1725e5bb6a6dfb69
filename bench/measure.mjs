// Measures whole processes from outside. The candidates take turns, so that the load of the machine affects all of them. They get a
// minimal environment: a variable that slows down every Node (NODE_EXTRA_CA_CERTS, for example) would improve the ratios.
import { spawnSync } from "node:child_process";

/**
 * @param {Record<string, {argv: string[], cwd?: string, env?: Record<string, string>, input?: string}>} candidates argv after `node`
 * @param {{rounds: number}} options
 * @returns {Record<string, number>} medians in milliseconds
 */
export function medians(candidates, { rounds }) {
  return mapped(timesOf(candidates, rounds), median);
}

/**
 * Also returns the median of the ratios to the first candidate in each round: on a busy machine rounds differ more than the
 * candidates of one round.
 * @returns {Record<string, {ms: number, ratio: number}>}
 */
export function paired(candidates, { rounds }) {
  const times = timesOf(candidates, rounds);
  const [floor] = Object.values(times);
  return mapped(times, (list) => ({
    ms: median(list),
    ratio: median(list.map((ms, round) => ms / floor[round])),
  }));
}

function mapped(times, make) {
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, make(list)]));
}

function timesOf(candidates, rounds) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = -2; round < rounds; round += 1) {
    for (const [name, { argv, cwd, env, input }] of Object.entries(candidates)) {
      const began = process.hrtime.bigint();
      const ran = spawnSync(process.execPath, argv, {
        cwd,
        input,
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
        encoding: "utf8",
      });
      const ms = Number(process.hrtime.bigint() - began) / 1e6;
      if (ran.status !== 0) throw new Error(`${name} ended with ${ran.status}: ${ran.stderr}`);
      // The first two rounds warm the file cache.
      if (round >= 0) times[name].push(ms);
    }
  }
  return times;
}

export function median(list) {
  const sorted = list.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
