/** What the tests of a package need beside their files: variables, loaders and arguments, as its own test command has them. */
import type { Project } from "./project.ts";
import { commandOf, testCommands, type TestCommand } from "./test-command.ts";

export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  /** Arguments of node before the runner. */
  readonly loaders: readonly string[];
}

/**
 * Read from the base commit, so that no change under test decides about its own proof. A package whose script starts
 * another runner is run as the nearest package around it is.
 * @param prefix of the package; empty for the root
 */
export async function surroundingsOf(base: Project, prefix: string, runner: string): Promise<Surroundings> {
  const { env = {}, loaders = [] } = (await ownCommand(base, prefix, runner)) ?? {};
  const own = Object.entries(env).filter(([name]) => !isOurs(name));
  return { env: Object.fromEntries(own), loaders };
}

/** The test command of the package, or of the nearest one around it, that starts this runner. */
async function ownCommand(base: Project, prefix: string, runner: string): Promise<TestCommand | null> {
  const parts = prefix.split("/").slice(0, -1);
  const folders = [...parts.keys(), parts.length].map((depth) =>
    parts
      .slice(0, depth)
      .map((part) => `${part}/`)
      .join(""),
  );
  const texts = await base.texts(folders.map((folder) => `${folder}package.json`));
  for (const folder of folders.toReversed()) {
    const command = commandOf(testCommands(texts.get(`${folder}package.json`) ?? "{}"), runner);
    if (command !== null) return command;
  }
  return null;
}

/** Variables that the proof itself decides. */
function isOurs(name: string): boolean {
  return /^(PATH|HOME|TMPDIR|PWD|NODE_V8_COVERAGE|NODE_TEST_CONTEXT|METTLE_.*)$/.test(name);
}
