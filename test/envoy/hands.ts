/** How an agent acts: by lines of a shell, or by tools alone. What it reads and does then is the same. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { GateWorld } from "./gate-world.ts";
import type { Json, Refusal } from "./plan-world.ts";

export type Said =
  { readonly status: "success"; readonly data: Json } | { readonly status: "error"; readonly error: Refusal };

export interface Hands {
  /** The printed text of a protocol. */
  print(protocol: string): Promise<string>;
  /** @param words of a line, without `envoy` */
  call(words: readonly string[], cwd: string): Promise<Said>;
  write(folder: string, files: Readonly<Record<string, string>>): Promise<void>;
}

/** A shell in the folder where the agent works. */
export function shellOf(world: Pick<GateWorld, "envoy">): Hands {
  return {
    print: async (protocol) => (await world.envoy(["protocol", protocol])).stdout,
    async call(words, cwd) {
      const { code, stdout } = await world.envoy(words, cwd);
      const said = JSON.parse(stdout) as Said;
      expect([words, said.status]).toEqual([words, code === 0 ? "success" : "error"]);
      return said;
    },
    write: writeFiles,
  };
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}
