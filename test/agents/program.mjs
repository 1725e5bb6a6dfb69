// An agent of one's own, for tests: reads its prompt, does what a file says, tells it in event lines.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const [acts, received, prompt] = process.argv.slice(2);
const tell = (event) => process.stdout.write(`${JSON.stringify({ mettle: 1, ...event })}\n`);

writeFileSync(received, prompt === undefined ? await input() : readFileSync(prompt, "utf8"));
for (const act of JSON.parse(readFileSync(acts, "utf8"))) {
  if ("say" in act) tell({ type: "text", text: act.say });
  if ("write" in act) writeFileSync(act.write.path, act.write.content);
  if ("shell" in act) {
    tell({ type: "tool", name: "shell", detail: act.shell });
    spawnSync("/bin/sh", ["-c", act.shell], { stdio: ["ignore", "pipe", "pipe"] });
  }
  if ("hang" in act) await new Promise((done) => setTimeout(done, 600_000));
  if ("fails" in act) {
    tell({ type: "end", outcome: act.fails, why: "as the test says" });
    process.exitCode = 1;
  }
}

async function input() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
