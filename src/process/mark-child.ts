/** Marks a program and all its descendants, so that they can be distinguished from programs that a person started. */
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { canBeMarked, markArgument } from "./marks.ts";

interface Call {
  readonly file: string;
  readonly argv: readonly string[];
}

/** Unchanged if this machine cannot mark it, or if the program is not found: starting it then gives the best error. */
export function markedCall(call: Call, { path, cwd }: { readonly path: string; readonly cwd: string }): Call {
  marker ??= findMarker();
  if (marker === "" || !isOnPath(call.file, path, cwd)) return call;
  return { file: marker, argv: [markArgument, "--", call.file, ...call.argv] };
}

let marker: string | null = null;

/** `prlimit` of util-linux, which nearly every Linux distribution has. Empty: missing. */
function findMarker(): string {
  const places = canBeMarked() ? ["/usr/bin/prlimit", "/bin/prlimit"] : [];
  return places.find(isProgram) ?? "";
}

function isOnPath(file: string, path: string, cwd: string): boolean {
  const places = file.includes("/") ? [file] : path.split(delimiter).map((folder) => join(folder, file));
  return places.some((place) => isProgram(isAbsolute(place) ? place : join(cwd, place)));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // missing, or not executable for this user
  }
}
