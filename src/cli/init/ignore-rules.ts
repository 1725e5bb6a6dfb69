/** The lines of `.gitignore` that init adds: at the end, under a heading of their own, in the file's own line ends. */
const heading = "# Added by mettle init:";
const rules = [".claude/temp/", ".claude/plans/"];

/** The text with the rules in it; null when they all stand there already. */
export function withRules(text: string | null): string | null {
  const present = new Set((text ?? "").split(/\r?\n/u).map((line) => line.trim()));
  const missing = rules.filter((rule) => !present.has(rule));
  if (missing.length === 0) return null;
  const end = text?.includes("\r\n") === true ? "\r\n" : "\n";
  const before = text ?? "";
  const gap = before === "" || before.endsWith("\n") ? "" : end;
  return `${before}${gap}${[heading, ...missing].map((line) => `${line}${end}`).join("")}`;
}

/** The text without the heading and the rules under it; null when there is none, and an empty text when nothing else is left. */
export function withoutRules(text: string): string | null {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.trim() === heading);
  if (at < 0) return null;
  let end = at + 1;
  while (rules.includes(lines[end]?.trim() ?? "")) end += 1;
  const left = [...lines.slice(0, at), ...lines.slice(end)].join("\n");
  return left;
}
