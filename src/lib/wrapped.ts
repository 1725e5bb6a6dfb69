/** Text in lines of at most this many columns, broken at blanks; a longer word stays whole. */
export function wrapped(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** The same below an indent, and cut after so many lines. */
export function paragraph(
  text: string,
  { width, indent, lines }: { readonly width: number; readonly indent: number; readonly lines: number },
): readonly string[] {
  const all = wrapped(text, width - indent);
  const shown =
    all.length <= lines ? all : [...all.slice(0, lines - 1), `${all[lines - 1] ?? ""} … (--json)`];
  return shown.map((line) => `${" ".repeat(indent)}${line}`);
}
