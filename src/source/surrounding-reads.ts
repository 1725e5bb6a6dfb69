/**
 * Finds where a JavaScript, TypeScript or Python source reads its surrounding: what differs between two runs of the same
 * tests in other places (PRV-17). A read decides nothing by itself; it names the cause where a result differs.
 */
import { readCode } from "./code-text.ts";
import { lineOf, readScript, type Script } from "./script.ts";

/** What a second run can change. */
export type Surround =
  "clock" | "zone" | "variables" | "folder" | "host" | "user" | "workers" | "stack" | "order" | "files";

/** Found by a pattern of its own; the other kinds are uses of a name that the file defines, or need two patterns. */
type Named = Exclude<Surround, "order" | "files">;

export interface SurroundingRead {
  readonly what: Surround;
  /** From 1. */
  readonly line: number;
  /** The code that reads it. */
  readonly code: string;
}

/** @returns null for a language that it does not read */
export function surroundingReads({
  path,
  text,
}: {
  readonly path: string;
  readonly text: string;
}): readonly SurroundingRead[] | null {
  const isPython = path.endsWith(".py");
  if (!isPython && !/\.[cm]?[jt]sx?$/u.test(path)) return null;
  const script = isPython ? readCode(text, "python") : readScript(text);
  const patterns = isPython ? python : javascript;
  const found = Object.entries(patterns).flatMap(([what, pattern]) =>
    matches(script, pattern).map((read) => ({ what: what as keyof typeof patterns, ...read })),
  );
  const order = isPython ? pythonCounters(script) : scriptCounters(script);
  const kept = keepsFiles[isPython ? "python" : "javascript"];
  const files = kept.writes.test(script.code) ? matches(script, kept.reads) : [];
  return [
    ...found,
    ...order.map((read) => ({ what: "order" as const, ...read })),
    ...files.map((read) => ({ what: "files" as const, ...read })),
  ];
}

