/**
 * Makes child processes of tests use the commit under proof: an editable Python installation or a linked program on PATH
 * would otherwise lead them to the user's own checkout.
 */
import { chmod, mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pythonPaths } from "../../evidence/runners/pytest.ts";
import type { Repository } from "../../git/repository.ts";
import { isObject } from "../../lib/json.ts";
import { manifest } from "../project/manifest.ts";
import { readPlainFile } from "../../lib/plain-file.ts";
import { noDifferences, pythonWith, type Differences } from "../surrounding/differences.ts";

export interface ChildContext {
  /** An existing folder used by this run alone. */
  readonly folder: string;
  /** Absolute path of the clean checkout. */
  readonly root: string;
  /** Absolute path of the package in it. */
  readonly project: string;
  readonly repository: Repository;
  /** Absolute path of node. */
  readonly node: string;
  /** Default: nothing. */
  readonly differs?: Differences;
}

export interface ChildPaths {
  /** Folders to prepend to PATH. */
  readonly programs: readonly string[];
  /** A folder to prepend to PYTHONPATH. */
  readonly python: string;
}

export async function childPaths(place: ChildContext): Promise<ChildPaths> {
  const python = join(place.folder, "python");
  const programs = join(place.folder, "programs");
  await Promise.all([writePythonPaths(python, place), writePrograms(programs, place)]);
  const folders = [...new Set([place.project, place.root])];
  return { programs: [...folders.map((folder) => join(folder, "node_modules", ".bin")), programs], python };
}

async function writePythonPaths(
  folder: string,
  { root, project, repository, differs = noDifferences }: ChildContext,
): Promise<void> {
  const named = [repository.checkout, repository.root];
  const real = await Promise.all(named.map((path) => realpath(path).catch(() => path)));
  const text = await readFile(pythonPaths, "utf8");
  await mkdir(folder, { recursive: true });
  // A list of JSON strings is also a Python list.
  const filled = text
    .replace(/^ROOTS = \[\]/m, () => `ROOTS = ${JSON.stringify([...new Set([...named, ...real])])}`)
    .replace(/^PLACES = \[\]/m, () => `PLACES = ${JSON.stringify([root, project])}`);
  await writeFile(join(folder, "sitecustomize.py"), `${filled}${await pythonWith(differs)}`);
}

/** Scripts for the programs of the project's package.json, as an installation or `npm link` would add them to PATH. */
async function writePrograms(folder: string, { root, project, node }: ChildContext): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const place of new Set([root, project])) {
    const text = (await readPlainFile(join(place, "package.json"))) ?? "{}"; // not a node package
    for (const [name, file] of programsIn(text)) {
      const script = join(folder, name);
      await writeFile(script, `#!/bin/sh\nexec ${quoted(node)} ${quoted(join(place, file))} "$@"\n`);
      await chmod(script, 0o755);
    }
  }
}

function programsIn(packageJson: string): ReadonlyMap<string, string> {
  const { name, bin } = manifest(packageJson);
  const own = typeof name === "string" ? basename(name) : "";
  const all = isObject(bin) ? Object.entries(bin) : [[own, bin] as const];
  return new Map(
    all.flatMap(([program, file]) =>
      typeof file === "string" && /^[\w.@-]+$/.test(program) && !/^\.*$/.test(program)
        ? [[program, file]]
        : [],
    ),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
