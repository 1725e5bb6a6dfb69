// The public suite of cheats: can the gates be fooled, and do they let honest changes pass? README.md says what it measures.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { controls, isFoundBy } from "./controls.mjs";
import { isChosen, readKinds, runners, scenariosOf } from "./kinds.mjs";
import { judgeScenario } from "./judge.mjs";
import { differencesOf, lineOf, outcomesOf } from "./outcomes.mjs";
import { reportOf } from "./report.mjs";

const usage = `usage: node bench/cheats/run.mjs [options]
  --runner NAME      ${runners.join(", ")}; several are possible (default: all)
  --kind KIND        a number, an id or a control of README.md; several are possible (default: all)
  --without CONTROL  switch a control off in the settings, for example flip; several: one after the other
  --ablate           also judge without each control the cheats that it found
  --jobs N           scenarios at a time (default: 2)
  --json             one JSON object instead of tables
  --out FILE         also write the output to a file
  --outcomes FILE    also write one line for each scenario, without times
  --compare FILE     print where outcomes differ from such a file, and then exit with 1
`;

const { values } = options();
const chosenRunners = values.runner ?? runners;
const kinds = readKinds().filter((kind) => isChosen(kind, values.kind ?? []));
if (values.help || kinds.length === 0 || !chosenRunners.every((name) => runners.includes(name))) {
  process.stderr.write(kinds.length === 0 ? `no such kind\n${usage}` : usage);
  process.exit(values.help ? 0 : 2);
}
const earlier = values.compare === undefined ? null : readFileSync(values.compare, "utf8");
const started = Date.now();
const scenarios = kinds.flatMap((kind) => scenariosOf(kind, chosenRunners));
const without = values.without ?? [];
const results = without.length > 0 ? [] : await judgeAll(scenarios, null);
const seconds = (Date.now() - started) / 1000;
const ablations = {};
for (const control of without) ablations[control] = await judgeAll(scenarios, control);
if (values.ablate && without.length === 0)
  for (const control of controls) {
    const own = scenarios.filter((_one, at) => isFoundBy(results[at], control));
    if (own.length > 0) ablations[control] = await judgeAll(own, control);
  }
const report = reportOf({ kinds, runners: chosenRunners, results, ablations, seconds });
const text = values.json ? `${JSON.stringify(report, null, 2)}\n` : report.text;
if (values.out !== undefined) writeFileSync(values.out, text);
process.stdout.write(text);
const outcomes = outcomesOf(report);
if (values.outcomes !== undefined) writeFileSync(values.outcomes, `${outcomes.join("\n")}\n`);
if (earlier !== null) compareWith(earlier.split("\n").filter(Boolean));

function compareWith(before) {
  const whole = values.kind === undefined && values.runner === undefined && values.ablate;
  const differences = differencesOf(before, outcomes, { whole });
  for (const line of differences.checks) process.stderr.write(`other checks: ${line}\n`);
  for (const line of differences.outcomes) process.stderr.write(`another outcome: ${line}\n`);
  if (differences.outcomes.length > 0) process.exitCode = 1;
}

async function judgeAll(list, control) {
  const done = [];
  let next = 0;
  const work = async () => {
    while (next < list.length) {
      const at = next++;
      done[at] = await judgeScenario(list[at], { without: control });
      process.stderr.write(`${at + 1}/${list.length} ${lineOf(done[at], control)}\n`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return done;
}

function options() {
  const many = { type: "string", multiple: true };
  try {
    return parseArgs({
      options: {
        runner: many,
        kind: many,
        without: many,
        ablate: { type: "boolean", default: false },
        jobs: { type: "string", default: "2" },
        json: { type: "boolean", default: false },
        out: { type: "string" },
        outcomes: { type: "string" },
        compare: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}`);
    return process.exit(2);
  }
}
