/** The interface of a test agent: it works by shell lines or by tools. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { GateWorld } from "./gate-world.ts";
import type { Json, Refusal } from "./plan-world.ts";

export type EnvoyReply =
  { readonly status: "success"; readonly data: Json } | { readonly status: "error"; readonly error: Refusal };

export interface TestAgent {
  /** Prints a protocol. */
  print(protocol: string): Promise<string>;
  /** @param words the words of a line, without `envoy` */
  call(words: readonly string[], cwd: string): Promise<EnvoyReply>;
  write(folder: string, files: Readonly<Record<string, string>>): Promise<void>;
}

/** An agent with a shell. */
export function shellAgent(world: Pick<GateWorld, "envoy">): TestAgent {
  return {
    print: async (protocol) => (await world.envoy(["protocol", protocol])).stdout,
    async call(words, cwd) {
      const { code, stdout } = await world.envoy(words, cwd);
      const reply = JSON.parse(stdout) as EnvoyReply;
      expect([words, reply.status]).toEqual([words, code === 0 ? "success" : "error"]);
      return reply;
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
