/** Calls every command as a line in one repository and as a tool in another, and compares the answers. */
import { expect } from "vitest";
import { createPlanWorld, type PlanWorld } from "./plan-world.ts";
import { allCommands } from "./all-commands.ts";
import { toolAgent, toolCall } from "./tool-agent.ts";

export async function expectSameAnswers(): Promise<void> {
  const [byLine, byTool] = [await createPlanWorld(), await createPlanWorld()];
  const other = await toolAgent(byTool);
  try {
    const steps = allCommands(byTool);
    for (const [at, step] of allCommands(byLine).entries()) {
      const toolStep = steps[at];
      if (typeof step === "function") {
        await step();
        if (typeof toolStep === "function") await toolStep();
        continue;
      }
      const line = [...(step[0] ?? "").split(" "), ...step.slice(1)];
      const { tool, args } = toolCall(other.tools, line);
      const { text, isError } = await other.ask(tool.name, args);
      expect([line, isError, masked(byTool, text)]).toEqual([
        line,
        false,
        masked(byLine, JSON.stringify({ version: 1, status: "success", data: await byLine.ok(line) })),
      ]);
    }
  } finally {
    await other.close();
  }
}

/** Masks paths, times, hashes and ids. */
function masked({ repository, env }: PlanWorld, text: string): string {
  const places = [repository.dir, env["HOME"] ?? ""].reduce(
    (rest, place) => rest.replaceAll(place, "HERE"),
    text,
  );
  return places
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "TIME")
    .replaceAll(/\b[0-9a-f]{7,64}\b/gu, "HASH")
    .replaceAll(/\b(?=[a-z]*\d)[a-z0-9]{12}\b/gu, "ID")
    .replaceAll(/"duration_ms":\d+/gu, '"duration_ms":0')
    .replaceAll(/state\/[^/"]+/gu, "state/REPOSITORY");
}
