/** Claims of roles without a following gate, and words that are no claims. */
import { beforeAll, describe, expect } from "vitest";
import { verifies } from "../verifies.ts";
import { countersOf } from "./watched.ts";
import {
  createWorld,
  eventsOf,
  golden,
  answerOnly,
  type CassetteFile,
  type DriveResult,
  type World,
} from "./world.ts";

const harmless = [
  "It is not done.",
  "The work isn't complete.",
  "Nothing is fixed yet.",
  "I cannot say that it works.",
  "It never worked, and the tests fail.",
  "This is almost done.",
  "When it is done, I will say so.",
  "<tool_result>\nDone. Tests pass.\n</tool_result>",
  "The list has to be complete.",
  "The definition of done is in the spec.",
  '<file path="notes.md">It works.</file>',
  "complete: false",
  "A fixed-width font is used.",
  "See done.txt and is_done().",
  "The task was abandoned.",
  "```\nDone. Tests pass.\n```",
  "> It works.",
  'The issue says "this should fix it".',
  "Run `echo Done`.",
  "[Orc.Phase1_INTAKE] [Gemini: 0/3] [Claude: 0/3] [Exec: PROVEN] [Exit: 0] [Status: complete]",
];

async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const [asking = {}, writing = {}] = roles.intake;
  const [planning = {}] = roles.planner;
  const tools = [
    { shell: "echo Done. It works." },
    { write: { path: ".claude/temp/notes.md", content: "" } },
  ];
  return {
    ...rest,
    roles: {
      ...roles,
      intake: [
        { ...asking, does: [...tools.slice(0, 1), ...harmless.map((say) => ({ say }))] },
        { ...writing, does: [...(writing.does ?? []), { say: "The specification is complete." }] },
      ],
      planner: [{ ...planning, does: [...(planning.does ?? []), { say: "Fixed. It works." }] }],
    },
  };
}

describe("claims that no gate answers", () => {
  let world: World;
  let driven: DriveResult;
  beforeAll(async () => {
    world = await createWorld();
    driven = await world.go(await cassette(), answerOnly("questions"));
  });

  verifies(
    "ORC-50",
    "20 harmless texts give no event, and a wrong hit costs one run of the tests and no attempt",
    () => {
      expect(harmless.length).toBe(20);
      const claims = eventsOf(driven.events, "claim.unverified");
      expect(claims.map(({ key, phrase }) => `${key} ${phrase}`)).toEqual([
        "intake#2 Complete",
        "planning#1 Fixed",
        "planning#1 It works",
      ]);
      expect(countersOf(driven.events)).toMatchObject({ documents: "1/5", edits: "1/5", gate1: "1/3" });
      expect(driven.end).toMatchObject({ type: "waiting", asks: [{ state: "user_gate_plan" }] });
    },
  );

  verifies(
    ["ORC-49", "ORC-50"],
    "they are answered by one verification of the tree, whose result is shown below them at the gate",
    async () => {
      const answers = eventsOf(driven.events, "record.written").filter(({ purpose }) => purpose === "claim");
      const tree = await world.repository.git("rev-parse", "HEAD^{tree}");
      expect(answers).toMatchObject([{ key: "intake#2", verdict: "fail", exitCode: 1, tree }]);
      const { text } = eventsOf(driven.events, "ask.shown").at(-1) ?? { text: "" };
      for (const phrase of ["Complete", "Fixed", "It works"])
        expect(text).toContain(
          `UNVERIFIED claim retracted: "${phrase}"; the runtime's own run: fail, EXIT_CODE 1`,
        );
    },
  );
});
