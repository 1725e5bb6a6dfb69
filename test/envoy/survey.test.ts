/** Two concurrent specialists follow the printed `discovery` and `bug-discovery`; a person requires changes; they revise. */
import { mkdir } from "node:fs/promises";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, expect, vi } from "vitest";
import { newFolder } from "../support/folder.ts";
import { verifiesInCi } from "../verifies.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import type { Json } from "./plan-world.ts";
import { survey, type Mind } from "./specialist.ts";
import { run, terminalIn } from "./terminal.ts";

// Dozens of processes, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

/** Longer than one argument of a command line may be, and than other files of a plan. */
const lintedLines = 16_000;

let world: GateWorld;
let temporary = "";
beforeAll(async () => {
  world = await createGateWorld();
  temporary = newFolder();
  await world.repository.write({
    "docs/prices.md": "# Prices\n\nPrices are whole cents, never fractions.\n",
    "src/broken.mjs": "export const price = ;\n",
    "lint.mjs": `
      for (let line = 1; line <= ${lintedLines}; line++)
        console.log(\`\\u001b[31merror\\u001b[0m src/deep/a.ts:\${line}:7  "a" is \\\`any\\\`, \\$HOME is not   \\r\`);
      process.exitCode = 1;`,
  });
  await world.ok(["plan", "init"]);
  await mkdir(join(world.dir, "design"), { recursive: true });
  await world.write(
    "design/manifest.yaml",
    "designs: [{ screenshot_file_name: a.png, description: A shop }]\n",
  );
});

/** The whole output of the compiler and the linter. */
async function check(): Promise<string> {
  const compiled = await run(world, [process.execPath, "--check", "src/broken.mjs"]);
  const linted = await run(world, [process.execPath, "lint.mjs"]);
  expect([compiled.code, linted.code]).toEqual([1, 1]);
  return `${compiled.err}${linted.out}`;
}

const frontend: Mind = {
  request: "how prices are shown to people",
  check: () => Promise.reject(new Error("discovery runs no compiler")),
  notes: (_output, documents) => `Uses \`src/deep\`.\n\nRead: ${documents.join(", ")}\n`,
  approaches: () =>
    (["A", "B"] as const).map((variant) => ({
      number: "1",
      variant,
      description: `Show prices, way ${variant}`,
      context: `const price = "${variant}"; // best practice: \`cents\`\n`,
      files: "src/deep/a.ts,src/deep",
      questions: variant === "A" ? "Which currency?|Which place?" : null,
    })),
  revise: (before) => ({
    description: `${String(before["description"])}, revised`,
    context: `${String(before["approach_detail"])}\nAsked for: ${String(before["pending_refinement"])}\n${JSON.stringify(before["user_addressed_questions"])}`,
  }),
};

const contextOf = (output: string, fixes: string) =>
  `## Problem area\n\nsrc/broken.mjs\n\n## Logging statements\n\n    // [DEBUG-TEMP]\n    console.log(\`price: \${price}\`);   \n\n## Potential fixes\n\n${fixes}\n\n## Output\n\n${output}`;
const fixes = '1. `price = 0`\n2. "nothing"\t\n';
const backend: Mind = {
  request: "prices are wrong, the module does not load",
  check,
  notes: (output, documents) => `Errors:\n${output}\nRead: ${documents.join(", ")}`,
  approaches: (output) => [
    {
      number: "1",
      variant: null,
      description: "The price has no value",
      context: contextOf(output, fixes),
      files: "src/broken.mjs",
      questions: "Since when?",
    },
    {
      number: "2",
      variant: null,
      description: "The linter is right",
      context: contextOf(output, "none"),
      files: "src/deep/a.ts",
      questions: null,
    },
  ],
  revise: (before, output) => ({
    description: `${String(before["description"])}, revised`,
    context: contextOf(output, `${fixes}${String(before["pending_refinement"])}`),
  }),
};

const delegate = (references: Readonly<Record<"frontend" | "backend_1", readonly Json[]>> | null) => {
  const inputs = (agent_name: "frontend" | "backend_1") => ({
    agent_name,
    segment_context: `All about "prices", for ${agent_name}`,
    ...(references !== null && { approach_references: references[agent_name] }),
  });
  return Promise.all([
    survey(terminalIn(world, temporary, "file"), {
      protocol: "discovery",
      inputs: inputs("frontend"),
      mind: frontend,
    }),
    survey(terminalIn(world, temporary, "stdin"), {
      protocol: "bug-discovery",
      inputs: inputs("backend_1"),
      mind: backend,
    }),
  ]);
};

