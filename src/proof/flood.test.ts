/** Code that floods: its output and a huge file in place of its report fill neither memory nor disk. */
import { beforeAll, expect } from "vitest";
import { inCi, verifiesInCi } from "../../test/verifies.ts";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import type { GateProof } from "./proof.ts";

const imports = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const required = ["tests/add.test.js::FR1 adds"];
const add = "export const add = (a, b) => a + b;\n";
const MB = 1_000_000;
/** The stored part of a run's output: head and tail. */
const mostKept = 8 * 1024 * 1024;

let project: ProofProject;
let red: string;
beforeAll(async () => {
  project = await proofProject({ "package.json": '{ "type": "module" }\n', "src/old.js": "export {};\n" });
  red = await project.commitOn(project.base, {
    "tests/add.test.js": `${imports}import { add } from "../src/add.js";\ntest("FR1 adds", () => assert.equal(add(1, 2), 3));\n`,
  });
});

/** The gate's verdict for this source, and the growth of this process in bytes. */
async function green(source: string): Promise<{ readonly proof: GateProof; readonly grown: number }> {
  const head = await project.commitOn(red, { "src/add.js": source });
  const before = process.memoryUsage().rss;
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const proof = await project.green({ red, head, required });
  clearInterval(look);
  expect(await project.leftovers()).toEqual([]);
  return { proof, grown: most - before };
}

verifiesInCi(
  "CORE-49",
  "a run that prints megabytes and invalid text is judged by its report, and the head and tail of its output are stored",
  async () => {
    // Lines of a megabyte: node --test reads by lines, a second for each 10 MB of short ones.
    const source = `for (let at = 0; at < 40; at += 1) console.log(String(at).padEnd(${MB}, "x"));
process.stdout.write(Buffer.from([0, 0xff, 0xfe, 0xe2, 0x82, 10]));\n${add}`;
    const { proof, grown } = await green(source);
    expect(proof.verdict.verdict).toBe("pass");
    const output = await project.payloads.text(proof.output ?? "");
    expect(output).toContain("\ufffd");
    expect(output.length).toBeGreaterThan(mostKept / 2);
    expect(output.length).toBeLessThanOrEqual(mostKept);
    expect(grown).toBeLessThan(200 * MB);
  },
);

inCi("a report of gigabytes counts as missing and is not read", async () => {
  const source = `import { truncateSync } from "node:fs";
process.on("exit", () => truncateSync(\`\${process.env.HOME}/../report/report.json\`, ${2_000 * MB}));
${add}`;
  const { proof, grown } = await green(source);
  expect(proof.verdict.verdict).toBe("fail");
  expect(proof.verdict.findings.map(({ code }) => code)).toContain("early_exit");
  expect(proof.verdict.checks.map(({ reason }) => reason).join()).toContain(
    "the runner left no complete, readable report",
  );
  expect(grown).toBeLessThan(200 * MB);
});
