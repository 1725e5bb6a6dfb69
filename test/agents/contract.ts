/** The contract of all adapters (CORE-50 to 53): the same tests run against each. */
import { spawnSync } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Agent, AgentEvent, AgentOutcome, AgentSpec } from "../../src/agents/agent.ts";
import { defaultSettings } from "../../src/config/settings.ts";
import { openAgentNetwork, type AgentNetwork } from "../../src/dispatch/sandbox/agent-network.ts";
import { confinementAt } from "../sandbox/confinement-at.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";

/** An act of the agent in its next turn, which every adapter's stage can translate. */
export type Act =
  | { readonly say: string }
  | { readonly write: { readonly path: string; readonly content: string } }
  /** A command for the agent's shell tool. */
  | { readonly shell: string }
  | { readonly hang: true }
  | { readonly fails: "rate_limited" | "auth" | "api_error" };

export interface AgentStage {
  readonly agent: Agent;
  /** Maximum time for two acts on a busy machine. */
  readonly patienceMs: number;
  /** Address of its model; missing: it needs none. */
  readonly model?: string;
  prepare(acts: readonly Act[], cwd: string): Promise<void>;
  /** What the agent received in its last turn: earlier turns that it remembers, and the prompt. */
  received(): Promise<string>;
}

export interface Played {
  readonly outcome: AgentOutcome;
  readonly events: readonly AgentEvent[];
  readonly ms: number;
}

/** All outcomes of a turn of an installed agent. */
const ends: readonly AgentOutcome["type"][] = [
  "ok",
  "max_turns",
  "budget",
  "rate_limited",
  "auth",
  "api_error",
  "schema_failed",
  "timeout",
  "aborted",
  "crashed",
];

export interface ContractOptions {
  /** Time limit of one test, for an agent that starts slowly. */
  readonly timeoutMs?: number;
  /** In the sandbox, as in a run. */
  readonly confined?: true;
  readonly tags?: "ci";
}

