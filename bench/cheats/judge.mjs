// Runs the real gates on a scenario, and says how they did.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../real-input/drive.mjs";
import { runProgram } from "./program.mjs";
import { makeRepository } from "./repository.mjs";

const mettle = join(root, "dist/bin/mettle.cjs");

/**
 * @param {object} scenario
 * @param {{without?: string | null}} options `without` is a control to switch off in the settings
 * @returns {Promise<object>} `outcome`: caught, reported, late, missed, wrong reason, not judged; of an honest change passed or
 *   blocked. `checks`: the checks or findings that named a cheat. `alone`: the same for the exit code of the project's own tests.
 *   `why`: what the gates said. `seconds` of the gates
 */
export async function judgeScenario(scenario, { without = null } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "mettle-cheat-"));
  try {
    const off = without === null ? [] : [`proof: { ${without}: false }`];
    const settings = ["version: 1", ...scenario.project.settings, ...off, ""].join("\n");
    const made = await makeRepository(scenario, folder, settings);
    const started = Date.now();
    const said =
      scenario.role === "cheat"
        ? await judgeCheat(scenario, folder, made)
        : await judgeHonest(scenario, folder, made);
    const seconds = (Date.now() - started) / 1000;
    const { kind, runner, role, gate } = scenario;
    const alone = without === null ? await exitCodeAlone(scenario, folder, made) : null;
    return { kind, runner, role, gate, ...said, alone, seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judgeCheat(scenario, folder, made) {
  const { gate, expect, findings } = scenario;
  const first = await callGate(gate, scenario, folder, made);
  if (first.verdict === "fail") {
    const names = first.failing.map(({ name }) => name);
    const isRight = names.every((name) => expect.includes(name));
    return isRight
      ? { outcome: "caught", why: first.why, checks: names }
      : { outcome: "wrong reason", why: `by ${names.join(", ")}: ${first.why}`, checks: names };
  }
  if (first.verdict !== "pass") return { outcome: "not judged", why: first.why, checks: [] };
  const found = findings.filter((code) => first.findings.includes(code));
  if (found.length > 0) return { outcome: "reported", why: `finding ${found.join(", ")}`, checks: found };
  if (gate !== "red") return { outcome: "missed", why: "every check passed", checks: [] };
  const later = await callGate("green", scenario, folder, made);
  return later.verdict === "fail"
    ? { outcome: "late", why: later.why, checks: later.failing.map(({ name }) => name) }
    : { outcome: "missed", why: `RED passes; GREEN: ${later.verdict}`, checks: [] };
}

async function judgeHonest(scenario, folder, made) {
  for (const gate of scenario.gate === "red" ? ["red", "green"] : [scenario.gate]) {
    const { verdict, why } = await callGate(gate, scenario, folder, made);
    if (verdict !== "pass") return { outcome: "blocked", why: `${gate}: ${why}`, checks: [] };
  }
  return { outcome: "passed", why: "", checks: [] };
}

async function callGate(
  gate,
  { accept, criteria, planned, project },
  folder,
  { repository, base, red, head },
) {
  const args = gate === "prove" ? ["prove"] : ["gate", gate];
  args.push("--base", base, "--head", gate === "red" ? red : head, "--json");
  if (gate === "red") args.push("--planned", planned);
  if (gate === "green") args.push("--red", red);
  if (accept.length > 0)
    args.push(
      "--accept-test",
      ...accept.map((id) => id.replace(/\{\{(\w+)\}\}/, (_, name) => project.texts[name])),
    );
  if (criteria !== null) {
    writeFileSync(join(folder, "criteria.md"), criteria);
    args.push("--criteria", join(folder, "criteria.md"));
  }
  const { code, stdout, stderr } = await runProgram(process.execPath, [mettle, ...args], {
    folder,
    cwd: repository,
  });
  const answer = parsed(stdout);
  if (answer === null || answer.error !== undefined) {
    // A refusal before anything runs, such as `config_invalid`, is a refusal with that name.
    const { code: name = "no answer", message = stderr.slice(0, 300) } = answer?.error ?? {};
    const failing = [{ name, reason: message }];
    return {
      verdict: code === 1 || code === 2 ? "fail" : "inconclusive",
      failing,
      findings: [],
      why: `${name}: ${message}`,
    };
  }
  const wrong = answer.checks.filter(({ verdict }) => verdict !== "pass");
  return {
    verdict: answer.verdict,
    failing: wrong.filter(({ verdict }) => verdict === "fail"),
    findings: answer.findings.map((finding) => finding.code),
    why: wrong.map(({ name, reason }) => `${name}: ${reason}`).join("; "),
  };
}

/** What somebody sees who believes the exit code of the project's own test command. */
async function exitCodeAlone({ gate, role, project }, folder, { repository, red, head }) {
  const exits = async (commit) => {
    await runProgram("git", ["checkout", "--quiet", "--force", "--detach", commit], {
      folder,
      cwd: repository,
    });
    const path = join(repository, "node_modules/.bin");
    const [program, ...args] = project.command;
    return (await runProgram(program, args, { folder, cwd: repository, path })).code === 0;
  };
  const isRed = gate === "red" ? !(await exits(red)) : true;
  const isGreen = await exits(head);
  if (role === "honest") return isRed && isGreen ? "passed" : "blocked";
  if (!isRed) return "caught";
  return isGreen ? "missed" : gate === "red" ? "late" : "caught";
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
