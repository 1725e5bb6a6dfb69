/** Finds steps protocols: `.claude/protocols/` and `.mettle/protocols/` of the main checkout, then the shipped ones. */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { packageRoot } from "../../config/package-root.ts";
import { openRepository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import { yamlError, type YamlSource } from "../../lib/yaml/yaml-document.ts";
import { examineMerge, mergeSteps, nextBase, type StepsProtocol } from "../../protocol/steps/merge.ts";
import { examineSteps, readSteps, type StepsLayer } from "../../protocol/steps/read.ts";
import { stepsFolder } from "../../engine/start/library.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

export interface StepsPlace {
  readonly cwd: string;
  /** The PATH on which git is found. */
  readonly path: string;
}

/** The protocol of this name with its bases applied, as the main checkout has it. */
export async function stepsProtocol(name: string, { cwd, path }: StepsPlace): Promise<StepsProtocol> {
  if (!/^[a-z0-9-]+$/u.test(name))
    throw new AppError("invalid_name", `"${name}" is not a valid name of a protocol`, {
      hint: "a name has small letters, digits and hyphens only",
    });
  return mergeSteps(await stepsChain(name, await mainCheckout(cwd, path)));
}

/** Whether the name is a steps protocol here. */
export async function isStepsProtocol(name: string, root: string | null): Promise<boolean> {
  return (await names(root)).includes(name);
}

/**
 * The protocol and its bases, down to the last one.
 * @param root the main checkout; null for the shipped protocols only
 */
export async function stepsChain(name: string, root: string | null): Promise<readonly StepsLayer[]> {
  const source = await find(name, root);
  if (source === null) throw await notFound(name, root);
  return withBases(readSteps(name, source), root);
}

/** All faults of a file and of its merge with its bases. */
export async function examineStepsFile(
  source: YamlSource,
  { cwd, path }: StepsPlace,
): Promise<{ readonly name: string; readonly errors: readonly AppError[] }> {
  const name = basename(source.file).replace(/\.ya?ml$/u, "");
  const { layer, errors } = examineSteps(name, source);
  if (layer === null) return { name, errors };
  const chain = await withBases(layer, await mainCheckout(cwd, path)).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  if (chain instanceof AppError) return { name, errors: [...errors, chain] };
  return { name, errors: [...errors, ...examineMerge(chain).errors] };
}

async function withBases(layer: StepsLayer, root: string | null): Promise<readonly StepsLayer[]> {
  const chain = [layer];
  for (let base = nextBase(chain); base !== null; base = nextBase(chain)) {
    const next = await find(base, root);
    if (next === null) throw await unknownBase(base, chain.at(-1), root);
    chain.push(readSteps(base, next));
  }
  return chain;
}

/** Null outside a repository, where only the shipped ones exist. */
async function mainCheckout(cwd: string, path: string): Promise<string | null> {
  try {
    return (await openRepository(cwd, { path, mayBeEmpty: true })).root;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_a_repository") return null;
    throw error;
  }
}

const ownFolders = (root: string | null): readonly string[] =>
  root === null ? [] : [join(root, ".claude", "protocols"), join(root, ".mettle", "protocols")];

const shipped = (): string => packageRoot("protocols", stepsFolder);

async function find(name: string, root: string | null): Promise<YamlSource | null> {
  const files = [...ownFolders(root), shipped()].map((folder) => join(folder, `${name}.yaml`));
  // A machine's own file is found too, so that the error differs from a missing protocol.
  for (const file of [...files, packageRoot("protocols", name, "protocol.yaml")]) {
    const found = await stat(file).catch(() => null);
    if (found === null || !found.isFile()) continue;
    if (found.size > 1024 * 1024)
      throw yamlError("invalid_yaml", [
        { file, line: 1, column: 1, path: [], message: "the file is larger than 1 MiB" },
      ]);
    const text = await readFile(file).catch((cause: unknown) => {
      throw new AppError("invalid_yaml", `${file} cannot be read`, { hint: "check its permissions", cause });
    });
    return { file, text };
  }
  return null;
}

async function names(root: string | null): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const folder of [...ownFolders(root), shipped()])
    for (const entry of await readdir(folder).catch(() => [])) {
      const name = /^([a-z0-9-]+)\.yaml$/u.exec(entry)?.[1];
      // The folder may also contain machines for `mettle run`.
      const text = name === undefined ? "" : ((await readPlainFile(join(folder, entry))) ?? "");
      if (name !== undefined && /^steps:/mu.test(text)) found.add(name);
    }
  return [...found].toSorted();
}

async function notFound(name: string, root: string | null): Promise<AppError> {
  const known = await names(root);
  const near = nearest(name, known);
  return new AppError("not_found", `there is no steps protocol ${name}: there are ${known.join(", ")}`, {
    hint: near === null ? "use one of these" : `did you mean ${near}?`,
    detail: { known },
  });
}

async function unknownBase(
  base: string,
  layer: StepsLayer | undefined,
  root: string | null,
): Promise<AppError> {
  const fault = layer?.baseFault(`no steps protocol ${base} to extend`, await names(root));
  return yamlError("unknown_base", fault === undefined ? [] : [fault]);
}
