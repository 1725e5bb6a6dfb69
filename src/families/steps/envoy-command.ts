/** Puts `envoy` first on an agent's PATH, so it also works if Mettle is installed for one project only. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { packageRoot } from "../../config/package-root.ts";

/** @param node absolute path of node */
export async function putEnvoy(home: string, node: string): Promise<void> {
  const bin = binOf(home);
  await mkdir(bin, { recursive: true });
  const file = join(bin, "envoy");
  const program = packageRoot("dist", "bin", "envoy.cjs");
  await writeFile(file, `#!/bin/sh\nexec ${quoted(node)} ${quoted(program)} "$@"\n`);
  await chmod(file, 0o755);
}

export function withEnvoy(path: string, home: string): string {
  return `${binOf(home)}${delimiter}${path}`;
}

const binOf = (home: string): string => join(home, "bin");

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;
