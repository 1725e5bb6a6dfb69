// What a terminal shows after these bytes, as lines of parts with a tone. Enough for Mettle's own output.

const letters = new Intl.Segmenter("en", { granularity: "grapheme" });
// eslint-disable-next-line no-control-regex
const controls = /(\u001b\[[\d;]*[A-Za-z]|\r\n|[\r\n])/u;
// eslint-disable-next-line no-control-regex
const control = /^\u001b\[([\d;]*)([A-Za-z])$/u;

/** @type {Readonly<Record<string, string>>} */
const tones = { 1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow" };

/**
 * @param {string} bytes what the program wrote
 * @param {number} columns of the terminal
 * @param {(text: string) => number} columnsOf the width of a character
 * @returns {{ text: string, tone: string, column: number }[][]} the parts of each line; without a tone it is empty
 */
export function screenLines(bytes, columns, columnsOf) {
  /** @type {{ text: string, tone: string }[][]} */
  const rows = [[]];
  let [row, column, tone] = [0, 0, ""];
  const put = (/** @type {string} */ text) => {
    const width = columnsOf(text);
    if (column + width > columns) [row, column] = [row + 1, 0];
    const line = (rows[row] ??= []);
    while (line.length < column) line.push({ text: " ", tone: "" });
    line.splice(column, width, { text, tone }, ...Array(Math.max(0, width - 1)).fill({ text: "", tone }));
    column += width;
  };
  for (const part of bytes.split(controls)) {
    const [, digits = "", letter = ""] = control.exec(part) ?? [];
    if (part === "\r") column = 0;
    else if (part === "\n" || part === "\r\n") [row, column] = [row + 1, 0];
    else if (letter === "A") row -= Number(digits === "" ? "1" : digits);
    else if (letter === "G") column = Number(digits === "" ? "1" : digits) - 1;
    else if (letter === "J" || letter === "K") {
      rows[row]?.splice(digits === "2" ? 0 : column);
      if (letter === "J") rows.splice(row + 1);
    } else if (letter === "m") tone = tones[digits] ?? "";
    else if (letter !== "") throw new Error(`no such control sequence here: ${JSON.stringify(part)}`);
    else for (const { segment } of letters.segment(part)) put(segment);
    rows[row] ??= [];
  }
  return rows.map((line) => partsOf(line ?? []));
}

/** @param {{ text: string, tone: string }[]} cells */
function partsOf(cells) {
  /** @type {{ text: string, tone: string, column: number }[]} */
  const parts = [];
  for (const [column, { text, tone }] of cells.entries()) {
    const last = parts.at(-1);
    if (last !== undefined && last.tone === tone) last.text += text;
    else parts.push({ text, tone, column });
  }
  return parts;
}
