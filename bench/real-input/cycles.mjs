// Real input: exercises with two methods, taken through dptr as two cycles, honestly, with a wrong second method, and with an
// edited test. Needs a git directory of exercism/javascript; no exercise is stored here.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { caller, commitAll, reader, root, tableOf, write } from "./drive.mjs";
import { brokenScript, toVitest, vitestStart } from "./tracks/scripts.mjs";

const [gitDir, ...flags] = process.argv.slice(2);
if (!gitDir) {
  process.stderr.write(
    "usage: node bench/real-input/cycles.mjs GIT_DIR [--protocol riper|dptr] [--out FILE] [--keep]\n",
  );
  process.exit(2);
}
const option = (name, fallback) => (flags.includes(name) ? flags[flags.indexOf(name) + 1] : fallback);
const protocol = option("--protocol", "dptr");
const source = reader(gitDir);
/** Exercise -> its two methods in the order of implementation. */
const exercises = {
  "run-length-encoding": ["encode", "decode"],
  "rail-fence-cipher": ["encode", "decode"],
  "atbash-cipher": ["encode", "decode"],
  "affine-cipher": ["encode", "decode"],
};

const rows = [];
for (const [slug, methods] of Object.entries(exercises))
  for (const variant of ["honest", "wrong second method", "edited test"]) {
    rows.push([slug, variant, ...runOne(slug, methods, variant)]);
    process.stderr.write(`${rows.at(-1).join(" | ")}\n`);
  }
const table = tableOf(["exercise", "variant", "result", "why", "seconds"], rows);
const out = option("--out", null);
if (out) writeFileSync(out, `${table}\n`);
process.stdout.write(`${table}\n`);

function runOne(slug, methods, variant) {
  const base = `exercises/practice/${slug}`;
  const read = (path) => source.read(`${base}/${path}`);
  const spec = toVitest(read(`${slug}.spec.js`), slug, "js");
  const solution = read(".meta/proof.ci.js");
  const path = `src/${slug}.js`;
  const folder = mkdtempSync(join(tmpdir(), "mettle-cycles-"));
  try {
    const repository = join(folder, slug);
    write(repository, { "README.md": read(".docs/instructions.md"), ...vitestStart(slug) });
    symlinkSync(join(root, "node_modules"), join(repository, "node_modules"), "dir");
    commitAll(repository, folder);
    const wrong = brokenScript(solution, read(`${slug}.js`));
    const broken = withBody(solution, wrong, methods[1]);
    const tests = methods.map((method, index) => testsOf(spec, methods, index));
    const steps = [
      withoutMethod(solution, methods[1]),
      variant === "wrong second method" ? broken : solution,
    ];
    const cassette = cassetteOf({ slug, methods, path, tests, steps, cheats: variant === "edited test" });
    const file = join(folder, "cassette.yaml");
    writeFileSync(file, stringify(cassette));
    const call = caller({ repository, folder });
    const started = Date.now();
    const { code, json } = call(
      "run",
      `Solve ${slug}`,
      "--protocol",
      protocol,
      "--agent",
      `scripted:${file}`,
    );
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    if (code === 0) return ["proven", `\`mettle verify\` ${call("verify", json.run).code}`, seconds];
    const { state } = call("status", json.run).json.runs?.[0] ?? {};
    const failure = state?.failure_analysis;
    const why = failure
      ? `cycle ${failure.cycle}: ${failure.class}: ${failure.cause}`
      : (json.error?.message ?? "");
    return [failure ? "refused" : `exit ${code}`, why.replaceAll("|", "\\|"), seconds];
  } finally {
    if (!flags.includes("--keep")) rmSync(folder, { recursive: true, force: true });
  }
}

/** The tests that call this method and not a later one, each with the criterion in its title. */
function testsOf(spec, methods, index) {
  const later = methods.slice(index + 1);
  const lines = spec.split("\n");
  const kept = [];
  for (let at = 0; at < lines.length; at++) {
    const start = /^(\s*)test\((['"`])/u.exec(lines[at] ?? "");
    if (!start) {
      kept.push(lines[at]);
      continue;
    }
    let end = at;
    while (lines[end] !== `${start[1]}});` && end < lines.length) end += 1;
    const block = lines.slice(at, end + 1);
    const text = block.join("\n");
    const calls = (method) => new RegExp(`\\b${method}\\(`, "u").test(text);
    if (calls(methods[index]) && !later.some(calls))
      kept.push(text.replace(/test\((\s*['"`])/u, `test($1M${index + 1} `));
    at = end;
  }
  // A later method cannot be imported yet.
  const unused = methods.filter((method) => !new RegExp(`\\b${method}\\(`, "u").test(kept.join("\n")));
  // vitest reports a suite without a test as an error.
  const suites = kept.join("\n").replaceAll(/^\s*describe\([^\n]*\{\s*\}\);$/gmu, "");
  return suites.replace(/import \{([^}]*)\} from ('\.\.|"\.\.)/u, (_all, names, from) => {
    const used = names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name && !unused.includes(name));
    return `import { ${used.join(", ")} } from ${from}`;
  });
}

function blockOf(text, method) {
  return new RegExp(`^export const ${method} = [\\s\\S]*?^\\};\\n`, "mu").exec(text)?.[0] ?? "";
}

function withoutMethod(text, method) {
  return text.replace(blockOf(text, method), "");
}

function withBody(text, other, method) {
  return text.replace(
    blockOf(text, method),
    () => blockOf(other, method) || `export const ${method} = () => "";\n`,
  );
}

function cassetteOf({ slug, methods, path, tests, steps, cheats }) {
  const file = (index) => `tests/${methods[index]}.spec.js`;
  const approved = { report: { status: "APPROVED", message: "good" } };
  const weaker = {
    write: {
      path: file(1),
      content: 'import { expect, test } from "vitest";\ntest("M2 works", () => expect(1).toBe(1));\n',
    },
  };
  return {
    version: 1,
    kind: "cassette",
    roles: {
      designer: [
        {
          report: {
            status: "PC",
            message: "one module",
            payload: {
              architecture_design: `One module, ${path}.`,
              module_specifications: [{ name: slug, specification: "As the README says." }],
              tech_stack: "JavaScript modules and vitest.",
            },
          },
        },
      ],
      arch_critic: [{ report: { status: "ACCEPT", message: "small" }, repeat: true }],
      planner: [
        {
          report: {
            status: "PC",
            message: "one cycle for each method",
            payload: {
              cycles: methods.map((method, index) => ({
                method: `${method}()`,
                task: `Make ${method}() as the README says.`,
                tests: [file(index)],
                criteria: [{ id: `M${index + 1}`, text: `${method}() does what the README says.` }],
                files: [path],
              })),
            },
          },
        },
      ],
      plan_critic: [{ report: { status: "PA", message: "small" } }],
      qa: methods.flatMap((_method, index) => [
        {
          does: [{ write: { path: file(index), content: tests[index] } }],
          report: { status: "RC", message: "failing tests" },
        },
        { report: { status: "RTC", message: "nothing to be made better" } },
        approved,
      ]),
      de: methods.flatMap((_method, index) => [
        {
          does: [{ write: { path, content: steps[index] } }, ...(cheats && index === 1 ? [weaker] : [])],
          report: { status: "GC", message: "all tests pass" },
        },
        { report: { status: "RIC", message: "nothing to be made better" } },
        approved,
      ]),
      reviewer: [{ report: { status: "APPROVED", message: "matches" }, repeat: true }],
    },
  };
}
