/** Writes the files of a session as a plugin of Claude Code, to be installed instead of files in a repository. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ownHooks } from "./hooks.ts";
import { serverEntry } from "./mcp-file.ts";
import type { SessionProtocol } from "./plan.ts";
import { sessionFiles } from "./session-files.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

export interface PluginOptions {
  /** The plugin's folder; created if it is missing. */
  readonly folder: string;
  readonly shipped: string;
  readonly session: SessionProtocol | null;
  readonly version: string;
  readonly dryRun: boolean;
}

/** Keeps existing files. */
export async function writePlugin(
  options: PluginOptions,
): Promise<{ readonly written: readonly string[]; readonly kept: readonly string[] }> {
  const written: string[] = [];
  const kept: string[] = [];
  for (const [path, text] of await pluginFiles(options)) {
    const place = join(options.folder, path);
    const there = await readPlainFile(place);
    (there === null ? written : kept).push(path);
    if (there !== null || options.dryRun) continue;
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, text, { flag: "wx" });
  }
  return { written, kept };
}

async function pluginFiles({
  shipped,
  session,
  version,
}: PluginOptions): Promise<ReadonlyMap<string, string>> {
  const manifest = {
    name: "mettle",
    version,
    license: "MIT",
    description: `Mettle as the referee of a session of ${session?.protocol ?? "orchestrate"}: it keeps the state and runs the gates`,
  };
  const files = await sessionFiles(shipped, session?.wire ?? null);
  // Claude Code puts the plugin's name into the names of its tools.
  const named = [...files].map(
    ([path, text]) => [path, text.replaceAll("mcp__mettle__", "mcp__plugin_mettle_mettle__")] as const,
  );
  return new Map([
    [".claude-plugin/plugin.json", json(manifest)],
    ["README.md", readme(session?.protocol ?? "orchestrate")],
    ...named,
    ["hooks/hooks.json", json({ hooks: ownHooks() })],
    ...(session === null ? [] : [[".mcp.json", json({ mcpServers: { mettle: serverEntry } })] as const]),
  ]);
}

function readme(protocol: string): string {
  return `# Mettle for ${protocol}

The slash commands, sub-agents and hooks with which a session of Claude Code works under Mettle. Mettle keeps the state of a run,
executes the tests itself and refuses what the protocol forbids.

The program \`mettle\` must be on your PATH, and \`session: { protocol: ${protocol} }\` in the \`mettle.yaml\` of the repository. Mettle's
\`docs/session.md\` describes how to work with it. The hooks only refuse early; Mettle's gates decide by the files in the tree.
`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
