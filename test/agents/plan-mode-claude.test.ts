/** Ω₁ᴾ in the plan mode of a session of the real Claude Code, with a scripted model and person. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, expect } from "vitest";
import * as z from "zod";
import { currentProcess } from "../../src/config/owner.ts";
import { refereeOf } from "../../src/referee/referee.ts";
import { createCyclesWorld } from "../cycles/world.ts";
import type { World } from "../orchestrate/world.ts";
import { answersIn } from "../support/conversation.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";
import { call } from "../support/session-model.ts";
import type { ModelRequest, ModelStep } from "../support/wire.ts";
import { verifies } from "../verifies.ts";
import { environmentOf, initSessions, type Environment } from "./person-session.ts";

const sections = {
  "Architecture Design": "One pure function on top of words().",
  "Module Specifications": "### slugify\n\n`slugify(text)` gives a slug.",
  "Tech Stack": "JavaScript, node:test.",
};
const planOf = (names: readonly (keyof typeof sections)[]) =>
  `# Plan\n\n${names.map((name) => `## ${name}\n\n${sections[name]}\n`).join("\n")}`;

/** Claude Code tells the model the path of the plan file. */
const write =
  (content: string) =>
  (request: ModelRequest): ModelStep => {
    const [file = ""] = /\/[^\s"`\\]*\/plans\/[\w-]+\.md/u.exec(request.body) ?? [];
    return { tools: [{ name: "Write", input: { file_path: file, content } }] };
  };
const leave = (): ModelStep => ({ tools: [{ name: "ExitPlanMode", input: {} }] });
const turns: readonly ((request: ModelRequest) => ModelStep)[] = [
  () => call("enter", { mode: "O1P", ctx: "Add slugify(text)" }),
  write(planOf(["Architecture Design", "Module Specifications"])),
  leave,
  write(planOf(["Architecture Design", "Module Specifications", "Tech Stack"])),
  leave,
  leave,
  () => ({ text: "I wait for the person." }),
];

const Line = z.object({
  type: z.string(),
  request_id: z.string().optional(),
  request: z.object({ tool_name: z.string().optional(), input: z.unknown() }).optional(),
});

withRealClaude("the plan mode of a session of the real Claude Code", (file) => {
  let world: World;
  let server: ModelServer;
  let env: Environment;
  /** σ₂ at each question to the person. */
  const snapshots: string[] = [];
  const σ2 = () => readFile(join(world.repository.dir, "memory-bank/systemPatterns.md"), "utf8");
  beforeAll(async () => {
    server = await startModelServer();
    world = await createCyclesWorld();
    env = await environmentOf(world, server);
    await initSessions(world);
    const left = [...turns];
    server.scriptWith((request) => left.shift()?.(request) ?? { text: "nothing is left" });
    await session();
  }, 180_000);

  /** The person allows the start of the run, and declines the first plan. */
  const session = async (): Promise<void> => {
    const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    const argv = [
      "--permission-mode",
      "plan",
      "--permission-prompt-tool",
      "stdio",
      "--allowedTools",
      "mcp__mettle",
    ];
    const child = spawn(file, ["--print", ...streams, ...argv], {
      cwd: world.repository.dir,
      env,
      timeout: 120_000,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    say({ type: "user", message: { role: "user", content: "Plan slugify(text) with Mettle." } });
    for await (const text of createInterface(child.stdout)) {
      const { type, request_id, request } = Line.parse(JSON.parse(text));
      if (type === "result") child.stdin.end();
      if (type !== "control_request") continue;
      const isPlan = request?.tool_name === "ExitPlanMode";
      if (isPlan) snapshots.push(await σ2());
      const response =
        isPlan && snapshots.length === 1
          ? { behavior: "deny", message: "not yet" }
          : { behavior: "allow", updatedInput: request?.input };
      say({ type: "control_response", response: { subtype: "success", request_id, response } });
    }
  };
  const answers = () => answersIn(server.requests.at(-1) ?? { body: '{"messages":[]}' });

  verifies(
    "TDP-06",
    "an incomplete plan is refused before the person is asked; an approved plan is σ₂ and leads to Ω₂ᴬ",
    async () => {
      const left = answers().filter(({ tool }) => tool === "ExitPlanMode");
      expect(left.map(({ isError }) => isError)).toEqual([true, true, false]);
      expect(left[0]?.text).toMatch(/Mettle: the plan needs the headings .* Missing: "Tech Stack"\./u);
      const [, address = ""] = /mettle show (\S+)`/u.exec(left[0]?.text ?? "") ?? [];
      expect((await world.cli(["show", address])).stdout).toContain(sections["Architecture Design"]);
      expect(snapshots).toHaveLength(2);
      for (const text of snapshots) expect(text).not.toContain(sections["Tech Stack"]);
      const design = await σ2();
      for (const part of [sections["Architecture Design"], "### slugify", sections["Tech Stack"]])
        expect(design).toContain(part);
      const { state, line } = await refereeOf(world.host, currentProcess()).status();
      expect({ state, line }).toMatchObject({ state: { Ω_current: "Ω₂ᴬ" }, line: "Ω₂ᴬ[CTX:Λ₁]" });
      expect(server.requests.at(-1)?.body).toContain("The next dispatch is Ω₂ᴬ[CTX:Λ₁]");
    },
  );
});
