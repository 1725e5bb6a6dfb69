/** Which file of the project an import means. */

/** The paths that an import may mean, most literal first: `./add.js` is `add.ts` in TypeScript, `./add` is either. */
export function candidates(importer: string, from: string): readonly string[] {
  // As a URL, decoded, and as a plain name, in which # and ? are letters as others are.
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
    return from; // a % that encodes nothing
  }
}

/** A relative import, resolved against the file that holds it. */
export function joinPath(importer: string, from: string): string {
  return joinName(importer, from.split(/[?#]/)[0] ?? "");
}

function joinName(importer: string, from: string): string {
  return joinBelow(importer.split("/").slice(0, -1).join("/"), from);
}

/** A relative name, resolved from a folder on; no name leads above the root. */
export function joinBelow(folder: string, name: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${name}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** The file that a dotted name means; a package may begin at the root or below `src`. */
export function pythonFile(module: string, importer: string, has: (path: string) => boolean): string | null {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).replaceAll(".", "/");
  const folder = dots === 0 ? null : importer.split("/").slice(0, -dots).join("/");
  const starts = folder === null ? ["", "src/"] : [folder === "" ? "" : `${folder}/`];
  const found = starts.flatMap((start) => [`${start}${path}.py`, `${start}${path}/__init__.py`]);
  return found.find(has) ?? null;
}
