import { expect, test } from "vitest";
import { judgeArchitecture, parseArchitecture } from "./architecture-document.ts";
import { plannedFiles } from "./planned-files.ts";

const ids = ["FR1", "FR2", "EC1", "EC2", "ERR1"];

const architecture = `# Architecture

## File Structure
- \`src/slug.js\`: the function
- tests/slug.test.js: its tests

## TDD Strategy
\`slug(text)\` returns a string.

- FR1: "makes lower case", "keeps digits"
- FR2: "joins words"
- EC1: "gives the empty string for the empty string"
- EC2: "trims"
- ERR1: "throws for a number"
`;

test("files and planned tests are read", () => {
  expect(parseArchitecture(architecture, ids)).toEqual({
    files: ["src/slug.js", "tests/slug.test.js"],
    plan: {
      FR1: ["makes lower case", "keeps digits"],
      FR2: ["joins words"],
      EC1: ["gives the empty string for the empty string"],
      EC2: ["trims"],
      ERR1: ["throws for a number"],
    },
    faults: [],
  });
  expect(judgeArchitecture(architecture, ids).outcome).toBe("pass");
});

test("a criterion without a planned test is reported", () => {
  const missing = architecture.replace(/- EC2.*\n/, "");
  expect(judgeArchitecture(missing, ids).checks).toEqual([
    { name: "architecture.md", verdict: "fail", reason: "unplanned: EC2", tests: [] },
  ]);
  for (const nothing of ["- EC2:", "- EC2: none", "- EC2: TODO", "- EC2"])
    expect(parseArchitecture(architecture.replace(/- EC2.*/, nothing), ids).faults).toEqual([
      "unplanned: EC2",
    ]);
});

test("an id outside the test plan plans no test", () => {
  const elsewhere = architecture.replace(/- EC2.*\n/, "").replace("its tests", "its tests, with EC2");
  expect(parseArchitecture(elsewhere, ids).faults).toEqual(["unplanned: EC2"]);
});

test("missing and empty sections are reported", () => {
  expect(parseArchitecture("## TDD Strategy\nnone\n", []).faults).toEqual([
    "missing section: File Structure",
  ]);
  expect(parseArchitecture("## File Structure\n\n## TDD Strategy\n- FR1: works\n", ["FR1"]).faults).toEqual([
    "empty section without the word none: File Structure",
  ]);
});

test("other forms of a test plan are read", () => {
  const plan = parseArchitecture(
    [
      "## File Structure",
      "none",
      "## TDD Strategy",
      "### Test plan",
      "| FR1 | makes lower case |",
      "1. 'joins words' covers FR2 and EC1",
      "- EC2:",
      '  - "trims spaces"',
      "  - trims tabs",
      "- **ERR1-ERR2**: rejects what isn't text.",
      "",
      "#### FR3",
      "- counts",
    ].join("\n"),
    [],
  ).plan;
  expect(plan).toEqual({
    FR1: ["makes lower case"],
    FR2: ["joins words"],
    EC1: ["joins words"],
    EC2: ["trims spaces", "trims tabs"],
    ERR1: ["rejects what isn't text"],
    ERR2: ["rejects what isn't text"],
    FR3: ["counts"],
  });
});

test.each([
  [
    "list with words",
    "- `src/a.ts` - adds\n- **src/b.ts**: more\n* src/c.d.ts (new)",
    ["src/a.ts", "src/b.ts", "src/c.d.ts"],
  ],
  [
    "nested list",
    "- src/\n  - a.ts\n  - deep/\n    - b.ts\n- package.json",
    ["src/a.ts", "src/deep/b.ts", "package.json"],
  ],
  [
    "tree",
    "```text\nsrc/\n├── a.ts      # adds\n│   \n└── deep/\n    └── b.ts\ntests/\n└── a.test.ts\n```",
    ["src/a.ts", "src/deep/b.ts", "tests/a.test.ts"],
  ],
  [
    "tree below the project",
    "```\nmy-app/\n├── src/\n│   └── index.js\n├── package.json\n└── .gitignore\n```",
    ["src/index.js", "package.json", ".gitignore"],
  ],
  ["tree below a dot", "```\n.\n├── src\n└── lib/\n    └── x.py\n```", ["lib/x.py"]],
  [
    "table",
    "| file | for |\n|---|---|\n| src/a.go | adds |\n| `src/b.go` | more |",
    ["src/a.go", "src/b.go"],
  ],
  ["plain lines in a fence", "```\nsrc/a.ts\n./src/b.ts\nsrc/a.ts\n```", ["src/a.ts", "src/b.ts"]],
  [
    "names of frameworks and of other languages, quoted",
    "- `src/routes/users.$id.js`: one\n- `src/größe.ts`\n- `src/a b.js` - two\n- `src/a=b.js`\n- `src/x,y.js`\n- `src/#tag.js`\n- `src/it's.js`\n- `src/{a}.js`\n- ``src/a`b.js``",
    [
      "src/routes/users.$id.js",
      "src/größe.ts",
      "src/a b.js",
      "src/a=b.js",
      "src/x,y.js",
      "src/#tag.js",
      "src/it's.js",
      "src/{a}.js",
      "src/a`b.js",
    ],
  ],
  [
    "names of frameworks, plain and drawn",
    "- src/routes/users.$id.js: one\n- src/x,y.js, src/z.js\n- src/a b.js adds c.js\n\n```\nsrc/\n├── __init__.py\n├── a b.ts      # adds c.ts\n├── _index.tsx\n├── größe.ts\n└── (group)/\n    └── +page.svelte\n```",
    [
      "src/routes/users.$id.js",
      "src/x,y.js",
      "src/a b.js",
      "src/__init__.py",
      "src/a b.ts",
      "src/_index.tsx",
      "src/größe.ts",
      "src/(group)/+page.svelte",
    ],
  ],
  [
    "prose and unsafe paths",
    "We need one file.\n- ../outside.ts\n- /etc/passwd\n- Express is used in a.js\n- src/*.ts\n- `src/<name>.ts`\n- https://example.org/a.js\nnone",
    [],
  ],
])("planned files: %s", (_form, body, files) => {
  expect(plannedFiles(body)).toEqual(files);
});
