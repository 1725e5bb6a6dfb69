import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/**
 * Where a program lies, as a shell would find it.
 * @param path folders as in PATH
 * @returns its path, or null when nothing there can be executed
 */
export async function findProgram(name: string, path: string): Promise<string | null> {
  const places = name.includes("/") ? [name] : path.split(delimiter).map((folder) => join(folder, name));
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      return place;
    } catch {
      // not there, or not ours to start
    }
  }
  return null;
}
