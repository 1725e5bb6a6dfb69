/** Sets up a reviewer with scripted verdicts, in order. */
import { stringify } from "yaml";
import type { PlanWorld } from "./plan-world.ts";

export async function reviewer({ repository }: PlanWorld, ...verdicts: readonly object[]): Promise<void> {
  const turns = verdicts.map((one) => ({ does: [{ say: JSON.stringify(one) }] }));
  await repository.write({
    "mettle.yaml": "version: 1\nagents: { roles: { reviewer: 'scripted:review.yaml' } }\n",
    "review.yaml": stringify({ version: 1, kind: "cassette", roles: { reviewer: turns } }),
  });
}
