/** Processes that make calls of the knowledge graph, for its contract (src/testing/graph-contract.ts). */
import { spawn } from "node:child_process";
import type { GraphProcess } from "../../src/testing/graph-case.ts";
import { bundleProgram } from "./bundle.ts";

/**
 * @param opener TypeScript that ends with the expression of an open graph; its imports are relative to the repository root, and the
 *   environment has what `start` gives
 */
export async function graphProgram(opener: { readonly imports: string; readonly graph: string }) {
  const program = await bundleProgram(`
    import { writeSync } from "node:fs";
    import { createInterface } from "node:readline";
    import { callGraph } from "./src/memory/graph/call.ts";
    ${opener.imports}
    const graph = await ${opener.graph};
    writeSync(1, "ready\\n");
    for await (const line of createInterface({ input: process.stdin })) {
      for (const [name, args] of JSON.parse(line)) {
        const answer = await callGraph(async () => graph, name, args);
        if (answer.type !== "answered") throw new Error(answer.why);
        writeSync(1, JSON.stringify(answer.value) + "\\n");
      }
      break;
    }
    await graph.close();
  `);

  return {
    /** Resolves when the process has the graph open. */
    async start(env: Readonly<Record<string, string>>): Promise<GraphProcess> {
      const child = spawn(process.execPath, [program.file], {
        stdio: ["pipe", "pipe", "inherit"],
        env: { ...process.env, ...env },
      });
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      child.stdin.on("error", () => undefined); // it was killed
      const answers: unknown[] = [];
      let isReady = () => {};
      const ready = new Promise<void>((resolve) => (isReady = resolve));
      let rest = "";
      child.stdout.on("data", (chunk: Buffer) => {
        // What a kill cut off does not count as answered.
        const lines = (rest + chunk.toString()).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (line === "ready") isReady();
          else answers.push(JSON.parse(line));
        }
      });
      await Promise.race([ready, ended]);
      return {
        call: (calls) => void child.stdin.end(`${JSON.stringify(calls)}\n`),
        answers,
        ended,
        kill: () => void child.kill("SIGKILL"),
      };
    },
  };
}
