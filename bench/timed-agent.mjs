// An agent for the benchmark: records the first byte of its prompt and its end, and plays one turn of a cassette.
// `node timed-agent.mjs TURNS.json TIMES.jsonl`; the nth call of a role plays its nth turn.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const [turnsFile, timesFile] = process.argv.slice(2);
let first = null;
for await (const _chunk of process.stdin) first ??= Date.now();
const role = process.env.METTLE_ROLE ?? "by-hand";
const times = existsSync(timesFile)
  ? readFileSync(timesFile, "utf8").split("\n").filter(Boolean).map(JSON.parse)
  : [];
const { does = [], report } =
  JSON.parse(readFileSync(turnsFile, "utf8"))[role]?.[times.filter((time) => time.role === role).length] ??
  {};
for (const { write } of does) {
  if (!write) continue;
  mkdirSync(dirname(write.path), { recursive: true });
  writeFileSync(write.path, write.content);
}
process.stdout.write(`${JSON.stringify({ mettle: 1, type: "report", message: "", ...report })}\n`);
appendFileSync(timesFile, `${JSON.stringify({ role, first, last: Date.now() })}\n`);
