/** Environment variables that the tests lack: named in the output, or set in an uncommitted `.env`. Stores no values. */
import { basename, join } from "node:path";
import type { CheckoutCause, BaseContext } from "./cause.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

export async function variables(seen: BaseContext): Promise<readonly CheckoutCause[]> {
  const files = await envFiles(seen);
  const known = new Set([...Object.keys(seen.env), ...files.flatMap(({ names }) => names)]);
  const missing = missingNames(seen.output).filter((name) => name.includes("_") || known.has(name));
  const inFiles = new Set(files.flatMap(({ names }) => names));
  return [
    ...files.map(({ path, names }): CheckoutCause => {
      const used = names.filter((name) => missing.includes(name) || seen.output.includes(name));
      return {
        what: `${path}${used.length === 0 ? "" : `, which sets ${used.join(", ")},`} is not in the commit`,
        help: `\`tests.envFile: ${path}\` in mettle.yaml passes it to the tests`,
        isMentioned: used.length > 0 || seen.output.includes(basename(path)),
      };
    }),
    ...missing
      .filter((name) => !inFiles.has(name))
      .map((name): CheckoutCause => ({
        what: `the variable ${name} is missing`,
        help: `set it under \`tests.env\` in mettle.yaml${name in seen.env ? ", which can pass on the value of your shell" : ""}`,
        isMentioned: true,
      })),
  ];
}

interface EnvFile {
  readonly path: string;
  readonly names: readonly string[];
}

async function envFiles({ repository, ignored, untracked }: BaseContext): Promise<readonly EnvFile[]> {
  const paths = [...ignored, ...untracked].filter((path) => /^\.env(\.[\w.-]+)?$/.test(basename(path)));
  const read = async (path: string): Promise<EnvFile> => {
    const text = (await readPlainFile(join(repository.checkout, path))) ?? ""; // unreadable
    return {
      path,
      names: [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/gm)].map(([, name = ""]) => name),
    };
  };
  return Promise.all(paths.map(read));
}

const ways: readonly RegExp[] = [
  /(?:environment variable|env(?:ironment)? var(?:iable)?|variable|KeyError:|environ)\s*[[:=('"`]*\s*([A-Z][A-Z0-9_]{2,})\b/g,
  /\b(?:missing|requires?|undefined|unset|set|define|provide)\s+(?:the\s+)?(?:environment variable:?\s+)?['"`]?([A-Z][A-Z0-9_]{2,})\b/gi,
  /\b([A-Z][A-Z0-9_]{2,})['"`]?\s+(?:environment variable\s+)?(?:is|was|must be|has to be|are)?\s*(?:not\s+(?:set|defined|provided|configured|found)|missing|required|undefined|unset|set)\b/g,
];

/** Names of variables that the output reports as missing. */
function missingNames(output: string): readonly string[] {
  const found = ways.flatMap((way) => [...output.matchAll(way)].map(([, named = ""]) => named));
  return [...new Set(found)].filter((named) => named === named.toUpperCase());
}
