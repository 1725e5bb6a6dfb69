// Draws promises for breaks of the source by hand (docs/benchmarks.md): `node bench/draw-promises.mjs COUNT [SEED]`.
// Draws from promises that a plain test cites; the order depends only on the seed and the ids, so that a draw can be repeated.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readPromises } from "../scripts/promises.mjs";

const [count = "60", seed = "mettle-breaks-1"] = process.argv.slice(2);
const unbuilt = ["scale.yaml", "hosts.yaml", "people.yaml"];
/** Promises of earlier breaks. */
const known = ["CORE-73", "ORC-82", "ENV-81", "ENV-90", "TDP-12", "TDP-38", "TDP-73"];

const files = execFileSync("git", ["ls-files", "src", "test"], { encoding: "utf8" }).split("\n");
const texts = files
  .filter((file) => file.endsWith(".test.ts") && !file.startsWith("test/agents/"))
  .map((file) => readFileSync(file, "utf8"));
const cited = new Set(texts.flatMap((text) => [...text.matchAll(/"([A-Z]+-\d+)[@"]/g)].map(([, id]) => id)));
const rank = (id) => createHash("sha256").update(`${seed}:${id}`).digest("hex");
const drawn = readPromises()
  .filter(({ id, file }) => cited.has(id) && !unbuilt.includes(file) && !known.includes(id))
  .map(({ id }) => id)
  .sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
process.stdout.write(`${drawn.slice(0, Number(count)).join(" ")}\n`);
