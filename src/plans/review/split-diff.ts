/** Splits a diff into parts that a reviewer can read. Together they are the whole diff. */

/** About 50,000 tokens. */
export const maxPartCharacters = 200_000;

/** Splits before files, else before lines; a line over the limit is cut. */
export function splitDiff(diff: string, maxLength = maxPartCharacters): readonly string[] {
  const parts: string[] = [];
  let part = "";
  const add = (text: string) => {
    if (part !== "" && part.length + text.length > maxLength) {
      parts.push(part);
      part = "";
    }
    part += text;
  };
  for (const file of pieces(diff, "\ndiff --git "))
    if (file.length <= maxLength) add(file);
    else for (const line of pieces(file, "\n")) for (const bit of bits(line, maxLength)) add(bit);
  return part === "" ? parts : [...parts, part];
}

/** Splits after the line break that each mark begins with. */
function pieces(text: string, mark: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    found.push(text.slice(start, at + 1));
    start = at + 1;
  }
  return [...found, text.slice(start)].filter((piece) => piece !== "");
}

function bits(line: string, maxLength: number): readonly string[] {
  return Array.from({ length: Math.ceil(line.length / maxLength) }, (_, at) =>
    line.slice(at * maxLength, (at + 1) * maxLength),
  );
}