export function agentContract(
  name: string,
  createStage: () => Promise<AgentStage>,
  { timeoutMs = 30_000, confined, tags }: ContractOptions = {},
): void {
  const how = confined ? ", confined" : "";
  const options = { timeout: timeoutMs, ...(tags !== undefined && { tags }) };
  describe.skipIf(confined && !confinesHere())(`the agent ${name}${how}`, options, () => {
    let stage: AgentStage;
    let root: string;
    let cwd: string;
    beforeAll(async () => {
      stage = await createStage();
      root = newFolder();
      cwd = join(root, "work");
      await mkdir(cwd);
    });

    const play = async (
      acts: readonly Act[],
      given: Partial<AgentSpec> = {},
      signal = new AbortController().signal,
    ): Promise<Played> => {
      await stage.prepare(acts, cwd);
      const events: AgentEvent[] = [];
      const spec = specIn({ root, cwd, given });
      const network = confined ? await networkAt(spec, stage) : null;
      const confinement = network === null ? {} : { confinement: network.confinement };
      const started = Date.now();
      const outcome = await stage.agent.start(
        { ...spec, ...confinement },
        (event) => events.push(event),
        signal,
      );
      await network?.close();
      expect(ends).toContain(outcome.type);
      return { outcome, events, ms: Date.now() - started };
    };

    verifies("CORE-50", "is ready, and reports its version", async () => {
      expect(await stage.agent.probe()).toMatchObject({ type: "ready", version: expect.stringMatching(/./) });
    });

    verifies(
      "CORE-50",
      "gets its whole prompt, works in its folder, and reports its text and tool calls",
      async () => {
        const prompt = `Line one.\n\n--not-a-flag $HOME \`x\` ${"é".repeat(70_000)}\nlast line`;
        const { outcome, events } = await play(
          [{ write: { path: "made.txt", content: "made" } }, { say: "I made it" }],
          { prompt },
        );
        expect(outcome).toMatchObject({ type: "ok", text: expect.stringContaining("I made it") });
        expect(await readFile(join(cwd, "made.txt"), "utf8")).toBe("made");
        expect(events).toContainEqual({ type: "text", text: "I made it" });
        expect(await stage.received()).toContain(prompt);
      },
    );

    test("sees a new environment, its own home, and no input beside its prompt", async () => {
      process.env["METTLE_CONTRACT_CANARY"] = "of the caller";
      const { outcome, events } = await play([{ shell: "env > env.txt" }, { say: "looked" }]);
      delete process.env["METTLE_CONTRACT_CANARY"];
      expect(outcome.type).toBe("ok");
      const env = await readFile(join(cwd, "env.txt"), "utf8");
      expect(env).not.toContain("METTLE_CONTRACT_CANARY");
      expect(env).toContain(`HOME=${join(root, "home")}\n`);
      expect(events.some(({ type }) => type === "tool")).toBe(true);
    });

    for (const fails of ["rate_limited", "auth", "api_error"] as const)
      verifies("CORE-50", `${fails} is its own outcome`, async () => {
        const { outcome } = await play([{ fails }]);
        expect(outcome).toMatchObject({ type: fails, why: expect.stringMatching(/./) });
      });

    verifies("CORE-50", "ends at its deadline, with its detached children", async () => {
      const long = `300.${Date.now()}`;
      const script = `setsid sleep ${long} & echo $! > child.pid; wait`;
      const { outcome, ms } = await play([{ shell: script }, { hang: true }], {
        wallMs: stage.patienceMs,
      });
      expect(outcome.type).toBe("timeout");
      expect(ms).toBeLessThan(stage.patienceMs + 10_000);
      expect(await readFile(join(cwd, "child.pid"), "utf8")).toMatch(/^\d+\n$/);
      // By its command line, since it has another id in the sandbox.
      expect(spawnSync("pgrep", ["-f", `sleep ${long}`], { encoding: "utf8" }).stdout).toBe("");
    });

    verifies("CORE-50", "ends when it is stopped", async () => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), stage.patienceMs / 2);
      const { outcome, ms } = await play([{ hang: true }], {}, stop.signal);
      expect(outcome.type).toBe("aborted");
      expect(ms).toBeLessThan(stage.patienceMs / 2 + 10_000);
    });

    test("restarts a conversation that began before Mettle was killed", async () => {
      const conversation = { type: "new", id: crypto.randomUUID() } as const;
      await play([{ say: "half" }], { prompt: "the lost prompt", conversation });
      const { outcome } = await play([{ say: "whole" }], { prompt: "the prompt again", conversation });
      expect(outcome).toMatchObject({ type: "ok", text: expect.stringContaining("whole") });
      expect(await stage.received()).not.toContain("the lost prompt");
    });

    test("resumes a conversation if it can, and knows that it does", async () => {
      const id = "5b0e8a52-7a4f-4c0e-9f53-0d6c7cfb1f11";
      await play([{ say: "the first answer" }], {
        prompt: "the first prompt",
        conversation: { type: "new", id },
      });
      const next = { prompt: "the second prompt", conversation: { type: "resume", id } } as const;
      const { outcome } = await play([{ say: "the second answer" }], next);
      expect(outcome).toMatchObject({ type: "ok", text: expect.stringContaining("the second answer") });
      expect(outcome.text).not.toContain("the first answer");
      expect(await stage.received()).toContain("the second prompt");
      expect((await stage.received()).includes("the first prompt")).toBe(stage.agent.remembers);
    });
  });
}

/** A dispatch of the coder below `root`. */
export function specIn({
  root,
  cwd,
  given,
}: {
  root: string;
  cwd: string;
  given: Partial<AgentSpec>;
}): AgentSpec {
  const home = join(root, "home");
  return {
    run: "run",
    key: "coding#1",
    role: "coder",
    state: "coding",
    nth: 1,
    nudge: 0,
    cwd,
    home,
    prompt: "do it",
    env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8" },
    conversation: { type: "new", id: crypto.randomUUID() },
    tools: ["Read", "Write", "Bash"],
    model: null,
    mcp: null,
    schema: null,
    wallMs: 60_000,
    idleMs: 60_000,
    ...given,
  };
}

/** The sandbox of a run, from which only the stage's model can be reached. */
async function networkAt(spec: AgentSpec, { model = "", agent }: AgentStage): Promise<AgentNetwork> {
  const settings = defaultSettings();
  return openAgentNetwork(await confinementAt(spec), {
    agent,
    settings: { ...settings, agents: { ...settings.agents, env: ["MODEL_URL"] } },
    host: { path: "", env: { MODEL_URL: model }, node: process.execPath },
  });
}
