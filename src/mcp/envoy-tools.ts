/**
 * Every command of Envoy as a tool (ENV-87). Envoy is a program of its own and no part of this one: it is loaded by its path, as
 * `mettle envoy` does, and brings its tools with it.
 */
import { pathToFileURL } from "node:url";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { packageRoot } from "../config/package-root.ts";
import type { ToolSet } from "./tool-set.ts";

interface Envoy {
  readonly tools: () => readonly Tool[];
  readonly callTool: (
    name: string,
    args: unknown,
    cwd: string,
  ) => Promise<{ readonly exit: number; readonly text: string }>;
}

/** @param cwd where its commands are called */
export async function envoyTools(cwd: string): Promise<ToolSet> {
  const loaded: unknown = await import(pathToFileURL(packageRoot("dist", "bin", "envoy.js")).href);
  if (!isEnvoy(loaded)) throw new Error("dist/bin/envoy.js has another shape");
  const { tools, callTool } = loaded;
  const described = tools();
  return {
    tools: () => described,
    async call(name, args) {
      const { exit, text } = await callTool(name, args, cwd);
      return { content: [{ type: "text", text }], ...(exit === 0 ? {} : { isError: true }) };
    },
  };
}

function isEnvoy(loaded: unknown): loaded is Envoy {
  return (
    typeof loaded === "object" &&
    loaded !== null &&
    typeof Reflect.get(loaded, "tools") === "function" &&
    typeof Reflect.get(loaded, "callTool") === "function"
  );
}
