/** Reads σ₆: the paths that no role may write, one pattern per line as in .gitignore. */
import { AppError } from "../../lib/errors.ts";
import { memoryPath, readMemoryFile } from "./files.ts";

export interface ProtectedPattern {
  /** For the matcher of the settings' paths (`src/source/paths.ts`). */
  readonly glob: string;
  /** The pattern as written in the file. */
  readonly written: string;
  readonly line: number;
}

/** The patterns of σ₆ in a checkout; empty without the file. */
export async function readProtection(root: string): Promise<readonly ProtectedPattern[]> {
  const file = await readMemoryFile(root, memoryPath(6));
  return file === null ? [] : parseProtection(file.text, file.path);
}

/** Throws `bad_pattern` with file and line of the first invalid pattern. */
export function parseProtection(text: string, file: string = memoryPath(6)): readonly ProtectedPattern[] {
  return text
    .replace(/^\uFEFF/u, "")
    .split(/\r?\n/u)
    .flatMap((line, index) => {
      const written = line.trim();
      if (written === "" || written.startsWith("#")) return [];
      const why = faultOf(written);
      if (why !== null) throw badPattern({ file, line: index + 1, written, why });
      return [{ glob: globOf(written), written, line: index + 1 }];
    });
}

/** As in .gitignore, a name without a slash matches at every depth, and a leading slash means the top. */
function globOf(written: string): string {
  const clean = written.replace(/^\.\//u, "").replace(/\/+$/u, "");
  if (clean.startsWith("/")) return clean.slice(1);
  return clean.includes("/") || clean === "**" ? clean : `**/${clean}`;
}

function faultOf(written: string): string | null {
  if (/^[-*+]\s|^`|<!--/u.test(written))
    return "a line must be a path alone, without list, code or comment marks";
  if (written.startsWith("!")) return "exceptions with ! are not supported";
  if (/[\\\p{Cc}]/u.test(written)) return "a path must use / and no control characters";
  if (written.split("/").includes("..")) return "a path may not leave the repository";
  if (/^[./]*$/u.test(written)) return "it names no path";
  return bracketFault(written);
}

/** Finds unmatched brackets and braces, which would match literally and protect nothing. */
function bracketFault(written: string): string | null {
  let braces = 0;
  for (let at = 0; at < written.length; at++) {
    const char = written.charAt(at);
    if (char === "{") braces += 1;
    if (char === "}") braces -= 1;
    if (braces < 0 || char === "]") return `unmatched ${char} at column ${at + 1}`;
    if (char !== "[") continue;
    const end = written.indexOf("]", at + 1);
    if (end === -1) return `[ at column ${at + 1} is not closed`;
    const set = written.slice(at + 1, end);
    if (/^!?$/u.test(set) || /[[/^]/u.test(set) || !isSet(set))
      return `[${set}] is not a valid character set`;
    at = end;
  }
  return braces === 0 ? null : "{ is not closed";
}

function isSet(set: string): boolean {
  const ranges = [...set.replace(/^!/u, "").matchAll(/(.)-(.)/gsu)];
  return ranges.every(([, from = "", to = ""]) => from <= to);
}

interface BadPattern {
  readonly file: string;
  readonly line: number;
  readonly written: string;
  readonly why: string;
}

function badPattern({ file, line, written, why }: BadPattern): AppError {
  return new AppError("bad_pattern", `${file}:${line}: ${JSON.stringify(written.slice(0, 200))}: ${why}`, {
    hint: "Write one path or glob per line, as in .gitignore: db/**, *.sql or /config.json. # begins a comment.",
    detail: { file, line },
  });
}
