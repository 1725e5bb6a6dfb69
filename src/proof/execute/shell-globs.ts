/** Expands the patterns of a test script as a shell with default settings does: `*` and `?` stay within a folder. */

/** @param paths all files of the package, relative to it */
export function expandGlobs(words: readonly string[], paths: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    if (word.startsWith("-") || !/[*?[]/.test(word)) return [word];
    const found = paths.filter((path) => fits(path, word.replace(/^\.\//, "")));
    // A pattern without matches stays as written.
    return found.length === 0 ? [word] : found.toSorted();
  });
}

function fits(path: string, pattern: string): boolean {
  const [names, parts] = [path.split("/"), pattern.split("/")];
  return (
    names.length === parts.length &&
    parts.every((part, at) => {
      const name = names[at] ?? "";
      return (!name.startsWith(".") || part.startsWith(".")) && fitsName(name, part);
    })
  );
}

function fitsName(name: string, part: string): boolean {
  if (part === "") return name === "";
  const [sign = ""] = part;
  if (sign === "*") return fitsName(name, part.slice(1)) || (name !== "" && fitsName(name.slice(1), part));
  if (name === "") return false;
  const set = sign === "[" ? setOf(part) : null;
  if (set !== null) return set.has(name.charAt(0)) && fitsName(name.slice(1), part.slice(set.length));
  return (sign === "?" || sign === name.charAt(0)) && fitsName(name.slice(1), part.slice(1));
}

/** `[a-z]`, `[!a]`; null where the bracket is not closed. */
function setOf(part: string): { readonly length: number; has(sign: string): boolean } | null {
  const end = part.indexOf("]", 2);
  if (end === -1) return null;
  const isNot = part.charAt(1) === "!" || part.charAt(1) === "^";
  const signs = part.slice(isNot ? 2 : 1, end);
  const holds = (sign: string): boolean => {
    for (let at = 0; at < signs.length; at += 1) {
      const isRange = signs.charAt(at + 1) === "-" && at + 2 < signs.length;
      if (isRange && signs.charAt(at) <= sign && sign <= signs.charAt(at + 2)) return true;
      if (isRange) at += 2;
      else if (signs.charAt(at) === sign) return true;
    }
    return false;
  };
  return { length: end + 1, has: (sign) => holds(sign) !== isNot };
}
