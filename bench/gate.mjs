// Measures `mettle gate` and `mettle prove` as whole processes on small made-up projects for `node --test`: GREEN against the bare
// runner, what confinement adds to a test run, an answer that is kept, and a suite of 2,000 tests.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, medians } from "./measure.mjs";

const bin = fileURLToPath(new URL("../dist/bin/mettle.cjs", import.meta.url));
const change = ["--base", "base", "--head", "head"];

/** Medians in milliseconds: `{bare, green, kept, more, suite, prove}`; `more` is added to each confined run. */
export async function run({ rounds = 7, files = 40 } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), "mettle-bench-gate-"));
  try {
    const small = projectIn(join(scratch, "small"), { files: 3, tests: 1 });
    const env = { METTLE_HOME: join(scratch, "state"), METTLE_MUTATION_BUDGET: "0" };
    const again = [bin, "prove", ...change, "--again"];
    const { bare, kept, confined, open } = medians(
      {
        bare: { argv: ["--test"], cwd: small },
        confined: { argv: again, cwd: small, env },
        open: { argv: again, cwd: small, env: { ...env, METTLE_SANDBOX: "off" } },
        kept: { argv: [bin, "prove", ...change], cwd: small, env },
      },
      { rounds },
    );
    const { green, runs } = greenOf(small, env, rounds);
    const large = projectIn(join(scratch, "large"), { files, tests: 50 });
    const { suite, prove } = medians(
      {
        suite: { argv: ["--test"], cwd: large },
        prove: { argv: again, cwd: large, env },
      },
      { rounds: 1 },
    );
    return { bare, green, kept, more: (confined - open) / runs, runs, suite, prove, tests: files * 50 + 3 };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The time of GREEN alone by its record, and how many runs of tests `prove` started. */
function greenOf(cwd, env, rounds) {
  const out = join(cwd, "..", "record.json");
  const record = (...args) => {
    const options = { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env }, stdio: "ignore" };
    execFileSync(process.execPath, [bin, ...args, ...change, "--out", out], options);
    return JSON.parse(readFileSync(out, "utf8"));
  };
  const times = Array.from({ length: rounds }, () => {
    const { started, ended } = record("gate", "green", "--red", "red");
    return Date.parse(ended) - Date.parse(started);
  });
  const ran = record("prove").contains.filter(
    ({ purpose }) => purpose.includes(".") || purpose === "baseline",
  );
  return { green: median(times), runs: ran.length };
}

function projectIn(folder, { files, tests }) {
  for (const name of ["src", "test"]) mkdirSync(join(folder, name), { recursive: true });
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: folder });
  const commit = (name) => {
    git("add", "--all");
    git("commit", "--quiet", `--message=${name}`);
    git("tag", name);
  };
  const write = (path, text) => writeFileSync(join(folder, path), text);
  const testsOf = (name, values) =>
    write(
      `test/${name}.test.js`,
      `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { ${name} } from "../src/${name}.js";\n${values
        .map(
          ([given, wanted]) =>
            `test("${name} of ${given}", () => {\n  assert.equal(${name}(${given}), ${wanted});\n});\n`,
        )
        .join("")}`,
    );
  git("init", "--quiet");
  write("package.json", '{ "type": "module", "scripts": { "test": "node --test" } }\n');
  for (let at = 0; at < files; at++) {
    write(`src/add${at}.js`, `export const add${at} = (n) => n + ${at};\n`);
    testsOf(
      `add${at}`,
      Array.from({ length: tests }, (_, given) => [given, given + at]),
    );
  }
  write("src/double.js", 'export const double = () => {\n  throw new Error("not implemented");\n};\n');
  commit("base");
  testsOf(
    "double",
    [2, 5, 0].map((given) => [given, 2 * given]),
  );
  commit("red");
  write("src/double.js", "export const double = (n) => n * 2;\n");
  commit("head");
  return folder;
}

if (import.meta.url === `file://${process.argv[1]}`) console.log(JSON.stringify(await run()));
