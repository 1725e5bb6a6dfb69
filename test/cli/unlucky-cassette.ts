/** Agents that trip each breaker once: rounds, refusals and crashes in the order of the phases. */
import * as z from "zod";
import { act, answers, reviews, slugify } from "../orchestrate/turns.ts";
import { golden, type CassetteFile } from "../orchestrate/world.ts";

const spec = (content: string) => act("WRITTEN", { write: { ".claude/temp/spec.md": content } });
const code = (content: string) => act("GC", { write: { "src/slugify.js": content } });
const full = { ...act("BL"), does: [{ usage: { context: 0.81 } }] };
const planReview = (verdict: string, issues: string) =>
  `VERDICT: ${verdict}\nISSUES: ${issues}\nSUGGESTIONS: none\n`;
const noTest = `import assert from "node:assert/strict";
import { test } from "node:test";
test("FR1 FR2 EC1 EC2 ERR1", () => assert.equal(1, 1));
`;

/** @param flag while this file exists, FR1 fails; only the final proof sees it */
export async function unluckyCassette(flag: string): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const [questions = full, written = full] = roles.intake;
  const [planned = full] = roles.planner;
  const { content } = z.object({ content: z.string() }).parse(roles.tester[0]?.does?.[0]?.["write"]);
  const tests = content
    .replace("import { slugify }", 'import { existsSync } from "node:fs";\nimport { slugify }')
    .replace('"HELLO"), "hello"', `"HELLO"), existsSync("${flag}") ? "broken" : "hello"`);
  const needed = answers(planReview("NEEDS_WORK", "\n- EC1 is vague"));
  const alsoNeeded = reviews("plan-review.md", "NEEDS_WORK", planReview("NEEDS_WORK", "\n- no limit"));
  return {
    ...rest,
    roles: {
      ...roles,
      intake: [full, full, full, { does: [{ crash: 3 }] }, questions, spec("# A\n"), spec("# B\n"), written],
      planner: [planned, planned, planned, planned],
      gemini: [needed, needed, needed, ...roles.gemini],
      claude: [alsoNeeded, alsoNeeded, alsoNeeded, ...roles.claude],
      tester: [
        act("RC", { write: { "test/slugify.test.js": noTest } }),
        act("RC", { write: { "test/slugify.test.js": tests } }),
      ],
      coder: [
        slugify.careless,
        slugify.careless,
        slugify.constant("x"),
        slugify.constant("y"),
        slugify.right,
      ].map(code),
    },
  };
}
