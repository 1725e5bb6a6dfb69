/** Wraps text at blanks into lines of at most `room` columns; a longer word is not split. */
export function wrapText(text: string, room: number): readonly string[] {
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

/** Wraps and indents text, and cuts it after `lines` lines. */
export function paragraph(
  text: string,
  { width, indent, lines }: { readonly width: number; readonly indent: number; readonly lines: number },
): readonly string[] {
  const all = wrapText(text, width - indent);
  const shown =
    all.length <= lines ? all : [...all.slice(0, lines - 1), `${all[lines - 1] ?? ""} … (--json)`];
  return shown.map((line) => `${" ".repeat(indent)}${line}`);
}
