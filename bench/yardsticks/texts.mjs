// Reads texts of a folder that the user names.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export function textOf(folder, path) {
  return readFileSync(join(folder, path), "utf8");
}

/** @returns path -> text of the files directly in `inner` whose names are wanted */
export function textsIn(folder, inner, isWanted) {
  const files = readdirSync(join(folder, inner)).filter(
    (file) => isWanted(file) && statSync(join(folder, inner, file)).isFile(),
  );
  return Object.fromEntries(files.map((file) => [join(inner, file), textOf(folder, join(inner, file))]));
}
