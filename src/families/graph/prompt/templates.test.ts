import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { verifies } from "../../../../test/verifies.ts";
import { AppError } from "../../../lib/errors.ts";
import { Briefing } from "../../../protocol/graph-types/briefing.ts";
import { typeFaults } from "../../../protocol/graph-types/faults.ts";
import { graphNodes, nodeInputs, nodeMemories } from "../../../protocol/graph-types/nodes.ts";
import { ScaffoldInput } from "../../../protocol/graph-types/scaffold.ts";
import { TDDInput } from "../../../protocol/graph-types/tdd.ts";
import { filters } from "../../../protocol/jinja/filters.ts";
import { assertNodeTemplates, namesFor, renderNode, type NodePrompt } from "./templates.ts";

const shipped = new URL("../../../../protocols/graph/templates/", import.meta.url);
const templates = new Map(
  graphNodes.map((node) => [`${node}.jinja`, readFileSync(new URL(`${node}.jinja`, shipped), "utf8")]),
);
const prompts = new URL("../fixtures/prompts/", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, prompts), "utf8");
const names = readdirSync(prompts).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -5)] : []));

/** One for each node; its input and memory are checked as what they are. */
const Case = z.union(
  graphNodes.map((node) =>
    z.strictObject({
      node: z.literal(node),
      input: nodeInputs[node],
      memory: nodeMemories[node],
      briefing: Briefing,
    }),
  ),
);
function given(name: string): NodePrompt<(typeof graphNodes)[number]> {
  return Case.parse(JSON.parse(read(`${name}.json`)));
}

const golden = (name: string): string => read(`${name}.txt`);
const render = (name: string): string => renderNode(templates, given(name));

function scaffoldPrompt(name: string, change: Partial<ScaffoldInput>): string {
  const { input, briefing } = given(name);
  const changed = { ...ScaffoldInput.parse(input), ...change };
  return renderNode(templates, { node: "scaffold", memory: {}, briefing, input: changed });
}

/** The text between two headings. */
function section(text: string, heading: string): string {
  const [, after = ""] = text.split(`\n${heading}\n`);
  return after.split(/\n#{1,3} /)[0] ?? "";
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.exitCode}: ${error.message}`;
    throw error;
  }
  return "no refusal";
}

const withTemplate = (name: string, text: string) => new Map([...templates, [name, text]]);

test("there is a golden prompt for every case, and each node has some", () => {
  expect(names.length).toBeGreaterThan(14);
  expect([...new Set(names.map((name) => given(name).node))].toSorted()).toEqual(graphNodes.toSorted());
});

verifies("V3-83", "the templates of the graph render as in Jinja2, and values go in as they are", () => {
  expect(readdirSync(shipped).toSorted()).toEqual(graphNodes.map((node) => `${node}.jinja`).toSorted());
  for (const name of names) expect([name, render(name)]).toEqual([name, golden(name)]);
  const shippedText = [...templates.values()].join("\n");
  for (const construct of [
    "{% elif",
    "{% else",
    "{% for",
    '| join(", ")',
    "map(attribute='symbol')",
    "item[0]",
    " == ",
  ])
    expect(shippedText).toContain(construct);
  // A variant without fields is true, which the adapter of the goldens makes it for Jinja2.
  expect(shippedText).toContain("{% if mode.WriteTests -%}");
  expect(given("tdd-write").input).toMatchObject({ mode: { WriteTests: {} } });
  expect(render("tdd-write")).toContain("Test Author");

  const description = "a < b {{ x }} {% y %}";
  const diff = "+a\n+```js\n+b\n+```\n+{{ x }}";
  const input = TDDInput.parse(given("tdd-review").input);
  const text = renderNode(templates, {
    ...given("tdd-review"),
    node: "tdd",
    memory: { conversationId: "c", coveredCriteria: [], pendingTests: [] },
    input: {
      ...input,
      spec: { ...input.spec, description },
      mode: { ReviewImpl: { ...reviewOf(input), diff } },
    },
  });
  expect(text.split("\n")[0]).toBe(`# TDD: ${description}`);
  expect(text).toContain(`\n## Diff\n\n\`\`\`\`diff\n${diff}\n\`\`\`\`\n\n## Review`);
});