/** A file that writes and reads files may decide by what an earlier run left. */
const keepsFiles = {
  javascript: {
    writes:
      /\b(?:(?:writeFile|appendFile|mkdir|copyFile|symlink|rename|open)(?:Sync)?|createWriteStream|outputFile)\s*\(/u,
    reads: /\b(?:(?:exists|stat|lstat|access|readFile|readdir|open)(?:Sync)?|pathExists)\s*\(/gu,
  },
  python: {
    writes:
      /\.\s*(?:write|write_text|write_bytes|touch|mkdir)\s*\(|\bos\s*\.\s*(?:mkdir|makedirs|open)\s*\(/u,
    reads:
      /\b(?:exists|isfile|isdir|is_file|is_dir|lexists|stat|listdir|glob|read_text|read_bytes)\s*\(|\bopen\s*\(/gu,
  },
};

const javascript: Readonly<Record<Named, RegExp>> = {
  clock:
    /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|[^\s(])|(?<!\bnew\s+|[\w.$]\s*)\bDate\s*\(\s*\)|\bTemporal\s*\.\s*Now\b/gu,
  zone: /\.\s*(?:getTimezoneOffset|getHours|getDate|getDay|getMonth|getFullYear|toLocale(?:Date|Time)?String|resolvedOptions)\s*\(|\bDateTimeFormat\b/gu,
  variables:
    /\bprocess\s*\.\s*env\b|\bimport\s*\.\s*meta\s*\.\s*env\b|\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/gu,
  folder:
    /\bprocess\s*\.\s*cwd\b|\b__dirname\b|\b__filename\b|\bimport\s*\.\s*meta\s*\.\s*(?:url|dirname|filename)\b|\b(?:home|tmp)dir\s*\(/gu,
  host: /\bhostname\s*\(|\benv\s*\.\s*HOSTNAME\b/gu,
  user: /\buserInfo\s*\(|\benv\s*\.\s*(?:USER|LOGNAME|USERNAME)\b/gu,
  workers: /\bcpus\s*\(|\bavailableParallelism\s*\(/gu,
  stack: /\.\s*stack\b|\bcaptureStackTrace\b|\bprepareStackTrace\b|\bgetCallSites?\b/gu,
};

const python: Readonly<Record<Named, RegExp>> = {
  clock:
    /\btime\s*\.\s*(?:time|time_ns|localtime|gmtime|ctime|strftime)\s*\(|\b(?:datetime|date)\s*\.\s*(?:now|utcnow|today)\s*\(|\b(?:now|today|time_ns)\s*\(\s*\)|(?<![\w.])time\s*\(\s*\)/gu,
  zone: /\btime\s*\.\s*(?:localtime|timezone|tzname|mktime)\b|\bastimezone\s*\(\s*\)|\bfromtimestamp\s*\(/gu,
  variables: /\bos\s*\.\s*environ\b|\b(?:os\s*\.\s*)?getenv\s*\(|\bimport\s+environ\b/gu,
  folder:
    /\bgetcwd\s*\(|\b__file__\b|\.\s*cwd\s*\(|\bgettempdir\s*\(|\bexpanduser\s*\(|\bPath\s*\.\s*home\s*\(/gu,
  host: /\bgethostname\s*\(|\bgetfqdn\s*\(|\bplatform\s*\.\s*(?:node|uname)\s*\(/gu,
  user: /\bgetuser\s*\(|\bgetlogin\s*\(/gu,
  workers: /\b(?:cpu_count|process_cpu_count)\s*\(/gu,
  stack:
    /\binspect\s*\.\s*(?:stack|currentframe|trace)\b|\b_getframe\b|\bcurrentframe\s*\(|\bextract_stack\b/gu,
};

type Place = Omit<SurroundingRead, "what">;

function matches(script: Script, pattern: RegExp): readonly Place[] {
  return [...script.code.matchAll(pattern)].map(({ 0: code, index }) => placeOf(script, index, code));
}

function placeOf(script: Script, at: number, code: string): Place {
  return { line: lineOf(script, at), code: code.replace(/\s+/gu, " ").trim() };
}

/** A variable of a module that counts calls and decides an answer: as an index, or compared with a number. */
function scriptCounters(script: Script): readonly Place[] {
  return [
    ...usesOf(script, /^(?:export\s+)?(?:let|var)\s+([\w$]+)(?:\s*:\s*\w+)?\s*=\s*-?\d+/gmu, counterUse),
    ...usesOf(script, /^(?:export\s+)?const\s+([\w$]+)[^=\n]*=\s*\[\s*[^\]\s]/gmu, listUse),
  ];
}

function pythonCounters(script: Script): readonly Place[] {
  return [
    ...usesOf(script, /^\s+(?:global|nonlocal)\s+(\w+)/gmu, counterUse),
    ...usesOf(script, /^(\w+)[^=\n]*=\s*\[\s*[^\]\s]/gmu, listUse),
    ...usesOf(
      script,
      /^(\w+)\s*=\s*(?:iter|itertools\s*\.\s*(?:cycle|count)|cycle|count)\s*\(/gmu,
      /\bnext\s*\(\s*(\w+)/gu,
    ),
  ];
}

const counterUse =
  /\[\s*(?:\+\+)?([A-Za-z_$][\w$]*)[^\]\n]*\]|(?<![\w.$])([A-Za-z_$][\w$]*)(?:\+\+)?\s*(?:[=!]==?|<=?|>=?)\s*\d/gu;

const listUse = /(?<![\w.$])([\w$]+)\s*\.\s*(?:shift|pop)\s*\(/gu;

/** Where one of the names that a pattern finds is used. */
function usesOf(script: Script, names: RegExp, use: RegExp): readonly Place[] {
  const found = new Set([...script.code.matchAll(names)].map(([, name]) => name));
  return [...script.code.matchAll(use)].flatMap(({ 0: code, 1: name, 2: other, index }) =>
    found.has(name ?? other) ? [placeOf(script, index, code)] : [],
  );
}
