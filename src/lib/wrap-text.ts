import { columnsOf } from "./columns.ts";

/** Wraps text at blanks into lines of at most `room` columns; a longer word is not split. */
export function wrapText(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && columnsOf(line) + 1 + columnsOf(word) > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const mark = " … (--json)";

/** Wraps and indents text, and cuts it after `lines` lines. */
export function paragraph(
  text: string,
  { width, indent, lines }: { readonly width: number; readonly indent: number; readonly lines: number },
): readonly string[] {
  const room = width - indent;
  const all = wrapText(text, room);
  // The last line gives up as many words as its mark needs.
  const [last = ""] = wrapText(all[lines - 1] ?? "", room - mark.length);
  const shown = all.length <= lines ? all : [...all.slice(0, lines - 1), `${last}${mark}`];
  return shown.map((line) => `${" ".repeat(indent)}${line}`);
}