verifies(
  "V3-85",
  "the Scaffold prompt has all parts, constraints only where given, the parent only for a child",
  () => {
    const [root, time, child] = [render("scaffold-root"), render("scaffold-time"), render("scaffold-child")];
    for (const text of [root, time, child]) {
      expect(text).toContain("You are the **Planner**");
      expect(text).toContain("**ID:** `shop`\n**Description:** A shop with a < b {{ x }} {% y %}\n");
      expect(section(text, "### Acceptance Criteria").trim().split("\n").slice(0, 2)).toEqual([
        "- AC-1: A cart adds up & more",
        "- AC-2: Tax is included",
      ]);
      expect(section(text, "## Actions").match(/^\d\. /gm)).toEqual(["1. ", "2. ", "3. ", "4. ", "5. "]);
      expect(section(text, "## Output").match(/^- \*\*\w+/gm)).toEqual([
        "- **InitWork",
        "- **ClarificationNeeded",
      ]);
    }
    // The child of the golden prompt stands too deep for children of its own.
    const shallow = scaffoldPrompt("scaffold-child", { depth: 1 });
    for (const text of [root, time, shallow])
      for (const advice of [
        "a single responsibility",
        "<500 LOC",
        "all criteria tightly coupled",
        "multiple subsystems",
        "clear interface boundaries",
        "independent testability",
        "The 500 lines are advice that no gate measures.",
      ])
        expect(section(text, "## Decision: Children Needed?")).toContain(advice);
    expect(root).not.toMatch(/Complexity|Time:|Space:|Parent Context|You must satisfy/);
    expect(section(time, "### Complexity Constraints").trim()).toBe(
      "- Time: O(n)\n\nNo gate measures them; the reviewer reads for them.",
    );
    expect(time).not.toContain("Parent Context");
    const { spec } = ScaffoldInput.parse(given("scaffold-time").input);
    const space = scaffoldPrompt("scaffold-time", {
      spec: { ...spec, complexityConstraints: { space: "O(1)" } },
    });
    expect(section(space, "### Complexity Constraints").trim()).toMatch(/^- Space: O\(1\)\n\n/u);
    expect(child).toContain("- Time: O(n log n)\n- Space: O(1)\n");
    const context = section(child, "## Parent Context");
    expect(context).toContain("```\nexport function total(items: Item[]): number;\n```");
    expect(context).toContain("You must satisfy: AC-1: A cart adds up\nAC-2: Tax is included\n");
    expect(context).toContain("interface files are **read-only**");
    expect(section(child, "## Decision: Children Needed?").trim()).toMatch(/^No children are allowed here/);
    expect(section(child, "## What came back")).toContain(
      "**BlockedDependency**\n- missingSymbol: openDb\n- expectedImportPath: src/db.ts\n- exported by: db\n",
    );
  },
);

