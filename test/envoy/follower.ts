/** An agent that knows nothing but what `envoy protocol` prints, and runs the commands of each step as they stand there. */
import { writeFile } from "node:fs/promises";
import { expect } from "vitest";
import type { GateWorld } from "./gate-world.ts";
import type { Hands, Said } from "./hands.ts";
import { walkthrough, type Json } from "./plan-world.ts";
import { commandsIn, fill, stepsIn } from "./printed.ts";

export interface Work {
  readonly protocol: "implementation" | "debugging";
  readonly id: string;
  /** What the agent writes when it implements, one after the other. */
  readonly edits: readonly Readonly<Record<string, string>>[];
  /** What a person answers to the gates, in this order; where there is nothing somebody else answers. */
  readonly person: readonly (readonly [
    gate: string,
    fields: Readonly<Record<string, string>>,
    logs?: string,
  ])[];
  /** What it writes to resolve a conflict; without it a conflict is a failure. */
  readonly resolved?: Readonly<Record<string, string>>;
}

export interface Followed {
  /** The first two words of each command. */
  readonly ran: readonly string[];
  readonly merged: boolean;
}

export async function follow(world: GateWorld, hands: Hands, work: Work): Promise<Followed> {
  const { protocol, id, person, resolved } = work;
  const steps = stepsIn(await hands.print(protocol));
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
  const say = async (command: string): Promise<Said> => {
    const words = fill(command, valuesNow());
    ran.push(words.slice(0, 2).join(" "));
    if (answers.length > 0 && words.some((word) => word.startsWith("block-"))) await letPersonAnswer(words);
    const said = await hands.call(words, state.cwd);
    if (said.status === "success" && words[1] === "worktree") state.cwd = String(said.data["path"]);
    return said;
  };
  const call = async (command: string): Promise<Json> => {
    const said = await say(command);
    expect([command, said]).toMatchObject([command, { status: "success" }]);
    return said.status === "success" ? said.data : {};
  };
  const letPersonAnswer = async (words: readonly string[]) => {
    const [gate, fields, logs] = answers[0] ?? ["", {}];
    const asked = await hands.call([...words, "--wait", "0"], state.cwd);
    if (asked.status === "success" || gate === "") return;
    expect(asked.error).toMatchObject({ type: "waiting_for_person" });
    answers.shift();
    if (logs !== undefined) await writeFile(world.place(`${gate}_logs.md`), logs);
    await world.answer(gate, fields);
  };
  const edit = () => hands.write(state.cwd, edits.shift() ?? {});
  const refine = (source: "review" | "testing", text: unknown) => {
    state.iteration += 1;
    state.type = `${source}-refinement`;
    state.reason = `${source === "review" ? "Review" : "Testing"} feedback: ${String(text)}`;
  };
  const within = (step: string | undefined, part: string) =>
    commandsIn(step ?? "").find((one) => one.includes(part)) ?? "";
  /** The next two steps are repeated until it passes. */
  const review = async (command: string, following: readonly string[]) => {
    for (let said = await call(command); said["verdict"] !== "passed"; said = await call(command)) {
      refine("review", said["suggested_changes"]);
      await edit();
      await call(within(following[0], "record-implementation"));
      await call(within(following[1], "git commit"));
    }
  };
  /** As the refusal suggests. */
  const merge = async (command: string) => {
    const said = await say(command);
    if (said.status === "success") return;
    expect([said.error.type, resolved]).toEqual(["merge_conflict", expect.any(Object)]);
    const [, update = ""] = /(envoy git update-worktree [^(]*) \(/u.exec(said.error.suggestion) ?? [];
    expect((await call(update))["conflicts"]).toEqual(Object.keys(resolved ?? {}));
    await hands.write(state.cwd, resolved ?? {});
    await call(within(steps.at(-2), "git commit"));
    // By now another tree was shown to whoever approved.
    const lapsed = await say(command);
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
      const { passed, ...told } = await call(tested);
      if (passed === true) continue;
      refine("testing", told["user_required_changes"] ?? told["refinements"]);
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
  const done = await hands.call(["plan", "complete-prompt", ...id.split(" ")], state.cwd);
  return { ran, merged: done.status === "success" && done.data["status"] === "merged" };
}
