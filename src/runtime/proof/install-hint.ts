/** How the packages of a project are installed, by what its package manager left beside package.json. */
import { access } from "node:fs/promises";
import { join } from "node:path";

const locks: readonly (readonly [file: string, command: string])[] = [
  ["package-lock.json", "npm ci"],
  ["npm-shrinkwrap.json", "npm ci"],
  ["pnpm-lock.yaml", "pnpm install"],
  ["yarn.lock", "yarn install"],
  ["bun.lock", "bun install"],
  ["bun.lockb", "bun install"],
];

export async function installCommand(checkout: string): Promise<string> {
  for (const [file, command] of locks) if (await exists(join(checkout, file))) return command;
  return "npm install";
}

/** What helps where a package is not in `node_modules`. */
export async function installHint(checkout: string): Promise<string> {
  const isPnp = (await exists(join(checkout, ".pnp.cjs"))) || (await exists(join(checkout, ".pnp.js")));
  return isPnp
    ? "Yarn's Plug'n'Play keeps no node_modules: write `nodeLinker: node-modules` in .yarnrc.yml, then `yarn install`"
    : `install the project's dependencies in the main checkout: \`${await installCommand(checkout)}\``;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