verifies("V3-86", "the TDD prompt is one template with the part of its mode and never both", () => {
  const [write, again, review] = [render("tdd-write"), render("tdd-write-again"), render("tdd-review")];
  expect(write).toContain("You are the **Test Author**");
  expect(write).not.toMatch(/Reviewer|Approved|## Diff/);
  expect(section(write, "## Spec").trim()).toBe("- AC-1: A cart adds up & more\n- AC-2: Tax is included");
  expect(section(write, "## Test Plan (from scaffold)").trim()).toBe(
    "- AC-1: `adds up two items` — two items, one total\n- AC-2: `includes tax` — a rate of 10 %",
  );
  expect(section(write, "## Already Covered").trim()).toBe("Nothing yet.");
  expect(section(again, "## Already Covered").trim()).toBe("- AC-1 ✓");
  expect(write).toContain("in one batch");
  expect(section(write, "### Requirements").match(/^\d\. /gm)).toHaveLength(4);
  expect(section(write, "## Output").match(/\*\*\w+\*\*/g)).toEqual([
    "**TestsReady**",
    "**InvalidScaffold**",
  ]);

  expect(review).toContain("You are the **Reviewer**");
  expect(review).not.toMatch(/Test Author|TestsReady|Already Covered/);
  expect(review).toContain("Commit: `3333333`\nIterations: 2\n");
  expect(review).toContain("- `adds up two items`\n- `includes tax`\n");
  expect(review).toContain("### Complexity Constraints\n\n- Time: O(n log n)\n- Space: O(1)\n");
  expect(render("tdd-review-unchecked")).not.toContain("omplexity");
  expect(review).toContain("```diff\ndiff --git a/src/shop.ts b/src/shop.ts\n");
  expect(section(review, "### Phase 1: Mechanical Checks").match(/^- \[.\]/gm)).toEqual([
    "- [x]",
    "- [x]",
    "- [ ]",
  ]);
  const semantic = section(review, "### Phase 2: Semantic Review");
  for (const question of ["satisfy each criterion", "readable in 60 seconds", "no unsafe imports"])
    expect(semantic).toContain(question);
  expect(section(review, "## Output").match(/\*\*\w+\*\*/g)).toEqual([
    "**Approved**",
    "**MoreTests**",
    "**Reject**",
  ]);

  const file = (path: string, lines: number): string =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n${"+new line\n".repeat(lines)}`;
  const input = TDDInput.parse(given("tdd-review").input);
  const shown = (diff: string): string =>
    renderNode(templates, {
      ...given("tdd-review"),
      node: "tdd",
      memory: { conversationId: "c", coveredCriteria: [], pendingTests: [] },
      input: { ...input, mode: { ReviewImpl: { ...reviewOf(input), diff } } },
    });
  const long = file("src/a.ts", 10_000) + file("src/b.ts", 20_000);
  expect(shown("x".repeat(200_000))).toContain("x".repeat(200_000));
  const text = shown(long);
  expect(text.length).toBeLessThan(5_000);
  expect(text).not.toContain("+new line");
  expect(text).toContain("`git diff 1111111 3333333` shows it");
  expect(text).toContain(
    " src/a.ts | +10000 -1\n src/b.ts | +20000 -1\n 2 files changed, 30000 insertions(+), 2 deletions(-)",
  );
});

verifies(
  "V3-87",
  "the Impl prompt has tests, criteria, children, attempt, critiques, steps, rules and exits",
  () => {
    const [first, second, fifth] = [render("impl-1"), render("impl-2"), render("impl-5")];
    for (const [at, text] of [first, second, fifth].entries()) {
      expect(text).toContain("- test/shop/cart.test.ts\n- test/shop/tax.test.ts\n\nCriteria: AC-1, AC-2\n");
      expect(text).toContain(`## Attempt ${[1, 2, 5][at]} of 5\n`);
      expect(section(text, "## Your Task").match(/^\d\. /gm)).toHaveLength(4);
      expect(section(text, "## Your Task").match(/^- /gm)).toHaveLength(3);
      expect(section(text, "## Output").match(/\*\*\w+\*\*/g)).toEqual(
        ["TestsPassed", "RequestRetry", "BlockedDependency", "SpecAmbiguity", "Stuck"].map(
          (exit) => `**${exit}**`,
        ),
      );
    }
    expect(first).not.toMatch(/Child Subsystems|reimplement|TDD Feedback|final attempt|failed/);
    expect(section(second, "## Child Subsystems Available").trim()).toBe(
      "- shop--cart: total, Cart\n- shop--db: openDb\n\nUse these subsystems; do not reimplement them.",
    );
    expect(second).toContain("- **src/shop.ts:3** — adds twice\n  Fix: add once\n");
    expect(second).not.toContain("final attempt");
    expect(second).toContain("- a loop → partial: 1 of 2 failing tests left\n");
    // Empty lists are no children and no critiques.
    expect(given("impl-5").input).toMatchObject({ childMerges: [], critiqueList: [] });
    expect(fifth).not.toMatch(/Child Subsystems|TDD Feedback/);
    expect(fifth).toContain("This is the final attempt: it must succeed or emit Stuck.");
    expect(fifth).toContain("Its unfinished work: `5555555` on `mettle/1/shop--tax`");
  },
);

