import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/**
 * Finds a program as a shell does.
 * @param path folders as in PATH
 * @returns its path; null if there is no such executable file
 */
export async function findProgram(name: string, path: string): Promise<string | null> {
  const places = name.includes("/") ? [name] : path.split(delimiter).map((folder) => join(folder, name));
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      return place;
    } catch {
      // missing, or not executable for this user
    }
  }
  return null;
}

export function notInstalled(program: string): string {
  return program.includes("/")
    ? `${program} is not an executable file`
    : `${program} is not installed (not on PATH)`;
}
