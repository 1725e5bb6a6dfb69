/** Reads the shipped steps protocols. The build stores the result for programs that must start fast. */
import { readFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { mergeSteps, type StepsProtocol } from "../../protocol/steps/merge.ts";
import { stepsChain } from "./steps-protocols.ts";

/** By the protocol's name. */
export type ShippedSteps = Readonly<Record<string, ShippedProtocol>>;

export interface ShippedProtocol {
  readonly protocol: StepsProtocol;
  /** The source texts by name: its own and those of its bases. */
  readonly files: Readonly<Record<string, string>>;
}

/** @param folder folder of the shipped files */
export async function readShippedSteps(folder: string): Promise<ShippedSteps> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml"));
  const entries = files.toSorted().map(async (file) => {
    const name = basename(file, ".yaml");
    const chain = await stepsChain(name, null);
    const sources = chain.map(
      async (layer) => [layer.name, await readFile(join(folder, `${layer.name}.yaml`), "utf8")] as const,
    );
    const protocol = mergeSteps(chain);
    return [name, { protocol, files: Object.fromEntries(await Promise.all(sources)) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
