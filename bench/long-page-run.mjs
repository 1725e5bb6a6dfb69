// Creates a repository with one run of many events whose protocol, settings, records and verdicts are stored, so that the page
// shows it as it shows a real one.
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings } from "../dist/lib/config/settings.js";
import { init, loadProtocol, step } from "../dist/lib/index.js";
import { openHost } from "../dist/lib/run/host.js";
import { longRun, orchestrate } from "./long-run.mjs";

/** The caller closes `host` and removes `base`. @returns also the events that are not appended yet */
export async function longPageRun({ events: count, more }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "mettle-bench-")));
  const repository = join(base, "repository");
  const home = join(base, "home");
  const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@invalid"];
  execFileSync("git", ["init", "-q", repository]);
  execFileSync("git", ["-C", repository, ...identity, "commit", "-q", "--allow-empty", "-m", "Start"]);
  const host = await openHost(repository, { METTLE_HOME: home });
  const mettle = { init, step, loadProtocol };
  const stored = (value) => host.payloads.put(JSON.stringify(value));
  const [protocolRef, settingsRef, templatesRef] = await Promise.all(
    [orchestrate(mettle), defaultSettings(), {}].map(stored),
  );
  const run = { repository: host.repository.id, protocolRef, settingsRef, templatesRef };
  const list = [];
  for (const event of longRun(mettle, count + more)) {
    if (event.type === "run.started") list.push({ ...event, data: { ...event.data, ...run } });
    else list.push(event, ...(await proofOf(event, stored, list.length)));
  }
  const rest = list.slice(count, count + more);
  for (let at = 0; at < count; at += 500)
    await host.journal.append("bench", at, list.slice(at, Math.min(at + 500, count)));
  return { base, home, host, repository: host.repository.id, run: "bench", rest };
}

/** A record and a verdict for every check. */
async function proofOf({ type, data: { key, command } }, stored, index) {
  if (type !== "command.issued" || command.type !== "check") return [];
  const id = `${command.gate}/${index}`;
  const verdict = index % 3 === 0 ? "fail" : "pass";
  const tests = Array.from({ length: 40 }, (_, test) => ({
    id: `test/one.test.js::works ${test}`,
    status: verdict === "fail" && test === 3 ? "failed" : "passed",
    kind: null,
    message: "",
    frames: [],
  }));
  const ref = await stored(recordWith({ id, key, verdict, tests, phase: command.phase ?? null }));
  const written = {
    id,
    key,
    phase: command.phase ?? null,
    purpose: "green.tests",
    ref,
    envelope: ref,
    verdict,
  };
  const reasons = verdict === "fail" ? ["required: 1 of 40 tests failed"] : [];
  const checks = ["tests", "required", "controls"].map((name) => ({
    name,
    verdict,
    reason: reasons[0] ?? "",
  }));
  return [
    {
      type: "record.written",
      data: { ...written, exitCode: verdict === "fail" ? 1 : 0, commit: null, tree: null, failing: [] },
    },
    {
      type: "gate.judged",
      data: {
        key,
        gate: command.gate,
        verdict,
        ref: await stored({ verdict, checks, findings: [] }),
        reasons,
        findings: [],
      },
    },
  ];
}

function recordWith(own) {
  return {
    version: 1,
    run: "bench",
    purpose: "green.tests",
    title: null,
    argv: ["node", "--test"],
    cwd: "/",
    commit: null,
    tree: null,
    hashes: { protected: null, config: null, lockfile: null },
    env: { names: [], hash: "" },
    runner: null,
    isolation: "none",
    started: "2026-01-01T00:00:00.000Z",
    ended: "2026-01-01T00:00:01.000Z",
    offsetMinutes: 0,
    exitCode: 0,
    signal: null,
    timedOut: false,
    lastLines: Array.from({ length: 12 }, (_, line) => `ok ${line} - a line of output`),
    output: "sha256:1",
    required: [],
    observed: [],
    controls: {},
    reasons: [],
    inner: [],
    previous: null,
    ...own,
  };
}
