/** Adds lines to `.gitignore` and removes them: at the end, under a heading, with the line ends of the file. */
const heading = "# Added by mettle init:";
const rules = [".claude/temp/", ".claude/plans/"];

/** The text with the rules; null if it already has all of them. */
export function withRules(text: string | null): string | null {
  const present = new Set((text ?? "").split(/\r?\n/u).map((line) => line.trim()));
  const missing = rules.filter((rule) => !present.has(rule));
  if (missing.length === 0) return null;
  const end = text?.includes("\r\n") === true ? "\r\n" : "\n";
  const before = text ?? "";
  const gap = before === "" || before.endsWith("\n") ? "" : end;
  return `${before}${gap}${[heading, ...missing].map((line) => `${line}${end}`).join("")}`;
}

/** The text without the heading and its rules; null if it has none, empty if nothing else is left. */
export function withoutRules(text: string): string | null {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.trim() === heading);
  if (at < 0) return null;
  let end = at + 1;
  while (rules.includes(lines[end]?.trim() ?? "")) end += 1;
  return [...lines.slice(0, at), ...lines.slice(end)].join("\n");
}
