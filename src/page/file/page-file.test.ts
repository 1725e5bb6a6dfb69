import { describe, expect, test } from "vitest";
import { emptyView, foldView } from "../../log/run-view.ts";
import type { Recorded, RunEvent } from "../../log/run-event.ts";
import { runModel } from "../../views/model/build-model.ts";
import type { RunTexts } from "../../views/model/run-texts.ts";
import { pageFile } from "./page-file.tsx";

const hostile = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `</style></title><svg onload=alert(1)>`,
  `javascript:alert(1)`,
  `\u001b]8;;javascript:alert(1)\u0007click\u001b]8;;\u0007\u001b[31mred`,
  `a\u202Eb\u0000c\nnext line`,
];

describe("a page of hostile texts", () => {
  const evil = hostile.join(" ");
  const page = pageFile(modelOf(evil), textsOf(evil));

  test("has no element, attribute or link that the text brought", () => {
    const body = page.slice(page.indexOf("<body>"));
    expect(body).not.toMatch(/<(?:script|img|iframe|object|embed|link|base|form)\b/iu);
    expect(body).not.toMatch(/<[^>]+\son\w+=/iu);
    expect(body).not.toMatch(/href="(?!#)/u);
    expect(page.match(/<\/style>/gu)).toHaveLength(1);
    expect(page.slice(0, page.indexOf("<body>")).match(/<\/title>/gu)).toHaveLength(1);
  });

  test("has no control characters, and no marks that turn text around", () => {
    // eslint-disable-next-line no-control-regex
    expect(page.search(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u)).toBe(-1);
  });

  test("shows every text as text", () => {
    expect(page).toContain("&lt;script>alert(1)&lt;/script>");
  });

  test("forbids every script and every request", () => {
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:;`,
    );
  });
});

test("a run of which nothing is known yet has a page", () => {
  expect(pageFile(runModel({ view: emptyView("r1"), events: [], owner: null }), noTexts)).toContain(
    "<h1>Run r1</h1>",
  );
});

const noTexts: RunTexts = { documents: {}, prompts: {}, outputs: {} };

function textsOf(evil: string): RunTexts {
  const text = {
    text: `# ${evil}\n\n[link](javascript:alert(1)) ![i](http://example.org/i.png) ${evil}`,
    bytes: 9,
    cut: true,
  };
  return { documents: { spec: text }, prompts: { "coder#1": text }, outputs: { "coder#1": text } };
}

function modelOf(evil: string) {
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
