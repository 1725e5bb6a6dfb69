// Writes docs/reference.md, a page of all commands, from their tables. `--check` only compares the page.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { format, resolveConfig } from "prettier";
import { root } from "./setup/root.mjs";

const file = join(root, "docs/reference.md");
const tables = `
export { program as mettle } from "./src/cli/table.ts";
export { program as envoy } from "./src/envoy/table.ts";
export { isShown } from "./src/lib/command-line/row.ts";
export { syntaxOf, typeNote, usageOf } from "./src/lib/command-line/usage.ts";`;

const { mettle, envoy, isShown, syntaxOf, typeNote, usageOf } = await loadTables();
const text = await format(page(), { ...(await resolveConfig(file)), parser: "markdown" });
if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write("docs/reference.md is stale: node scripts/reference.mjs\n");
  process.exitCode = 1;
}

function page() {
  return `# Every command

\`node scripts/reference.mjs\` makes this page from the tables of commands (\`src/cli/table.ts\`, \`src/envoy/table.ts\`). Brackets mark
optional parts; \`[options]\` are the options of the command and those of every command. A text of \`envoy\` can also come from a file,
\`@FILE\`, or from standard input, \`-\`; \`@@\` is a literal \`@\`.

${[mettle, envoy].map(sectionOf).join("\n")}`;
}

function sectionOf(program) {
  const rows = program.rows.map(
    (row) => `### ${program.name} ${row.name}

${escaped(row.summary)}: \`${usageOf(program, row)}\`

${listOf(row.inputs)}`,
  );
  return `## ${program.name}

Every command takes:

${listOf(program.everywhere)}
- \`-h|--help\`

${rows.join("\n\n")}
`;
}

function listOf(inputs) {
  return inputs
    .filter(isShown)
    .map(
      (input) => `- \`${syntaxOf(input)}\`: ${escaped(input.about)}${input.default ? typeNote(input) : ""}`,
    )
    .join("\n");
}

function escaped(about) {
  return about.replaceAll(/[\\*<>[\]]/g, String.raw`\$&`);
}

/** The tables, bundled without the handlers of the commands. */
async function loadTables() {
  const handlers = {
    name: "handlers",
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === "dynamic-import" ? { path, external: true } : undefined,
      ),
  };
  const { outputFiles } = await build({
    stdin: { contents: tables, resolveDir: root },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    plugins: [handlers],
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
