/** A terminal in the main checkout; each line of `envoy` is a separate process. */
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import type { PlanWorld } from "./plan-world.ts";
import type { Terminal } from "./specialist.ts";

const program = packageRoot("dist/bin/envoy.cjs");

/** Runs a program. @returns its exit code and output */
export function run({ repository, env }: PlanWorld, [file = "", ...argv]: readonly string[], input = "") {
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>(
    (resolve, reject) => {
      const child = spawn(file, argv, { cwd: repository.dir, env, timeout: 60_000 });
      const [out, err]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
      child.on("error", reject);
      child.on("close", (code) =>
        resolve({ code, out: String(Buffer.concat(out)), err: String(Buffer.concat(err)) }),
      );
      child.stdin.on("error", () => {}); // it takes no input
      child.stdin.end(input);
    },
  );
}

/** Passes texts with quotes or line breaks by file or stdin, as the printed text says. */
export function terminalIn(world: PlanWorld, temporary: string, by: "file" | "stdin"): Terminal {
  return {
    async run(words) {
      let input = "";
      const line: string[] = [];
      for (const [at, word] of words.entries()) {
        const isText = /[`"'\n]/u.test(word) && words[at - 1] !== "--inputs";
        if (isText && by === "stdin" && input === "") {
          input = word;
          line.push("-");
        } else if (isText) {
          const file = join(temporary, `${words.length}-${at}-${Math.random()}.txt`);
          await writeFile(file, word);
          line.push(`@${file}`);
        } else line.push(word);
      }
      const { code, out, err } = await run(world, [process.execPath, program, ...line], input);
      expect([line, code, err]).toEqual([line, 0, ""]);
      return out;
    },
  };
}
