/** The slash commands of `init`, tested by the tool call that each contains (RIP-05). */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { refereeTools } from "../../src/mcp/referee-tools.ts";
import { verifies } from "../verifies.ts";
import { openSession, type HookSession } from "./session.ts";

let session: HookSession;
const folder = () => join(session.world.repository.dir, ".claude/commands");

beforeAll(async () => {
  session = await openSession("riper");
  await session.world.cli(["init", "--claude", "--protocol", "riper"]);
  await session.referee.enter({ mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
});

/** Expands `/NAME ARGUMENTS` as Claude Code does, and makes the tool call in it. */
async function typed(name: string, args = ""): Promise<string> {
  const text = (await readFile(join(folder(), `${name}.md`), "utf8")).replaceAll("$ARGUMENTS", args);
  const calls = [...text.matchAll(/tool `(\w+)` of Mettle with exactly `(\{.*?\})`/gu)];
  expect(calls.map(([, tool]) => tool)).toEqual(["enter"]);
  const wish = JSON.parse(calls[0]?.[2] ?? "") as { readonly mode: string; readonly ctx?: string };
  const { content } = await refereeTools(() => Promise.resolve(session.referee)).call("enter", {
    ...wish,
    ...(wish.ctx === undefined ? {} : { ctx: wish.ctx.replaceAll(" ", ":") }),
  });
  return content[0]?.type === "text" ? content[0].text : "";
}

/** Mode, line and role of a dispatch. */
async function entered(
  name: string,
  args = "",
): Promise<readonly [mode: string, line: string, role: string]> {
  const { mode, line, role } = JSON.parse(await typed(name, args)) as Record<string, string>;
  return [mode ?? "", line ?? "", role ?? ""];
}

verifies("RIP-05", "six commands are installed; each enters its mode and shows its line", async () => {
  expect((await readdir(folder())).toSorted()).toEqual(
    ["arch-critic", "handoff", "p", "plan-critic", "rev", "tdd-execute"].map((name) => `${name}.md`),
  );
  for (const name of ["p", "plan-critic", "tdd-execute", "rev"])
    expect(await typed(name)).toMatch(/^error\[/u);
  await session.playTo("Ω₂ᴬ");
  expect(await entered("arch-critic", "Λ₁")).toEqual(["Ω₂ᴬ", "Ω₂ᴬ[CTX:Λ₁]", "arch_critic"]);
  expect(await typed("arch-critic")).toMatch(/^error\[missing_param\]/u);
  await session.referee.report({ status: "ACCEPT", message: "good" });
  expect(await entered("arch-critic", "Λ₂ slugify")).toEqual(["Ω₂ᴬ", "Ω₂ᴬ[CTX:Λ₂:slugify]", "arch_critic"]);
  await session.playTo("Ω₃ᴾ");
  const plan = await entered("p");
  expect(plan).toEqual(["Ω₃ᴾ", expect.stringMatching(/^Ω₃ᴾ\[SPLAN_\w+,R0\]$/u), "planner"]);
  expect(await typed("plan-critic")).toMatch(/^error\[/u);
  await session.playTo("Ω₄ᶜ");
  expect(await entered("plan-critic")).toEqual([
    "Ω₄ᶜ",
    expect.stringMatching(/^Ω₄ᶜ\[SPLAN_\w+,R0\]$/u),
    "plan_critic",
  ]);
  await session.playTo("QA");
  expect(await entered("tdd-execute")).toEqual([
    "Ω₅ᵀ",
    expect.stringMatching(/^QA\[STDD_\w+,R0,C1,P:ℜ\]$/u),
    "qa",
  ]);
  expect(await typed("rev")).toMatch(/^error\[cycles_open\]/u);
  // The shortest way to the review is a cycle that QA cannot begin.
  await session.referee.report({ status: "BL", message: "I don't know what a slug is" });
  await session.playTo("Ω₆ⱽ");
  expect(await entered("rev")).toEqual(["Ω₆ⱽ", "Ω₆ⱽ[]", "reviewer"]);
});

test("the command /handoff names the tool and its two arguments", async () => {
  const text = await readFile(join(folder(), "handoff.md"), "utf8");
  expect(text).toContain('tool `handoff` of Mettle with `{"to": MODE, "summary": SUMMARY}`');
  const tool = refereeTools(() => Promise.resolve(session.referee))
    .tools()
    .find(({ name }) => name === "handoff");
  expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(["to", "summary"]);
});
