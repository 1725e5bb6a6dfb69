/** A difference in parts that a reviewer can read, of which none is left out: together they are the whole. */

/** About 50,000 tokens. */
export const maxPartCharacters = 200_000;

/** At the beginnings of files, else of lines; a line that is longer than a part is cut in two. */
export function splitDiff(diff: string, most = maxPartCharacters): readonly string[] {
  const parts: string[] = [];
  let part = "";
  const add = (text: string) => {
    if (part !== "" && part.length + text.length > most) {
      parts.push(part);
      part = "";
    }
    part += text;
  };
  for (const file of pieces(diff, "\ndiff --git "))
    if (file.length <= most) add(file);
    else for (const line of pieces(file, "\n")) for (const bit of bits(line, most)) add(bit);
  return part === "" ? parts : [...parts, part];
}

/** Cut before each mark, which begins with the line break that ends what is before it. */
function pieces(text: string, mark: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    found.push(text.slice(start, at + 1));
    start = at + 1;
  }
  return [...found, text.slice(start)].filter((piece) => piece !== "");
}

function bits(line: string, most: number): readonly string[] {
  return Array.from({ length: Math.ceil(line.length / most) }, (_, at) =>
    line.slice(at * most, (at + 1) * most),
  );
}
