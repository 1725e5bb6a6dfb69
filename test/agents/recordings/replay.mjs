// Stands in for an agent's program: says what a real one was recorded to say, and ends as that one ended.
// `node replay.mjs RECORDING.json …the arguments of the program`
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

const recording = JSON.parse(readFileSync(process.argv[2], "utf8"));
await buffer(process.stdin);
if (recording.kept.length > 0) {
  const folder = join(process.env.CODEX_HOME, "sessions");
  mkdirSync(folder, { recursive: true });
  const { thread_id: thread } = JSON.parse(recording.stdout[0]);
  writeFileSync(
    join(folder, `rollout-0-${thread}.jsonl`),
    recording.kept.map((line) => `${line}\n`).join(""),
  );
}
process.stderr.write(recording.stderr);
process.stdout.write(recording.stdout.map((line) => `${line}\n`).join(""), () => {
  if (recording.signal === null) process.exit(recording.code);
  process.kill(process.pid, recording.signal);
});
