// Makes docs/pictures: what a terminal shows of real runs of the demo. `--out FOLDER` writes them elsewhere. Needs the build and
// script(1) of util-linux.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { columnsOf } from "../dist/lib/lib/columns.js";
import { screenLines } from "./pictures/screen.mjs";
import { svgOf } from "./pictures/svg.mjs";
import { root } from "./setup/root.mjs";

/** A state line fits. */
const columns = 104;
/** Rows of a block that are shown at its begin and at its end. */
const [first, last] = [4, 4];
const pictures = [
  { name: "proven", argv: ["demo"], exit: 0 },
  { name: "refused", argv: ["demo", "--cheat"], exit: 1 },
];

const at = process.argv.indexOf("--out");
const folder = at === -1 ? join(root, "docs/pictures") : (process.argv[at + 1] ?? ".");
mkdirSync(folder, { recursive: true });
for (const { name, argv, exit } of pictures) {
  const lines = shortened(screenLines(played(argv, exit), columns, columnsOf));
  const title = `mettle ${argv.join(" ")}`;
  writeFileSync(join(folder, `terminal-${name}.svg`), svgOf(lines, { columns, title }));
}

/** What the demo writes to a terminal of this width. */
function played(argv, exit) {
  const place = mkdtempSync(join(tmpdir(), "mettle-pictures-"));
  try {
    const program = join(root, "dist/bin/mettle.cjs");
    const line = `stty cols ${columns} rows 40; exec '${process.execPath}' '${program}' ${argv.join(" ")}`;
    const { CI: _, NO_COLOR: _no, FORCE_COLOR: _force, METTLE_VERBOSE: _all, ...others } = process.env;
    // Without a sandbox, which not every machine has: the pictures are the same everywhere.
    const env = { ...others, TERM: "xterm-256color", HOME: place, TMPDIR: place, METTLE_SANDBOX: "off" };
    const ran = spawnSync("script", ["-qec", line, "/dev/null"], {
      env,
      cwd: place,
      encoding: "utf8",
      timeout: 120_000,
    });
    if (ran.status !== exit)
      throw new Error(`mettle ${argv.join(" ")} ended with ${ran.status}, not ${exit}: ${ran.stdout}`);
    return ran.stdout;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Without the introduction of the demo, and with the blocks and the summary cut to their begin and end. */
function shortened(lines) {
  const textOf = (parts) => parts.map(({ text }) => text).join("");
  const from = lines.findIndex((parts) => textOf(parts).startsWith("[Orc."));
  const to = lines.findLastIndex((parts) => textOf(parts).trim() !== "") + 1;
  const shown = [];
  let block = [];
  for (const parts of lines.slice(from, to)) {
    const text = textOf(parts);
    if (block.length > 0 || text.startsWith("┌")) block.push(parts);
    else shown.push(parts);
    if (!text.startsWith("└")) continue;
    shown.push(...cutBlock(block));
    block = [];
  }
  const summary = shown.findIndex((parts) => textOf(parts).startsWith("Requirements ("));
  const end = shown.findIndex((parts) => textOf(parts).startsWith("Cost: "));
  if (summary !== -1 && end > summary) shown.splice(summary, end - summary - 1, moreLines(end - summary - 1));
  return shown;
}

function moreLines(count, column = 0) {
  return [{ text: `  ⋮ ${count} more lines`, tone: "dim", column }];
}

function cutBlock(rows) {
  if (rows.length <= first + last + 1) return rows;
  const bar = rows[first];
  const gap = [
    { text: "│", tone: "dim", column: 0 },
    ...moreLines(rows.length - first - last, 1),
    { text: "│", tone: "dim", column: bar?.at(-1)?.column ?? columns - 1 },
  ];
  return [...rows.slice(0, first), gap, ...rows.slice(-last)];
}