verifies(
  "V3-88",
  "the Merger and Rebaser prompts have their parts, and one part for the impact alone",
  () => {
    const merger = render("merger");
    expect(merger).toContain(
      "Parent: `shop` on `mettle/1/shop`\nChild: `shop--cart` on `mettle/1/shop--cart`\n",
    );
    expect(merger).toContain(
      "Reads well.\n\n**Coverage:**\n\n- AC-1: `adds up two items` ✓\n- AC-2: `includes tax` ✓\n",
    );
    expect(merger).toContain(
      '```bash\ngit merge --squash mettle/1/shop--cart\ngit commit -m "feat(shop--cart): implement"\n```',
    );
    const verification = section(merger, "### 2. Verification");
    for (const item of [
      "the project builds",
      "the contract suite `test/shop/contract.test.ts` passes",
      "integration tests",
    ])
      expect(verification).toContain(item);
    expect(section(merger, "## Output").match(/^- \*\*\w+\*\*/gm)).toEqual([
      "- **MergeComplete**",
      "- **MergeRejected**",
    ]);

    const parts = {
      Trivial: "Trivial: this should",
      Additive: "Additive: the sibling",
      Breaking: "**BREAKING**",
    };
    for (const [level, own] of Object.entries(parts)) {
      const text = render(`rebaser-${level.toLowerCase()}`);
      expect(text).toContain(
        "Your Node: `shop--cart`\nYour Branch: `mettle/1/shop--cart`\nNew Parent HEAD: `6666666`\n",
      );
      expect(text).toContain(`**Author:** shop--db\n**Impact:** ${level}\n\n- openDb (`);
      expect(text).toContain("): the pool needs it\n");
      expect(section(text, "### 1. Pause TDD Loop").trim()).toBe(
        "Nobody commits on this node during the rebase.",
      );
      expect(text).toContain("the sibling is Canon, you are Draft");
      expect(text).toContain("only MECHANICAL changes");
      expect(Object.values(parts).filter((part) => text.includes(part))).toEqual([own]);
      expect([level, /Allowed|Forbidden/.test(text)]).toEqual([level, level === "Breaking"]);
      expect(section(text, "## Output").match(/^- \*\*\w+\*\*/gm)).toEqual(
        ["RebaseClean", "RebaseAdapted", "RebaseConflict"].map((exit) => `- **${exit}**`),
      );
    }
    expect(render("rebaser-breaking")).toContain("### 4. Verify\n\n```bash\nnpx vitest run\n```");
  },
);

test("no prompt of a project names the tools of another, and none of the templates does", () => {
  expect([...templates.values()].join("\n")).not.toMatch(/cabal|Types\.hs|undefined|vitest/);
  for (const name of names) {
    const isHaskell = JSON.stringify(given(name).briefing).includes("cabal");
    expect([name, render(name).includes("cabal")]).toEqual([
      name,
      isHaskell && render(name).includes("cabal"),
    ]);
  }
  expect(render("merger")).toContain("`npx vitest run test/shop/contract.test.ts`");
  expect(render("merger-cabal")).toMatch(/`cabal build` passes[\s\S]*--match=Contract[\s\S]*`cabal test`/);
});

test("the shipped templates pass, and a fault of one's own is told with its line, the known names and a guess", () => {
  assertNodeTemplates(templates);
  const wrong = withTemplate("scaffold.jinja", "# x\n\n{{ spec.desciption }}\n{{ coveredCriteria }}\n");
  expect(refusal(() => assertNodeTemplates(wrong))).toBe(
    "template_invalid 2: 2 faults\n" +
      "  scaffold.jinja:3: spec has no field desciption, did you mean description? (known: id, description, " +
      "acceptanceCriteria, targetPath, testPath, complexityConstraints)\n" +
      "  scaffold.jinja:4: there is no coveredCriteria here (known: spec, parentContext, feedback, depth, maxDepth, " +
      "project, checks, judge, change)",
  );
  expect(refusal(() => renderNode(wrong, given("scaffold-root")))).toContain("scaffold.jinja:3");
  expect(
    refusal(() =>
      assertNodeTemplates(withTemplate("impl.jinja", "{% for x in coveredCriteria %}{% endfor %}")),
    ),
  ).toContain(
    "impl.jinja:1: there is no coveredCriteria here (known: spec, scaffold, testsReady, childMerges, attemptCount, " +
      "critiqueList, childFailures, conversationId, passedTests, attemptHistory, project, checks, judge, change)",
  );
  expect(refusal(() => assertNodeTemplates(withTemplate("merger.jinja", "\n{% if %}")))).toBe(
    "template_invalid 2: merger.jinja:2: a value is missing here",
  );
  expect(refusal(() => assertNodeTemplates(withTemplate("scafold.jinja", "x")))).toContain(
    "scafold.jinja: no node is called scafold, did you mean scaffold.jinja?",
  );
});

