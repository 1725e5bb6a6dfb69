/**
 * A program as an agent: it plays the next of the moves that stand for its place in the run, and its last one for ever.
 * Called with the folder that holds `moves.json`; it leaves there how often each place was played.
 */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";

const folder = process.argv[2] ?? "";
const key = (process.env.METTLE_DISPATCH ?? "").replace(/^[^:]*:/u, "");
const place = key.replace(/#\d+$/u, "").replace(/~\d+/gu, "");
const all = JSON.parse(readFileSync(join(folder, "moves.json"), "utf8"));
const moves = all[place] ?? all[place.split("/").at(-1) ?? ""];
const times = join(folder, `${place.replaceAll("/", "+")}.times`);
appendFileSync(times, ".");
if (moves === undefined) {
  console.log(`no moves for ${place}`);
  process.exit(9);
}
const { does = [], report, crash } = moves[Math.min(readFileSync(times, "utf8").length, moves.length) - 1];
for (const step of does) play(step);
appendFileSync(join(folder, "log"), `${key} ${report?.status ?? "nothing"}\n`);
if (crash !== undefined) process.exit(crash);
if (report?.payload !== undefined) console.log(`\`\`\`json\n${JSON.stringify(report.payload)}\n\`\`\``);
if (report !== undefined) console.log(`→${report.status}: ${report.message || "as it is"}`);

function play(step) {
  if (step.say !== undefined) console.log(step.say);
  if (step.shell !== undefined) execFileSync("/bin/sh", ["-c", step.shell], { stdio: "ignore" });
  if (step.delete !== undefined) rmSync(step.delete, { recursive: true, force: true });
  if (step.write !== undefined) put(step.write.path, step.write.content);
  if (step.edit !== undefined) {
    const { path, find, replace } = step.edit;
    put(
      path,
      readFileSync(path, "utf8").replace(find, () => replace),
    );
  }
}

function put(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
