/** Resolves an import to a file of the project. */

/** Possible paths of an import, the most literal first: `./add.js` may be `add.ts` in TypeScript, `./add` either. */
export function candidates(importer: string, from: string): readonly string[] {
  // As a decoded URL and as a plain name, in which # and ? are ordinary characters.
  const paths = new Set([
    joinPath(importer, from),
    joinName(importer, decoded(from)),
    joinName(importer, from),
  ]);
  return [...paths].flatMap(variants);
}

function variants(path: string): readonly string[] {
  const typed = /\.([cm]?)js(x?)$/.exec(path);
  const stem = path.replace(/\.[cm]?jsx?$/, "");
  const twins = typed === null ? [] : [`${stem}.${typed[1] ?? ""}ts${typed[2] ?? ""}`, `${stem}.tsx`];
  const open = ["ts", "tsx", "mts", "cts", "js", "mjs", "cjs", "jsx"];
  return [
    path,
    ...twins,
    ...open.map((end) => `${path}.${end}`),
    ...open.map((end) => `${path}/index.${end}`),
  ];
}

function decoded(from: string): string {
  try {
    return decodeURIComponent(from.split(/[?#]/)[0] ?? "");
  } catch {
    return from; // a % without an encoding
  }
}

/** Resolves a relative import against the importing file. */
export function joinPath(importer: string, from: string): string {
  return joinName(importer, from.split(/[?#]/)[0] ?? "");
}

function joinName(importer: string, from: string): string {
  return joinBelow(importer.split("/").slice(0, -1).join("/"), from);
}

/** Resolves a relative name against a folder; the result never leaves the root. */
export function joinBelow(folder: string, name: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${name}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** The file of a dotted module name; a package may start at the root, below `src` or beside the importing file. */
export function pythonFile(module: string, importer: string, has: (path: string) => boolean): string | null {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).replaceAll(".", "/");
  const folder = importer.split("/").slice(0, -Math.max(1, dots)).join("/");
  const own = folder === "" ? "" : `${folder}/`;
  const starts = dots === 0 ? ["", "src/", own] : [own];
  const found = starts.flatMap((start) => [`${start}${path}.py`, `${start}${path}/__init__.py`]);
  return found.find(has) ?? null;
}
