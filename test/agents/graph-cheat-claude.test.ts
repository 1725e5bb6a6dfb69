/** The demo's graph with an implementer that weakens a locked test, by the real Claude Code; the reviewers are the real Codex. */
import { dirname } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { demoCassette, rolesOf, type TreeCassette } from "../graph/world.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { workspaceOf } from "../support/cassette-model.ts";
import { answersIn, userTextsIn } from "../support/conversation.ts";
import { withRealClaude, withRealCodex } from "../support/real-agents.ts";
import { growByClaude, type ClaudeTree } from "./claude-tree.ts";

withRealClaude("a tree with a cheat by the real Claude Code", (file) => {
  withRealCodex("reviewed by the real Codex", (codex) => {
    let tree: ClaudeTree;
    beforeAll(async () => {
      tree = await growByClaude({
        file,
        cassette: await withCheat(),
        agents: ["reviewer=codex"],
        env: ({ url }) => ({
          PATH: `${dirname(file)}:${dirname(codex)}:${process.env["PATH"] ?? ""}`,
          OPENAI_BASE_URL: `${url}/v1`,
          OPENAI_API_KEY: "dummy-key-of-the-test",
        }),
      });
    }, 300_000);

    test("the weakened test is refused and saved, and the result has the locked one", async () => {
      const { ended, world } = tree;
      expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(0);
      expect(ended.json()).toMatchObject({ status: "complete", proof: { verdict: "pass", exit: "0" } });
      expect(ended.stderr.match(/work refused\n {6}- .*/gu)).toEqual([`work refused\n      - ${refusal}`]);
      const { resultBranch, rescued } = ended.json() as { resultBranch: string; rescued: string[] };
      expect(rescued).toHaveLength(1);
      const shown = (at: string) => world.repository.git("show", `${at}:${lockedTest}`);
      expect(await shown(resultBranch)).toContain(locked);
      expect(await shown(rescued[0] ?? "")).toContain(easier);
    });

    test("the implementer learns in its own conversation which file it changed, and works honestly", () => {
      const request = tree.server.requests.find(
        ({ path, body }) =>
          path.includes("/messages") && (userTextsIn({ body }).at(-1) ?? "").includes("Attempt 2 of 5"),
      );
      const { body } = request ?? { body: "" };
      expect(userTextsIn({ body }).at(-1)).toContain(refusal);
      expect(answersIn({ body }).map(({ input }) => input)).toContainEqual(
        expect.objectContaining({
          file_path: expect.stringContaining(lockedTest),
          old_string: locked,
          new_string: easier,
        }),
      );
    });

    test("another vendor reviews and judges: it receives the test author's messages as text, and decides over MCP", () => {
      const reviews = eventsOf(tree.events, "dispatch.started").filter(({ role }) => role === "reviewer");
      expect(reviews.map(({ key, agent, vendor, thread }) => [key, agent, vendor, thread]).sort()).toEqual(
        [
          "review#1",
          ...["money", "parse"].flatMap((id) => [`${children}/${id}/judge#1`, `${children}/${id}/review#1`]),
        ].map((key) => [key, "codex", "openai", "text"]),
      );
      const keys = new Set(reviews.map(({ key }) => key));
      const decided = eventsOf(tree.events, "result").filter(({ key }) => keys.has(key));
      expect(decided.map(({ outcome, channel }) => [outcome, channel])).toEqual(
        reviews.map(() => ["Approved", "mcp"]),
      );
      const responses = tree.server.requests.filter(({ path }) => path.includes("/responses"));
      const [first] = responses.filter((request) => workspaceOf(request).endsWith("parse-reviewer"));
      expect(first?.body).toContain("# Earlier conversation");
      expect(first?.body).toContain("One failing test, as planned");
    });
  });
});

const children = "work/children/children";
const lockedTest = "test/parse/parse.test.js";
const locked = '[{ name: "bread", cents: 250 }]';
const easier = 'parse("bread 2.50")';
const refusal = `frozen: these files are read-only in GREEN, restore them: changed ${lockedTest}`;

/** `receipt--parse` is wrong at first, and its weakened test does not detect it. */
async function withCheat(): Promise<TreeCassette> {
  const cassette = await demoCassette();
  const { tdd = [], impl = [], ...others } = rolesOf(cassette, "receipt--parse");
  const [first, ...later] = impl;
  const edit = { edit: { path: lockedTest, find: locked, replace: easier } };
  cassette.nodes["receipt--parse"] = {
    ...others,
    tdd: tdd.map((turn) => ({
      ...turn,
      does: [...(turn.does ?? []), { say: "One failing test, as planned" }],
    })),
    impl: [{ ...first, does: [...(first?.does ?? []), edit] }, ...later],
  };
  return cassette;
}
