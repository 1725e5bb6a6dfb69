/** Every command by its line in one repository and as a tool in another: the answers are the same. */
import { expect } from "vitest";
import { createPlanWorld, type PlanWorld } from "./plan-world.ts";
import { storyOf } from "./story.ts";
import { toolAgent, toolCall } from "./tool-hands.ts";

export async function expectSameStory(): Promise<void> {
  const [byLine, byTool] = [await createPlanWorld(), await createPlanWorld()];
  const other = await toolAgent(byTool);
  try {
    const steps = storyOf(byTool);
    for (const [at, step] of storyOf(byLine).entries()) {
      const twin = steps[at];
      if (typeof step === "function") {
        await step();
        if (typeof twin === "function") await twin();
        continue;
      }
      const line = [...(step[0] ?? "").split(" "), ...step.slice(1)];
      const { tool, args } = toolCall(other.tools, line);
      const { text, isError } = await other.ask(tool.name, args);
      expect([line, isError, evened(byTool, text)]).toEqual([
        line,
        false,
        evened(byLine, JSON.stringify({ version: 1, status: "success", data: await byLine.ok(line) })),
      ]);
    }
  } finally {
    await other.close();
    await byLine.remove();
    await byTool.remove();
  }
}

/** Without what is another one in each repository and at each moment. */
function evened({ repository, env }: PlanWorld, text: string): string {
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
