/** A plan on a feature branch, and the driver in this process, whose agents are cassettes that type Envoy commands. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { openHost } from "../../src/run/host.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { createGateWorld, type GateWorld } from "../envoy/gate-world.ts";
import { callHere, type InProcessResult } from "../cli/here.ts";
import type { TurnFile } from "../orchestrate/world.ts";
import { walkthrough, type Json } from "../envoy/plan-world.ts";

export interface StepsWorld extends GateWorld {
  /** Writes a cassette outside the repository and returns its path: turns by role, prompt or segment. */
  cassette(roles: Turns, nodes?: Readonly<Record<string, Turns>>): Promise<string>;
  /** Runs `mettle` with `--json` and the agents of the cassette. */
  run(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<InProcessResult & { readonly json: Json }>;
  text(...args: readonly string[]): Promise<InProcessResult>;
  /** The journal of a run. */
  events(run: string): Promise<readonly Json[]>;
}

type Turns = Readonly<Record<string, readonly TurnFile[]>>;

export async function createStepsWorld(): Promise<StepsWorld> {
  const world = await createGateWorld();
  const { repository, env } = world;
  const file = join(env["HOME"] ?? "", "cassette.yaml");
  await repository.write({
    ".gitignore": "mettle.yaml\nreview.yaml\n",
    "package.json": '{ "name": "shop", "type": "module" }\n',
    "test/base.test.js": 'import { test } from "node:test";\ntest("base", () => {});\n',
    "mettle.yaml": "version: 1\nagents: { roles: { reviewer: 'scripted:review.yaml' } }\n",
    "review.yaml": stringify({
      version: 1,
      kind: "cassette",
      roles: { reviewer: [{ does: [{ say: '{"verdict":"passed"}' }], repeat: true }] },
    }),
  });
  await repository.git("add", "-A");
  await repository.git("commit", "--quiet", "-m", "A shop");
  await world.ok(["plan", "init"]);
  const text = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    callHere(args, { cwd: repository.dir, env: { ...env, ...more } });
  return {
    ...world,
    async cassette(roles, nodes = {}) {
      await writeFile(file, stringify({ version: 1, kind: "cassette", roles, nodes }));
      return file;
    },
    async run(args, more = {}) {
      const agent = args[0] === "run" ? ["--agent", `scripted:${file}`] : [];
      const called = await text([...args, ...agent, "--json"], more);
      return { ...called, json: JSON.parse(called.stdout) as Json };
    },
    text: (...args) => text(args),
    async events(run) {
      const found: Json[] = [];
      const read = async () => {
        const host = await openHost(repository.dir);
        found.push(...(await host.journal.read(run)).map((stored) => ({ ...recorded(stored) })));
        await host.journal.close();
        return 0;
      };
      await callHere([], { cwd: repository.dir, env }, read);
      return found;
    },
  };
}

/**
 * The steps of `implementation` up to its first gate, as printed. Keeps the folder that `envoy git worktree` prints.
 */
export function implemented(id: string, source: string): string {
  const [number = "", variant = ""] = id.split(" ");
  const name = id.replace(" ", "-");
  const branch = `feature/x--implementation-${name}`;
  const told = walkthrough(1).replace("src/a.ts", `src/${number}${variant}.ts`);
  return `set -e
envoy protocol implementation > steps.txt
envoy plan read-prompt ${id}
envoy plan start-prompt ${id} --specialist worker --worktree ${branch}
${enter(id)}
mkdir -p src
printf '%s\\n' '${source}' > src/${number}${variant}.ts
cat > ../walkthrough-${name}.md <<'END'
${told}
END
envoy plan record-implementation ${id} --walkthrough @../walkthrough-${name}.md --iteration 1
envoy git commit ${id} --message "Add ${id}"
envoy gemini review ${id}`;
}

/** Changes to the worktree, below the agent's folder. */
export function enter(id: string): string {
  return `cd "$(envoy git worktree ${id} | sed 's/.*"path":"\\([^"]*\\)".*/\\1/')"`;
}

export function merged(id: string): string {
  return `set -e
envoy git merge-worktree ${id}
envoy plan complete-prompt ${id}`;
}

/** The steps of `discovery`, typed by a specialist who finds one approach. */
export function surveyed(agent: string, text: string): string {
  return [
    `envoy protocol discovery > /dev/null`,
    `envoy knowledge search docs "how the shop works"`,
    `envoy plan write-notes ${agent} --notes "${text}"`,
    `envoy plan write-approach ${agent} 1 --description "${text}" --context "How: ${text}" --files "src/a.ts"`,
  ].join(" && ");
}
