/** The call of a program by which it, and all that it ever starts, can be told from what a person started. */
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { canBeMarked, markArgument } from "./marks.ts";

interface Call {
  readonly file: string;
  readonly argv: readonly string[];
}

/** The program itself where this machine has nothing to mark it with, or where it is not found: its start says so best. */
export function markedCall(call: Call, { path, cwd }: { readonly path: string; readonly cwd: string }): Call {
  marker ??= findMarker();
  if (marker === "" || !isOnPath(call.file, path, cwd)) return call;
  return { file: marker, argv: [markArgument, "--", call.file, ...call.argv] };
}

let marker: string | null = null;

/** Part of util-linux, as every distribution of Linux but the smallest has it. Empty: there is none. */
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
    return false; // not there, or not ours to start
  }
}
