/** Reads the files of a plan, which people may edit. */
import { readFile, stat } from "node:fs/promises";
import { yamlError } from "../lib/yaml/yaml-document.ts";
import { defaultMaxBytes } from "./front-matter.ts";

/** Null if there is no file. Refuses a pipe, which would block, and a file over `maxBytes`, which would exhaust the memory. */
export async function readPlanFile(file: string, maxBytes = defaultMaxBytes): Promise<string | null> {
  const absent = (error: NodeJS.ErrnoException): null => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  };
  const found = await stat(file).catch(absent);
  if (found === null) return null;
  if (!found.isFile()) throw unreadable(file, "it is not a regular file");
  if (found.size > maxBytes) throw unreadable(file, `the file is larger than ${maxBytes / 1024 / 1024} MiB`);
  return readFile(file, "utf8").catch(absent);
}

/** Throws if there is no file. */
export async function requirePlanFile(file: string): Promise<string> {
  const text = await readPlanFile(file);
  if (text === null) throw unreadable(file, "the file is missing");
  return text;
}

function unreadable(file: string, message: string) {
  return yamlError("invalid_yaml", [{ file, line: 1, column: 1, path: [], message }]);
}
