// Makes docs/pictures from real runs of scripted agents: `terminal` as SVG, `page` in Chromium as WebP; without a word both.
// `--out FOLDER` writes them elsewhere. Needs the build, and script(1) of util-linux or Chromium.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { columnsOf } from "../dist/lib/lib/columns.js";
import { takePagePictures } from "./pictures/live-page.mjs";
import { screenLines } from "./pictures/screen.mjs";
import { svgOf } from "./pictures/svg.mjs";
import { answers, demoRepository, mettleEnv, program, task } from "./pictures/world.mjs";
import { root } from "./setup/root.mjs";

/** Rows of a block that are shown at its begin and at its end. */
const [first, last] = [4, 4];
/** A state line fits in 104 columns, that of a person's gate in 108. The questions are answered, the plan is not. */
const pictures = [
  { name: "proven", argv: ["demo"], exit: 0, columns: 104 },
  { name: "refused", argv: ["demo", "--cheat"], exit: 1, columns: 104 },
  { name: "narrow", argv: ["demo"], exit: 0, columns: 60 },
  { name: "waiting", argv: ["run", task], exit: 3, columns: 108, replies: [...answers, ""] },
];

const at = process.argv.indexOf("--out");
const folder = at === -1 ? join(root, "docs/pictures") : (process.argv[at + 1] ?? ".");
mkdirSync(folder, { recursive: true });
const wanted = (word) =>
  process.argv.includes(word) || !["terminal", "page"].some((one) => process.argv.includes(one));
if (wanted("terminal"))
  for (const picture of pictures) {
    const { name, argv, columns } = picture;
    const lines = shortened(screenLines(await played(picture), columns, columnsOf));
    const title = `mettle ${argv.map((word) => (word.includes(" ") ? `'${word}'` : word)).join(" ")}`;
    writeFileSync(
      join(folder, `terminal-${name}.svg`),
      svgOf(lines, { columns, title: clipped(title, columns - 12) }),
    );
  }
if (wanted("page")) await takePagePictures(folder);

/** What a terminal of this width shows of a command, whose questions are answered as they come. */
async function played({ argv, exit, columns, replies = null }) {
  const place = mkdtempSync(join(tmpdir(), "mettle-pictures-"));
  try {
    const cwd = replies === null ? place : demoRepository(place, "orchestrate");
    const agent =
      replies === null ? [] : ["--agent", `scripted:${join(root, "protocols/orchestrate/demo/honest.yaml")}`];
    const words = [process.execPath, program, ...argv, ...agent].map((word) => `'${word}'`).join(" ");
    const env = { ...mettleEnv(place), TERM: "xterm-256color" };
    const shell = spawn("script", ["-qec", `stty cols ${columns} rows 40; exec ${words}`, "/dev/null"], {
      env,
      cwd,
      stdio: ["pipe", "pipe", "inherit"],
      timeout: 120_000,
    });
    let text = "";
    let answered = 0;
    shell.stdout.setEncoding("utf8").on("data", (part) => {
      text += part;
      const asked = text.split("\n> ").length - 1;
      for (; replies !== null && answered < asked; answered += 1)
        shell.stdin.write(`${replies[answered] ?? ""}\n`);
    });
    const status = await new Promise((resolve) => shell.on("close", resolve));
    if (status !== exit)
      throw new Error(`mettle ${argv.join(" ")} ended with ${status}, not ${exit}: ${text}`);
    return text.replaceAll(cwd, "~/words");
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function clipped(text, max) {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
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
  const end = shown.findIndex((parts) => /^(?:Cost|Warnings): /u.test(textOf(parts)));
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
    { text: "│", tone: "dim", column: bar?.at(-1)?.column ?? 0 },
  ];
  return [...rows.slice(0, first), gap, ...rows.slice(-last)];
}
