import { namesIn } from "./imports.ts";
import { closing, literalAt, type Script } from "./script.ts";

/** What a module offers, as far as its text tells. */
export interface Exports {
  readonly format: "esm" | "cjs" | "none";
  readonly names: ReadonlySet<string>;
  /** Modules whose names are passed on by `export * from`. */
  readonly from: readonly string[];
}

const declared =
  /(?<![\p{L}\p{N}_$.])export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|const\s+enum|const|let|var|enum|type|interface|namespace)\s*([\p{L}_$][\p{L}\p{N}_$]*)/gu;
const apart = /(?<![\p{L}\p{N}_$.])export\s+(?:const|let|var)\s*\{([^{}]*)\}/gu;
const list = /(?<![\p{L}\p{N}_$.])export\s*(?:type\s*)?\{([^}]*)\}/gu;
const star = /(?<![\p{L}\p{N}_$.])export\s*\*\s*(?:as\s+([\p{L}\p{N}_$]+)\s*)?from\s*(?=["'])/gu;

export function exportsOf(script: Script): Exports {
  const { code } = script;
  const names = new Set<string>();
  const from: string[] = [];
  for (const match of code.matchAll(declared)) names.add(match[1] ?? "");
  for (const match of code.matchAll(apart))
    for (const one of namesIn(match[1] ?? "", /\s*:\s*/)) names.add(one.local);
  for (const match of code.matchAll(list))
    for (const one of namesIn(match[1] ?? "", /\s+as\s+/)) names.add(one.local);
  if (/(?<![\p{L}\p{N}_$.])export\s+default(?![\p{L}\p{N}_$])/u.test(code)) names.add("default");
  for (const match of code.matchAll(star)) {
    if (match[1] !== undefined) names.add(match[1]);
    else from.push(literalAt(script, match.index + match[0].length)?.value ?? "");
  }
  const format = formatOf(code, names, from);
  if (format === "cjs") for (const name of assigned(code)) names.add(name);
  return { format, names, from };
}

/** `exports.a = …`, `module.exports.a = …`, `module.exports = { a, b: … }`. */
function assigned(code: string): readonly string[] {
  const single = [
    ...code.matchAll(/(?<![\p{L}\p{N}_$])exports\s*\.\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*=(?!=)/gu),
  ].map((match) => match[1] ?? "");
  const whole = [...code.matchAll(/(?<![\p{L}\p{N}_$])module\s*\.\s*exports\s*=\s*\{/gu)].flatMap((match) => {
    const open = match.index + match[0].length - 1;
    const inner = code.slice(open + 1, closing(code, open));
    return [...inner.matchAll(/(?<=^|,)\s*(?:async\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*(?=[,:(]|$)/gu)].map(
      (name) => name[1] ?? "",
    );
  });
  return ["default", ...single, ...whole];
}

function formatOf(code: string, names: ReadonlySet<string>, from: readonly string[]): Exports["format"] {
  if (
    names.size > 0 ||
    from.length > 0 ||
    /^\s*(?:import|export)(?![\p{L}\p{N}_$])\s*(?:["'{*]|[\p{L}_$])/mu.test(code)
  )
    return "esm";
  return /(?<![\p{L}\p{N}_$.])(?:module\s*\.\s*)?exports(?![\p{L}\p{N}_$])/u.test(code) ? "cjs" : "none";
}
