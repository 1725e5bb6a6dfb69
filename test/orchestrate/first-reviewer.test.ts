/**
 * The first reviewer on different machines: five runs to the first gate, with the same review by different ways.
 * @module-tag ci
 */
import { shippedFamilies } from "../../src/families/families.ts";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Env } from "../../src/config/env.ts";
import { runResult } from "../../src/cli/run-result.ts";
import type { EventOf } from "../../src/log/run-event.ts";
import { drive } from "../../src/engine/drive.ts";
import { latestReviews } from "../../src/run/latest-reviews.ts";
import { openHost, type OpenHost } from "../../src/run/host.ts";
import { finishRun, prepareRun } from "../../src/engine/lifecycle.ts";
import { openRun } from "../../src/families/open-run.ts";
import { startRun } from "../../src/engine/start/start-run.ts";
import { gateText } from "../../src/views/gate/review-text.ts";
import { stateLineOf } from "../../src/views/run/run-state-line.ts";
import { verifies } from "../verifies.ts";
import { installStubClaude, type ClaudeCall } from "./stub-claude.ts";
import { createWorld, golden, answerOnly, type World } from "./world.ts";

const answer = `VERDICT: APPROVED
ISSUES: none
SUGGESTIONS:
- say what the slug of a number is
→APPROVED: fine
`;
const mark = "same-vendor review";
const support = (name: string) => fileURLToPath(new URL(`../support/${name}`, import.meta.url));

interface ReviewResult {
  /** Reviewer 1's result without its way and time, because both reviewers work in parallel. */
  readonly review: Omit<EventOf<"review.given">, "agent">;
  readonly agent: string;
  /** Verdict and marks of the gate in its record. */
  readonly record: { readonly verdict: string; readonly findings: readonly string[] };
  readonly gate: string;
  readonly summary: string;
  readonly stateLine: string | null;
}

