// A repository whose one run has 10,000 events, as a long run of 100 dispatches would leave them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "../dist/lib/journal/open.js";
import { openRepository } from "../dist/lib/git/repository.js";
import { RunEvent } from "../dist/lib/index.js";

export const events = 10_000;

/** Its folder and state home; the caller removes `base`. */
export async function longJournal() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "mettle-bench-")));
  const repository = join(base, "repository");
  const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@invalid"];
  execFileSync("git", ["init", "-q", repository]);
  execFileSync("git", ["-C", repository, ...identity, "commit", "-q", "--allow-empty", "-m", "Start"]);
  const { id } = await openRepository(repository, { path: process.env.PATH });
  const home = join(base, "home");
  const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
  const journal = await openJournal({ home: join(home, id), clock, alive: () => false });
  const list = runEvents(id).map((event) => {
    const { type, ...data } = RunEvent.parse(event);
    return { type, data };
  });
  for (let at = 0; at < list.length; at += 500) await journal.append("bench", at, list.slice(at, at + 500));
  await journal.close();
  return { base, repository, home };
}

function runEvents(repository) {
  const ref = `sha256:${"0".repeat(64)}`;
  const started = {
    type: "run.started",
    version: 1,
    task: "Measure",
    protocol: "orchestrate",
    protocolRef: ref,
    templatesRef: ref,
    settingsRef: ref,
    repository,
    base: "0".repeat(40),
    branch: "main",
    dirty: false,
    folder: ".claude/temp",
    agents: {},
    reviewers: ["Gemini", "Claude"],
    preapproved: [],
    demo: false,
  };
  const list = [started];
  for (let dispatch = 1; list.length < events; dispatch += 1)
    list.push(...dispatchEvents(`coder#${dispatch}`, ref));
  return list.slice(0, events);
}

function dispatchEvents(key, ref) {
  const command = {
    type: "dispatch",
    key,
    frame: "main",
    path: "coder",
    state: "coder",
    phase: "7_TDD_GREEN",
    counters: {},
    round: 1,
    causes: [],
    role: "coder",
    reports: ["GC"],
    sees: [],
    thread: { type: "fresh" },
    params: [],
  };
  const said = Array.from({ length: 48 }, () => [
    { type: "agent.said", key, ref, bytes: 900 },
    { type: "agent.used", key, context: 0.2, tokens: 1200, costUsd: null },
  ]);
  return [
    { type: "command.issued", key, command },
    {
      type: "dispatch.started",
      key,
      role: "coder",
      agent: "scripted",
      vendor: "scripted",
      conversation: key,
      resumed: false,
      workspace: "w",
      isolation: "none",
      prompt: ref,
    },
    ...said.flat(),
    { type: "result", key, outcome: "GC", payload: ref },
  ];
}
