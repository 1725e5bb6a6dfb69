/** The imports of a Python file. */
import type { Script } from "./script.ts";

export interface PythonImport {
  /** As written: `shop.cart`, `.cart`. */
  readonly module: string;
  /** Imported names with their local names; empty for `import module`, whose used names are in `used`. */
  readonly names: readonly { readonly name: string; readonly local: string }[];
  /** Attributes read from the module: `cart.total`. */
  readonly used: readonly string[];
  /** Start index in the text. */
  readonly at: number;
}

const from = /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n;#]+)/gm;
const whole = /^[ \t]*import[ \t]+([^\n;#]+)/gm;

export function pythonImports(script: Script): readonly PythonImport[] {
  const { code } = script;
  const taken = [...code.matchAll(from)].map((match) => ({
    module: match[1] ?? "",
    names: listed((match[2] ?? "").replace(/[()\\]/g, " ")),
    used: [],
    at: match.index + (match[0].length - match[0].trimStart().length),
  }));
  const modules = [...code.matchAll(whole)].flatMap((match) =>
    listed(match[1] ?? "").map(({ name, local }) => ({
      module: name,
      names: [],
      used: usedOf(code, local),
      at: match.index + (match[0].length - match[0].trimStart().length),
    })),
  );
  return [...taken, ...modules];
}

function listed(clause: string): readonly { name: string; local: string }[] {
  return clause
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "*")
    .map((part) => {
      const [name = part, local = name] = part.split(/\s+as\s+/);
      return { name, local };
    });
}

const dotted = /(?<![\w.])[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)+/g;

function usedOf(code: string, local: string): readonly string[] {
  const own = local.replaceAll(/\s/g, "").split(".");
  const used = [...code.matchAll(dotted)].flatMap(([whole]) => {
    const parts = whole.replaceAll(/\s/g, "").split(".");
    const isOwn = own.every((part, index) => parts[index] === part);
    return isOwn ? (parts[own.length] ?? []) : [];
  });
  return [...new Set(used)];
}

/** Attributes read from a name: `Cart.of(…)` reads `of` from `Cart`. */
export function membersOf(script: Script, local: string): readonly string[] {
  return usedOf(script.code, local);
}