describe("reviewer 1", () => {
  let world: World;
  let claudeOnly: Env;
  let withGemini: Env;
  let answerFile = "";
  let callsOfClaude: () => Promise<readonly ClaudeCall[]>;
  const hosts: OpenHost[] = [];
  beforeAll(async () => {
    world = await createWorld();
    answerFile = join(world.home, "answer.txt");
    await writeFile(answerFile, answer);
    const { env, calls } = await installStubClaude(world, await golden());
    callsOfClaude = calls;
    // The machine of this test may have a Gemini login.
    const none = { GEMINI_API_KEY: "", GOOGLE_API_KEY: "", GOOGLE_GENAI_USE_VERTEXAI: "" };
    claudeOnly = {
      METTLE_HOME: world.home,
      METTLE_SANDBOX: "off",
      METTLE_MUTATION_BUDGET: "0",
      HOME: world.home,
      ...none,
      ...env,
    };
    withGemini = { ...(await installGemini("0.61.0")), GEMINI_API_KEY: "dummy-key-of-the-test" };
  });
  afterAll(async () => {
    for (const host of hosts) await host.journal.close();
  });

  /** A machine with a stub of this version first on PATH. */
  const installGemini = async (version: string): Promise<Env> => {
    const bin = join(world.home, `gemini-${version}`);
    await mkdir(bin);
    const calls = join(world.home, "gemini-calls.jsonl");
    const program = [process.execPath, support("gemini-stub.mjs"), version, answerFile, calls];
    await writeFile(
      join(bin, "gemini"),
      `#!/bin/sh\nexec ${program.map((part) => `"${part}"`).join(" ")} "$@"\n`,
    );
    await chmod(join(bin, "gemini"), 0o755);
    return { ...claudeOnly, PATH: `${bin}:${claudeOnly["PATH"] ?? ""}` };
  };

  const start = async (env: Env, settings: string | null): Promise<{ host: OpenHost; run: string }> => {
    await writeFile(join(world.repository.dir, "mettle.yaml"), `version: 1\n${settings ?? ""}`);
    const host = await openHost(world.repository.dir, env);
    hosts.push(host);
    const options = { task: "Add slugify(text)", protocol: "orchestrate", preapproved: [], demo: false };
    const { run } = await startRun(host, { ...options, agents: {} }, shippedFamilies);
    return { host, run };
  };

  const review = async (env: Env, settings: string | null): Promise<ReviewResult> => {
    // The stub of Claude Code counts its calls, and each run is its first.
    await rm(join(world.home, "calls.jsonl"), { force: true });
    const { host, run } = await start(env, settings);
    const context = await openRun(host, { run });
    await prepareRun(context);
    const signal = new AbortController().signal;
    const end = await drive(context, { signal, answer: (ask) => answerOnly("questions")(context, ask) });
    await finishRun(context, end);
    const { view } = context.session;
    const first = view.reviews.find(({ reviewer }) => reviewer === "gemini");
    const judged = view.judged.findLast(({ gate }) => gate === "gate1");
    if (!first || !judged) throw new Error(`gate 1 was not judged: ${JSON.stringify(end)}`);
    const { agent, at: _at, seq: _seq, ...given } = first;
    const record = JSON.parse(await host.payloads.text(judged.ref)) as {
      verdict: string;
      findings: { message: string }[];
    };
    return {
      review: given,
      agent,
      record: { verdict: record.verdict, findings: record.findings.map(({ message }) => message) },
      gate: gateText(latestReviews(view, 1)),
      summary: (await runResult(context, { type: "ended", outcome: "" })).text,
      stateLine: stateLineOf(view),
    };
  };

  describe("without a configured reviewer", () => {
    let cli: ReviewResult;
    let mcp: ReviewResult;
    let alone: ReviewResult;
    let callsAlone: readonly ClaudeCall[];
    beforeAll(async () => {
      cli = await review(withGemini, null);
      const server = [
        process.execPath,
        support("mcp-stub.mjs"),
        "ask-gemini",
        join(world.home, "asked.json"),
        answerFile,
      ];
      mcp = await review(
        claudeOnly,
        `reviewers: ${JSON.stringify({ gemini: { via: "mcp", server, tool: "ask-gemini" } })}\n`,
      );
      alone = await review(claudeOnly, null);
      callsAlone = await callsOfClaude();
    });

    verifies(
      "ORC-63",
      "is Gemini by its CLI or by its MCP tool, with one record for one answer",
      async () => {
        expect([cli.agent, mcp.agent]).toEqual(["gemini", "mcp:gemini"]);
        expect(cli.review).toMatchObject({
          label: "Gemini",
          vendor: "google",
          verdict: "APPROVED",
          suggestions: ["say what the slug of a number is"],
        });
        expect(mcp.review).toEqual(cli.review);
        expect(mcp.record).toEqual(cli.record);
        expect(cli.record).toEqual({ verdict: "pass", findings: [] });
        const asked = JSON.parse(await readFile(join(world.home, "asked.json"), "utf8")) as {
          prompt: string;
        };
        const called = JSON.parse(
          (await readFile(join(world.home, "gemini-calls.jsonl"), "utf8")).split("\n")[0] ?? "",
        ) as { input: string };
        expect(called.input.replace(/^.*\n/u, "")).toBe(asked.prompt);
      },
    );

    verifies(
      "ORC-63",
      "is a second isolated Claude on a machine without Gemini, marked at gate, summary and record",
      () => {
        expect(alone.agent).toBe("claude");
        expect(alone.review.vendor).toBe("anthropic");
        expect(alone.stateLine).toContain("[Claude 1: 1/3] [Claude 2: 1/3]");
        const both = callsAlone.slice(-2);
        const own = both.flatMap(({ argv, cwd, config }) => [
          argv[argv.indexOf("--session-id") + 1],
          cwd,
          config,
        ]);
        expect(new Set(own).size).toBe(6);
        expect(both.flatMap(({ files }) => files)).not.toContain(".claude/temp/plan-review.md");
        expect(alone.record).toEqual({ verdict: "pass", findings: [expect.stringContaining(mark)] });
        expect(alone.gate).toContain(`⚠️ ${mark}`);
        expect(alone.summary).toContain(`[${mark}]`);
        expect(`${cli.gate}${cli.summary}`).not.toContain(mark);
      },
    );
  });

  verifies(
    "ORC-63",
    "is the first installed other vendor without Gemini, and a configured default keeps both",
    async () => {
      const mine = { run: ["cat", answerFile], vendor: "someone" };
      const lost = { run: ["/nowhere/program"], vendor: "nobody" };
      const commands = `agents: ${JSON.stringify({ commands: { lost, mine } })}\n`;
      const chosenIn = async (settings: string) => {
        const { host, run } = await start(claudeOnly, settings);
        const context = await openRun(host, { run });
        return [context.settings.agents.roles["gemini"], context.started.reviewers];
      };
      expect(await chosenIn(commands)).toEqual(["mine", ["Mine", "Claude"]]);
      const named = JSON.stringify({ default: "claude", commands: { mine } });
      expect(await chosenIn(`agents: ${named}\n`)).toEqual([undefined, ["Claude 1", "Claude 2"]]);
    },
  );

  test("is kept by a resumed run on a machine without Gemini, and named if it cannot work", async () => {
    const { run } = await start(withGemini, null);
    const later = await openHost(world.repository.dir, claudeOnly);
    hosts.push(later);
    const { settings, started } = await openRun(later, { run });
    expect([settings.agents.roles["gemini"], started.reviewers]).toEqual(["gemini", ["Gemini", "Claude"]]);
    const old = { ...(await installGemini("0.1.0")), GEMINI_API_KEY: "dummy-key-of-the-test" };
    await expect(start(old, null)).rejects.toMatchObject({
      code: "agent_outdated",
      message: "the agent gemini for gemini cannot work: its version 0.1.0 is older than 0.61.0",
    });
  });

  verifies(
    "ORC-64",
    "has the name of its configured agent, and two reviewers of one vendor are marked everywhere",
    async () => {
      const house = { run: ["cat", answerFile], vendor: "openai" };
      const mapped = await review(
        withGemini,
        `agents: ${JSON.stringify({ roles: { gemini: "house" }, commands: { house } })}\n`,
      );
      expect(mapped.stateLine).toContain("[House: 1/3] [Claude: 1/3]");
      expect(mapped.record).toEqual({ verdict: "pass", findings: [] });
      expect(`${mapped.gate}${mapped.summary}`).not.toContain(mark);
      const both = await review(withGemini, "reviewers: [claude, claude]\n");
      expect(both.stateLine).toContain("[Claude 1: 1/3] [Claude 2: 1/3]");
      expect(both.record).toEqual({ verdict: "pass", findings: [expect.stringContaining(mark)] });
      expect(both.gate).toContain(`⚠️ ${mark}`);
      expect(both.summary).toContain(`[${mark}]`);
    },
  );
});
