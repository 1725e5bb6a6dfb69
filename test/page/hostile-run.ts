/** A run in which every text is hostile: markup, scripts, links, terminal sequences, and marks that turn text around. */
import type { Recorded, RunEvent } from "../../src/log/run-event.ts";
import { emptyView, foldView } from "../../src/log/run-view.ts";
import { runModel } from "../../src/views/model/build-model.ts";
import type { RunModel } from "../../src/views/model/run-model.ts";
import type { RunTexts } from "../../src/views/model/run-texts.ts";

export const hostile = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `</style></title><svg onload=alert(1)>`,
  `javascript:alert(1)`,
  `\u001b]8;;javascript:alert(1)\u0007click\u001b]8;;\u0007\u001b[31mred`,
  `a\u202Eb\u0000c\nnext line`,
].join(" ");

export function hostileTexts(evil = hostile): RunTexts {
  const text = {
    text: `# ${evil}\n\n[link](javascript:alert(1)) ![i](http://example.org/i.png) ${evil}`,
    bytes: 9,
    cut: true,
  };
  return { documents: { spec: text }, prompts: { "coder#1": text }, outputs: { "coder#1": text } };
}

export function hostileModel(evil = hostile): RunModel {
  const at = "2026-01-02T03:04:05.000Z";
  const command = { type: "check", key: "red#1", frame: "main", path: "red", state: "red", phase: evil };
  const facts: readonly RunEvent[] = [
    {
      type: "run.started",
      version: 1,
      task: evil,
      protocol: evil,
      protocolRef: "",
      templatesRef: "",
      settingsRef: "",
      repository: evil,
      base: evil,
      branch: null,
      dirty: false,
      folder: "",
      agents: {},
      reviewers: [],
      preapproved: [],
      demo: false,
    },
    {
      type: "command.issued",
      key: "red#1",
      command: { ...command, counters: {}, round: 0, causes: [], gate: evil },
    },
    {
      type: "gate.judged",
      key: "red#1",
      gate: evil,
      verdict: "fail",
      ref: "",
      reasons: [evil],
      findings: [evil],
    },
    {
      type: "record.written",
      id: `r1/${evil}`,
      key: "red#1",
      phase: evil,
      purpose: evil,
      ref: "",
      envelope: "",
      verdict: "fail",
      exitCode: 1,
      commit: null,
      tree: null,
      failing: [evil],
    },
    { type: "result", key: "red#1", outcome: evil },
    { type: "document.written", name: "spec", ref: "", by: "agent", key: "coder#1" },
    {
      type: "command.issued",
      key: "coder#1",
      command: {
        ...command,
        type: "dispatch",
        key: "coder#1",
        role: evil,
        counters: {},
        round: 0,
        causes: [],
      },
    },
    {
      type: "dispatch.started",
      key: "coder#1",
      role: evil,
      agent: evil,
      vendor: evil,
      conversation: "",
      resumed: false,
      workspace: "",
      isolation: evil,
      prompt: "sha256:1",
    },
    { type: "agent.said", key: "coder#1", ref: "sha256:2", bytes: 9 },
    { type: "claim.unverified", key: "coder#1", phrase: evil, excerpt: evil, tree: "" },
    { type: "run.ended", outcome: "failed", reason: evil },
  ];
  const events = facts.map((event, index): Recorded => ({ ...event, seq: index + 1, at }));
  return runModel({ view: foldView(emptyView("r1"), events), events, owner: null });
}
