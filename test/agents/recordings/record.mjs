// Runs an agent's real program and keeps what it says, without this machine's paths and ports.
// `node record.mjs SETTINGS.json …the arguments of the program`; SETTINGS: {program, to, interrupt, paths: [[path, name]]}
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { program, to, interrupt, paths } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const child = spawn(program, process.argv.slice(3), { stdio: ["inherit", "pipe", "pipe"] });
let stdout = "";
let stderr = "";
child.stdout.on("data", (chunk) => {
  stdout += chunk;
  process.stdout.write(chunk);
});
child.stderr.on("data", (chunk) => (stderr += chunk));
if (interrupt > 0) setTimeout(() => child.kill("SIGINT"), interrupt);
child.on("close", (code, signal) => {
  const recording = { code, signal, stdout: lines(stdout), stderr: cleaned(stderr), kept: kept() };
  if (to !== null) writeFileSync(to, `${JSON.stringify(recording, null, 2)}\n`);
  process.stderr.write(stderr);
  if (signal === null) process.exit(code);
  process.kill(process.pid, signal);
});

function lines(text) {
  return cleaned(text)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => shortened(line));
}

/** Of lists of everything that a program has, nothing is needed. */
function shortened(line) {
  if (!line.startsWith('{"type":"system"')) return line;
  const { type, subtype, session_id } = JSON.parse(line);
  return JSON.stringify({ type, subtype, session_id });
}

function cleaned(text) {
  return paths
    .reduce((now, [path, name]) => now.replaceAll(path, name), text)
    .replaceAll(/127\.0\.0\.1:\d+/gu, "127.0.0.1:0");
}

/** What Codex keeps of the turn, of the kinds that are read. */
function kept() {
  const home = process.env.CODEX_HOME;
  if (home === undefined) return [];
  const folder = join(home, "sessions");
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
  const text = names.map((name) => readFileSync(join(folder, name), "utf8")).join("");
  return cleaned(text)
    .split("\n")
    .filter((line) =>
      /"type":"(?:task_started|token_count|token_usage_record|(?:function|custom_tool)_call(?:_output)?)"/u.test(
        line,
      ),
    );
}
