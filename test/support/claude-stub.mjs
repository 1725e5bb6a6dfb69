// Replaces Claude Code where the real one would be too slow: plays a cassette, prints its stream, and records its calls
// and environment. `node claude-stub.mjs CASSETTE.json CALLS.jsonl …the arguments of claude`
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const [cassetteFile, callsFile, ...argv] = process.argv.slice(2);
if (argv.includes("--version")) {
  process.stdout.write("2.1.332 (Claude Code)\n");
  process.exit(0);
}

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const prompt = Buffer.concat(chunks).toString("utf8");
const role = basename(process.cwd()).replace(/^.*-/, "");
const earlier = existsSync(callsFile)
  ? readFileSync(callsFile, "utf8").split("\n").filter(Boolean).map(JSON.parse)
  : [];
const nth = earlier.filter((call) => call.role === role && !call.prompt.startsWith("REMINDER")).length;
const { CLAUDE_CONFIG_DIR: config = "", ...env } = process.env;
const call = {
  role,
  argv,
  prompt,
  cwd: process.cwd(),
  files: listed("."),
  env,
  config,
  configured: listed(config),
};
appendFileSync(callsFile, `${JSON.stringify(call)}\n`);

const session = argv[argv.indexOf("--session-id") + 1] ?? argv[argv.indexOf("--resume") + 1];
const { does = [], report } = JSON.parse(readFileSync(cassetteFile, "utf8")).roles[role]?.[nth] ?? {};
const texts = [];
tell({ type: "system", subtype: "init", session_id: session, tools: [] });
for (const act of does) {
  if (act.say !== undefined) say(act.say);
  if (act.write) {
    tool("Write", { file_path: act.write.path, content: act.write.content });
    mkdirSync(dirname(act.write.path), { recursive: true });
    writeFileSync(act.write.path, act.write.content);
  }
  if (act.edit) {
    tool("Edit", { file_path: act.edit.path });
    const text = readFileSync(act.edit.path, "utf8");
    writeFileSync(
      act.edit.path,
      text.replace(act.edit.find, () => act.edit.replace),
    );
  }
  if (act.shell) {
    tool("Bash", { command: act.shell });
    spawnSync("/bin/sh", ["-c", act.shell], { stdio: "ignore" });
  }
}
if (report?.payload !== undefined) say(`\`\`\`json\n${JSON.stringify(report.payload)}\n\`\`\``);
if (report) say(`→${report.status}: ${report.message ?? ""}`);
tell({
  type: "result",
  subtype: "success",
  is_error: false,
  session_id: session,
  result: texts.at(-1) ?? "",
  total_cost_usd: 0.01,
  usage: { input_tokens: 100, output_tokens: 20 },
  permission_denials: [],
  terminal_reason: "completed",
});

function say(text) {
  texts.push(text);
  tell({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } });
}

function tool(name, input) {
  tell({
    type: "assistant",
    message: { role: "assistant", content: [{ type: "tool_use", id: "t", name, input }] },
  });
}

function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function listed(folder, prefix = "") {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}${entry.name}`;
    if (entry.name === ".git" || entry.name === "node_modules") return [];
    return entry.isDirectory() ? listed(join(folder, entry.name), `${path}/`) : [path];
  });
}