verifiesInCi(
  "ENV-90",
  "concurrent specialists write findings and revise them, change no other file and shorten nothing",
  async () => {
    const output = await check();
    expect(output.length).toBeGreaterThan(1024 * 1024);
    const before = filesOf(world.repository.dir);
    const search = "knowledge search";
    expect(await delegate(null)).toEqual([
      [search, "plan read-design-manifest", "plan write-notes", "plan write-approach", "plan write-approach"],
      [search, "plan write-notes", "plan write-approach", "plan write-approach"],
    ]);
    const own = ["findings/backend_1.yaml", "findings/frontend.yaml"];
    expect(changed(before)).toEqual(own.map((file) => relative(world.repository.dir, join(world.dir, file))));
    const [shop, bug] = [
      await world.fields("findings/frontend.yaml"),
      await world.fields("findings/backend_1.yaml"),
    ];
    const notes = "Uses `src/deep`.\n\nRead: docs/prices.md\n";
    const questions = { user_addressed_questions: [], pending_refinement: null };
    expect(shop).toMatchObject({
      specialist_name: "frontend",
      notes,
      approaches: [
        { number: 1, variant: "A", ...questions, relevant_files: ["src/deep/a.ts", "src/deep"] },
        {
          number: 1,
          variant: "B",
          ...questions,
          approach_detail: 'const price = "B"; // best practice: `cents`\n',
        },
      ],
    });
    const bugNotes = backend.notes(output, ["docs/prices.md"]);
    const [first, second] = backend.approaches(output);
    expect([bug["notes"] === bugNotes, bug["specialist_name"]]).toEqual([true, "backend_1"]);
    expect((bug["approaches"] as Json[]).map(({ approach_detail }) => approach_detail)).toEqual([
      first?.context,
      second?.context,
    ]);

    const gate = ["plan", "block-findings-gate"];
    await world.open(gate);
    // The person sees the beginning of the text.
    const file = await world.saved("findings_gate.yaml");
    expect(file).toContain(`\n#   … ${bugNotes.length} characters in all\n`);
    expect(file.length).toBeLessThan(32 * 1024);
    const field = (key: string, name: string) => `approach_feedback.${key}.${name}`;
    await world.answer("findings_gate", {
      [field("backend_1_1", "user_required_changes")]: '"Try `NaN` too"',
      [field("frontend_1_A", "user_required_changes")]: '"In euros"',
      [field("frontend_1_A", "question_answers.answer")]: '"Euro"',
    });
    const { affected_approaches } = await world.ok(gate);
    expect(affected_approaches).toEqual([
      { specialist_name: "backend_1", approach_id: "1" },
      { specialist_name: "frontend", approach_id: "1_A" },
    ]);

    const between = filesOf(world.repository.dir);
    const again = await delegate({
      frontend: [{ specialist_name: "frontend", approach_num: 1, variant: "A" }],
      backend_1: [{ specialist_name: "backend_1", approach_num: 1 }],
    });
    const revising = ["plan get-finding-approach", "plan write-notes", "plan write-approach"];
    expect(again).toEqual([
      [search, "plan read-design-manifest", ...revising],
      [search, ...revising],
    ]);
    expect(changed(between)).toEqual(
      own.map((file) => relative(world.repository.dir, join(world.dir, file))),
    );
    const [shopAfter, bugAfter] = [
      await world.fields("findings/frontend.yaml"),
      await world.fields("findings/backend_1.yaml"),
    ];
    const answered = [{ question: "Which currency?", answer: "Euro" }];
    expect(shopAfter).toEqual({
      ...shop,
      approaches: [
        {
          ...(shop["approaches"] as Json[])[0],
          description: "Show prices, way A, revised",
          required_clarifying_questions: [],
          user_addressed_questions: answered,
          approach_detail: `const price = "A"; // best practice: \`cents\`\n\nAsked for: In euros\n${JSON.stringify(answered)}`,
        },
        (shop["approaches"] as Json[])[1],
      ],
    });
    const [revised, other] = bugAfter["approaches"] as readonly Json[];
    expect(bugAfter["notes"] === bugNotes).toBe(true);
    expect(revised).toMatchObject({
      description: "The price has no value, revised",
      pending_refinement: null,
    });
    expect(revised?.["approach_detail"] === contextOf(output, `${fixes}Try \`NaN\` too`)).toBe(true);
    expect(other).toEqual((bug["approaches"] as Json[])[1]);

    // No changes are required any more.
    await world.open([...gate, "--again"]);
    await world.answer("findings_gate", {});
    expect(await world.ok(gate)).toMatchObject({ affected_approaches: [], rejected_approaches: [] });
  },
);

/** A hash of the checkout with the plan, without git's files and locks. */
function filesOf(root: string): ReadonlyMap<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    entries
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((file) => !/^\.git\/|\.lock$/u.test(file))
      .toSorted()
      .map((file) => [
        file,
        createHash("sha256")
          .update(readFileSync(join(root, file)))
          .digest("hex"),
      ]),
  );
}

function changed(before: ReadonlyMap<string, string>): readonly string[] {
  const after = filesOf(world.repository.dir);
  expect([...before.keys()].filter((file) => !after.has(file))).toEqual([]);
  return [...after].flatMap(([file, hash]) => (before.get(file) === hash ? [] : [file]));
}
