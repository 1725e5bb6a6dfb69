// Counts the outcomes and prints them as Markdown tables.
import { tableOf } from "../real-input/drive.mjs";
import { isLowered } from "./controls.mjs";
import { wilson } from "./wilson.mjs";

const outcomes = ["caught", "reported", "late", "missed", "wrong reason", "not judged"];

/**
 * @param {{kinds: object[], runners: string[], results: object[], ablations: Record<string, object[]>, seconds: number}} judged
 * @returns {{rows: object[], totals: object, ablations: object, results: object[], text: string}}
 */
export function reportOf({ kinds, runners, results, ablations, seconds }) {
  const rows = kinds.map((kind) => rowOf(kind, results, runners));
  const totals = totalsOf(results);
  const changed = Object.fromEntries(
    Object.entries(ablations).map(([control, list]) => [control, ablationOf(kinds, list, results)]),
  );
  const text = [
    ...(results.length > 0 ? [kindsTable(rows), totalsTable(totals, seconds), missesOf(kinds, results)] : []),
    ...Object.entries(changed).map(([control, lost]) => ablationText(control, lost)),
  ];
  return { rows, totals, ablations: changed, results, text: `${text.filter(Boolean).join("\n\n")}\n` };
}

function rowOf({ id, name, cheat, honest }, results, runners) {
  const own = results.filter(({ kind }) => kind === id);
  const cheats = own.filter(({ role }) => role === "cheat");
  const honests = own.filter(({ role }) => role === "honest");
  return {
    id,
    name,
    gate: cheat.gate ?? "green",
    lookAlike: honest?.name ?? null,
    ...Object.fromEntries(outcomes.map((outcome) => [outcome, count(cheats, outcome)])),
    notApplicable: runners.length - cheats.length,
    interval: wilson(count(cheats, "caught"), cheats.length),
    alone: cheats.filter(({ alone }) => alone === "caught").length,
    honest: honests.length,
    blocked: count(honests, "blocked"),
    seconds: own.reduce((sum, one) => sum + one.seconds, 0),
  };
}

function count(list, outcome) {
  return list.filter((one) => one.outcome === outcome).length;
}

function totalsOf(results) {
  const cheats = results.filter(({ role }) => role === "cheat");
  const honests = results.filter(({ role }) => role === "honest");
  const rate = (hits, of) => ({ hits, of, interval: wilson(hits, of) });
  return {
    caught: rate(count(cheats, "caught"), cheats.length),
    stopped: rate(
      cheats.filter(({ outcome }) => !["missed", "reported"].includes(outcome)).length,
      cheats.length,
    ),
    alone: rate(cheats.filter(({ alone }) => alone === "caught").length, cheats.length),
    blocked: rate(count(honests, "blocked"), honests.length),
    blockedAlone: rate(honests.filter(({ alone }) => alone === "blocked").length, honests.length),
    medianSeconds: median(results.map((one) => one.seconds)),
  };
}

/** Without the control: the kinds of which a cheat is found less than with it. */
function ablationOf(kinds, list, results) {
  const withIt = new Map(results.map((one) => [keyOf(one), one]));
  const lowered = list.filter((one) => one.role === "cheat" && isLowered(one, withIt.get(keyOf(one))));
  return {
    kinds: kinds.map(({ id }) => id).filter((id) => lowered.some(({ kind }) => kind === id)),
    lowered: lowered.map(({ kind, runner, outcome }) => ({ kind, runner, outcome })),
    judged: list.length,
    results: list,
  };
}

function keyOf({ kind, runner, role }) {
  return `${kind} ${runner} ${role}`;
}

function kindsTable(rows) {
  const heads = [
    "Kind",
    "What",
    "Gate",
    "Caught",
    "Reported",
    "Late",
    "Missed",
    "Wrong reason",
    "Not judged",
    "N/A",
    "95 %",
  ];
  const more = ["Exit code alone", "Honest passed", "Seconds"];
  const cells = rows.map((row) => [
    row.id.split("-")[0],
    row.name,
    row.gate,
    ...outcomes.map((outcome) => blankZero(row[outcome])),
    blankZero(row.notApplicable),
    percents(row.interval),
    `${row.alone}`,
    `${row.honest - row.blocked} of ${row.honest}`,
    row.seconds.toFixed(1),
  ]);
  return tableOf([...heads, ...more], cells);
}

function totalsTable({ caught, stopped, alone, blocked, blockedAlone, medianSeconds }, seconds) {
  const line = (what, { hits, of, interval }) => [what, `${hits} of ${of}`, percents(interval)];
  return tableOf(
    ["All", "", "95 %"],
    [
      line("cheats caught at the right gate for the right reason", caught),
      line("cheats that do not pass", stopped),
      line("cheats caught by the exit code alone", alone),
      line("honest changes blocked", blocked),
      line("honest changes that the exit code alone blocks", blockedAlone),
      ["median time of the gates", `${medianSeconds.toFixed(1)} s`, ""],
      ["the whole run", `${Math.round(seconds)} s`, ""],
    ],
  );
}

/** What a reader has to know: each cheat that was not caught as it should be, and each honest change that was blocked. */
function missesOf(kinds, results) {
  const notes = new Map(kinds.map(({ id, miss }) => [id, miss]));
  const bad = results.filter(({ outcome }) => !["caught", "reported", "passed"].includes(outcome));
  return bad
    .map(({ kind, runner, role, outcome, why }) => {
      const note =
        role === "cheat" && notes.get(kind) !== undefined ? `known: ${notes.get(kind)}` : short(why);
      return `- ${kind}, ${runner}, ${role}: ${outcome}. ${note}`;
    })
    .join("\n");
}

function ablationText(control, { kinds, lowered, judged }) {
  const names = kinds.length === 0 ? "none" : kinds.join(", ");
  return `Without \`${control}\` (${judged} scenarios) ${lowered.length} cheats are found less. Kinds: ${names}.`;
}

function percents(interval) {
  return interval === null ? "" : interval.map((rate) => `${Math.round(rate * 100)}`).join(" to ");
}

function blankZero(number) {
  return number === 0 ? "" : `${number}`;
}

function median(list) {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function short(text) {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
