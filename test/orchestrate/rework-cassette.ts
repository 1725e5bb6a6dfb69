/** The cassette of the run with much rework, turn by turn. */
import { act, answers, reviews, slugify } from "./turns.ts";
import { golden, untestedFiles, type CassetteFile, type TurnFile } from "./world.ts";

const packageJson = `{ "name": "words", "version": "1.0.0", "private": true, "type": "module", "scripts": { "test": "true" } }\n`;
export const testIssue = "[tests] no test for a text of separators only";
export const codeIssue = "slugify says nothing of accents";
const laterIssue = "the regular expression of words is read twice";
export const codeFields =
  "VERDICT: APPROVED\nEXECUTION_CHECK: YES\nCODE_QUALITY: small\nSECURITY_ISSUES:\n- slugs of two titles may collide\nISSUES: none";

export const title = "FR1 makes letters lower case";

/** The golden tester with a test that needs a file outside the repository. */
function needing(outside: string, tester: readonly TurnFile[]): TurnFile[] {
  const text = JSON.stringify(tester)
    .replace("import { test }", 'import { existsSync } from \\"node:fs\\";\\nimport { test }')
    .replace(
      'assert.equal(slugify(\\"HELLO\\")',
      `assert.ok(existsSync(${JSON.stringify(JSON.stringify(outside)).slice(1, -1)}));\\n  assert.equal(slugify(\\"HELLO\\")`,
    );
  return JSON.parse(text) as TurnFile[];
}

export async function cassette(outside: string): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const original = (await untestedFiles())["package.json"] ?? "";
  return {
    ...rest,
    roles: {
      ...roles,
      tester: [
        ...needing(outside, roles.tester),
        {
          ...act("RC", {
            write: {
              "test/separators.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../src/slugify.js";

test("EC1 gives an empty slug for separators only", () => {
  assert.equal(slugify(" - "), "");
});
`,
            },
          }),
          expects: [testIssue],
          forbids: [codeIssue],
        },
      ],
      coder: [
        {
          ...act("GC", {
            write: { "src/slugify.js": slugify.careless },
            shell: "echo '// changed' >> test/slugify.test.js",
          }),
          expects: ["ITERATION 1 of 5"],
        },
        {
          ...act("GC", { write: { "src/slugify.js": slugify.right, "package.json": packageJson } }),
          expects: ["ITERATION 2 of 5"],
        },
        {
          ...act("GC", {
            write: {
              "package.json": original,
              "src/slugify.js": slugify.right.replace("./words.js", "./case.js"),
              "src/case.js": `export { words } from "./words.js";\n`,
            },
          }),
          expects: ["ITERATION 3 of 5", "package.json"],
        },
        {
          ...act("GC", {
            write: { "src/slugify.js": slugify.right.replace("a title;", "a title with accents kept;") },
          }),
          expects: ["ITERATION 1 of 5", codeIssue],
          forbids: [testIssue],
        },
        {
          ...act("GC", { write: { "src/slugify.js": slugify.right } }),
          expects: [laterIssue],
        },
        {
          ...act("GC", { write: { "src/slugify.js": `// looked at again\n${slugify.right}` } }),
          expects: ["the file is back", title],
        },
      ],
      gemini: [
        ...roles.gemini.slice(0, 2),
        answers(
          `VERDICT: NEEDS_WORK\nEXECUTION_CHECK: YES\nCODE_QUALITY: fine\nSECURITY_ISSUES: none\nISSUES:\n- ${testIssue}`,
        ),
        ...roles.gemini.slice(1, 2),
        { ...answers(codeFields), repeat: true },
      ],
      claude: [
        ...roles.claude.slice(0, 2),
        act("APPROVED", {
          write: {
            ".claude/temp/code-review.md": `VERDICT: APPROVED\nEXIT_CODE: 0\nCRITICAL_ISSUES:\n- ${codeIssue}\nWARNINGS: none\nSUGGESTIONS: none\n`,
          },
          say: "It works. Done.",
        }),
        ...roles.claude.slice(1, 2),
        reviews(
          "code-review.md",
          "APPROVED",
          `VERDICT: APPROVED\nEXIT_CODE: 0\nCRITICAL_ISSUES:\n- ${laterIssue}\nWARNINGS: none\nSUGGESTIONS: none\n`,
        ),
        reviews(
          "code-review.md",
          "APPROVED",
          "VERDICT: APPROVED\nEXIT_CODE: 0\nCRITICAL_ISSUES: none\nWARNINGS:\n- letters with accents  stay as they are\nSUGGESTIONS:\n- name the module `slug`\n",
        ),
        ...roles.claude.slice(2),
      ],
    },
  };
}