test("a value that may be absent is not printed without a question, which is told before any run", () => {
  const bare = withTemplate("scaffold.jinja", "a\n{{ spec.complexityConstraints.time }}");
  expect(refusal(() => assertNodeTemplates(bare))).toBe(
    "template_invalid 2: scaffold.jinja:2: spec.complexityConstraints may be absent: " +
      "put this into {% if spec.complexityConstraints %}",
  );
  const other = withTemplate("tdd.jinja", "{{ mode.ReviewImpl.diff }}");
  expect(refusal(() => assertNodeTemplates(other))).toContain("tdd.jinja:1: mode.ReviewImpl may be absent");
  const asked =
    "{% if mode.ReviewImpl %}{{ mode.ReviewImpl.diff }}{% endif %}{% if judge %}{{ judge.childId }}{% endif %}";
  assertNodeTemplates(withTemplate("tdd.jinja", asked));
});

test("what does not fit a node's input is told with its pointer", () => {
  const { input } = given("scaffold-root");
  const faults = (value: unknown) =>
    typeFaults(nodeInputs.scaffold, value).map(({ pointer, message }) => `${pointer}: ${message}`);
  expect(faults(input)).toEqual([]);
  expect(faults({})).toEqual(["/spec: required"]);
  expect(faults([])).toEqual([": expected an object, got a list"]);
  const spec = {
    ...TDDInput.parse(given("tdd-review").input).spec,
    acceptanceCriteria: [{ id: 1 }],
    targtPath: "a",
  };
  expect(faults({ spec, depth: -1 })).toEqual([
    "/spec/acceptanceCriteria/0/id: expected a text, got the number 1",
    "/spec/acceptanceCriteria/0/text: required",
    "/spec/targtPath: unknown field, did you mean targetPath?",
    "/depth: expected at least 0",
  ]);
  const tdd = given("tdd-write").input;
  const modes = (mode: unknown) =>
    typeFaults(nodeInputs.tdd, { ...tdd, mode }).map(({ pointer, message }) => `${pointer}: ${message}`);
  const oneKey = "/mode: expected an object with exactly one of the variants as its key";
  expect(modes({ ReviewImpl: { diff: "" } })).toEqual(["/mode/ReviewImpl/implResult: required"]);
  expect(modes({ WriteTests: {}, ReviewImpl: {} })).toEqual([oneKey]);
  expect(modes({ WriteTest: {} })).toEqual([oneKey]);
  expect(modes(undefined)).toEqual(["/mode: required"]);
});

function reviewOf({ mode }: TDDInput) {
  if (!("ReviewImpl" in mode)) throw new Error("no review");
  return mode.ReviewImpl;
}

test("docs/graph.md lists exactly the names that each template may use", () => {
  const page = readFileSync(new URL("../../../../docs/graph.md", import.meta.url), "utf8");
  const code = (text: string): readonly string[] =>
    [...text.matchAll(/`(\w+)`/gu)].map(([, name = ""]) => name);
  const everywhere = [...page.matchAll(/^- `(\w+)`: /gmu)].map(([, name = ""]) => name);
  expect(everywhere).toEqual(Object.keys(Briefing.shape));
  for (const node of graphNodes) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${node}\` `)) ?? "";
    const [, ...names] = code(row);
    expect([node, [...names, ...everywhere]]).toEqual([node, [...namesFor(node).keys()]]);
  }
  const [, listed = ""] = /the filters\n?([\s\S]*?)\. There are no calls/u.exec(page) ?? [];
  expect([...listed.matchAll(/`(\w+)/gu)].map(([, name]) => name)).toEqual(Object.keys(filters));
});
