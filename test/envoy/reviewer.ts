/** A reviewer of the plan's prompts that says what is written down for it, one verdict after the other. */
import { stringify } from "yaml";
import type { PlanWorld } from "./plan-world.ts";

export async function reviewer({ repository }: PlanWorld, ...said: readonly object[]): Promise<void> {
  const turns = said.map((one) => ({ does: [{ say: JSON.stringify(one) }] }));
  await repository.write({
    "mettle.yaml": "version: 1\nagents: { roles: { reviewer: 'scripted:review.yaml' } }\n",
    "review.yaml": stringify({ version: 1, kind: "cassette", roles: { reviewer: turns } }),
  });
}
