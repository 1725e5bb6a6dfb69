/** An agent that knows only the output of `envoy protocol` and runs the commands of each step as printed. */
import { writeFile } from "node:fs/promises";
import { expect } from "vitest";
import type { GateWorld } from "./gate-world.ts";
import type { TestAgent, EnvoyReply } from "./test-agent.ts";
import { walkthrough, type Json } from "./plan-world.ts";
import { commandsIn, fillCommand, stepsIn } from "./printed-steps.ts";

export interface Work {
  readonly protocol: "implementation" | "debugging";
  readonly id: string;
  /** The files that the agent writes, one entry per iteration. */
  readonly edits: readonly Readonly<Record<string, string>>[];
  /** A person's answers to the gates, in this order; without them another part of the test answers. */
  readonly person: readonly (readonly [
    gate: string,
    fields: Readonly<Record<string, string>>,
    logs?: string,
  ])[];
  /** The files that resolve a conflict; without them a conflict fails the test. */
  readonly resolved?: Readonly<Record<string, string>>;
}

export interface FollowResult {
  /** The first two words of each command. */
  readonly ran: readonly string[];
  readonly merged: boolean;
}

export async function follow(world: GateWorld, agent: TestAgent, work: Work): Promise<FollowResult> {
  const { protocol, id, person, resolved } = work;
  const steps = stepsIn(await agent.print(protocol));
  const answers = [...person];
  const edits = [...work.edits];
  const ran: string[] = [];
  const state = { iteration: 1, reason: "", type: "initial", cwd: world.repository.dir };
  const [number = "", variant = null] = id.split(" ");

  const valuesNow = () => ({
    "<PROMPT_NUM>": number,
    "<VARIANT>": variant,
    "<AGENT_NAME>": "worker",
    "<WORKTREE_BRANCH>": `feature/x--implementation-${id.replace(" ", "-")}`,
    "<ITERATION>": `${state.iteration}`,
    "<STRUCTURED_WALKTHROUGH>": walkthrough(state.iteration, state.type),
    "<REFINEMENT_REASON>": state.reason === "" ? null : state.reason,
    "<MESSAGE>": `Iteration ${state.iteration}`,
  });
  const run = async (command: string): Promise<EnvoyReply> => {
    const words = fillCommand(command, valuesNow());
    ran.push(words.slice(0, 2).join(" "));
    if (answers.length > 0 && words.some((word) => word.startsWith("block-"))) await letPersonAnswer(words);
    const reply = await agent.call(words, state.cwd);
    if (reply.status === "success" && words[1] === "worktree") state.cwd = String(reply.data["path"]);
    return reply;
  };
  const call = async (command: string): Promise<Json> => {
    const reply = await run(command);
    expect([command, reply]).toMatchObject([command, { status: "success" }]);
    return reply.status === "success" ? reply.data : {};
  };
  const letPersonAnswer = async (words: readonly string[]) => {
    const [gate, fields, logs] = answers[0] ?? ["", {}];
    const opened = await agent.call([...words, "--wait", "0"], state.cwd);
    if (opened.status === "success" || gate === "") return;
    expect(opened.error).toMatchObject({ type: "waiting_for_person" });
    answers.shift();
    if (logs !== undefined) await writeFile(world.place(`${gate}_logs.md`), logs);
    await world.answer(gate, fields);
  };
  const edit = () => agent.write(state.cwd, edits.shift() ?? {});
  const refine = (source: "review" | "testing", text: unknown) => {
    state.iteration += 1;
    state.type = `${source}-refinement`;
    state.reason = `${source === "review" ? "Review" : "Testing"} feedback: ${String(text)}`;
  };
  const within = (step: string | undefined, part: string) =>
    commandsIn(step ?? "").find((one) => one.includes(part)) ?? "";
  /** Repeats the next two steps until the review passes. */
  const review = async (command: string, following: readonly string[]) => {
    for (let reply = await call(command); reply["verdict"] !== "passed"; reply = await call(command)) {
      refine("review", reply["suggested_changes"]);
      await edit();
      await call(within(following[0], "record-implementation"));
      await call(within(following[1], "git commit"));
    }
  };
  /** Merges, and resolves a conflict as the error suggests. */
  const merge = async (command: string) => {
    const reply = await run(command);
    if (reply.status === "success") return;
    expect([reply.error.type, resolved]).toEqual(["merge_conflict", expect.any(Object)]);
    const [, update = ""] = /(envoy git update-worktree [^(]*) \(/u.exec(reply.error.suggestion) ?? [];
    expect((await call(update))["conflicts"]).toEqual(Object.keys(resolved ?? {}));
    await agent.write(state.cwd, resolved ?? {});
    await call(within(steps.at(-2), "git commit"));
    // The resolved tree is not the approved one.
    const lapsed = await run(command);
    expect(lapsed).toMatchObject({ error: { type: "approval_lapsed" } });
    const again = lapsed.status === "error" ? (lapsed.error.detail?.["repeat"] as readonly string[]) : [];
    for (const approval of again) await call(approval);
    await call(command);
  };

  let next = 1;
  for (let turns = 0; next <= steps.length; turns++) {
    expect(turns).toBeLessThan(60);
    const step = steps[next - 1] ?? "";
    const following = steps.slice(next);
    next += 1;
    const commands = commandsIn(step);
    const find = (part: string) => commands.find((command) => command.includes(part));
    const [judged, tested, chosen] = [find("gemini review"), find("testing-gate"), find("variants-gate")];
    if (step.startsWith("Implement ")) await edit();
    else if (step.startsWith("If suggested_changes")) continue;
    else if (judged !== undefined) await review(judged, following);
    else if (tested !== undefined) {
      const { passed, ...answer } = await call(tested);
      if (passed === true) continue;
      refine("testing", answer["user_required_changes"] ?? answer["refinements"]);
      next = Number(/\*\*Go to step (\d+)\*\*/u.exec(step)?.[1]);
    } else if (chosen !== undefined) {
      const { variant_solution } = await call(chosen);
      if (variant_solution === "main") continue;
      if (variant_solution === "discard") await call(find("discard-worktree") ?? "");
      return { ran, merged: false };
    } else if (find("git worktree") !== undefined) {
      await call(find("git worktree") ?? "");
      await call(find("diff-base") ?? "");
    } else
      for (const command of commands)
        await (command.includes("merge-worktree") ? merge(command) : call(command));
  }
  expect(answers).toEqual([]);
  const done = await agent.call(["plan", "complete-prompt", ...id.split(" ")], state.cwd);
  return { ran, merged: done.status === "success" && done.data["status"] === "merged" };
}
