/** The install command of a project's package manager, recognised by the files beside package.json. */
import { join } from "node:path";
import { exists } from "../../lib/files.ts";

interface Manager {
  readonly install: string;
  /** Adds a development dependency. */
  readonly add: string;
}

const npm: Manager = { install: "npm ci", add: "npm install --save-dev" };
const bun: Manager = { install: "bun install", add: "bun add --dev" };

const managers: readonly (readonly [lock: string, manager: Manager])[] = [
  ["package-lock.json", npm],
  ["npm-shrinkwrap.json", npm],
  ["pnpm-lock.yaml", { install: "pnpm install", add: "pnpm add --save-dev" }],
  ["yarn.lock", { install: "yarn install", add: "yarn add --dev" }],
  ["bun.lock", bun],
  ["bun.lockb", bun],
];

async function managerOf(checkout: string): Promise<Manager> {
  for (const [lock, manager] of managers) if (await exists(join(checkout, lock))) return manager;
  return { ...npm, install: "npm install" };
}

export async function installCommand(checkout: string): Promise<string> {
  return (await managerOf(checkout)).install;
}

/** @param wanted `vitest@latest` */
export async function addCommand(checkout: string, wanted: string): Promise<string> {
  return `${(await managerOf(checkout)).add} ${wanted}`;
}

/** Yarn stores packages elsewhere, and installing again does not change that. */
export async function isPlugAndPlay(checkout: string): Promise<boolean> {
  return (await exists(join(checkout, ".pnp.cjs"))) || (await exists(join(checkout, ".pnp.js")));
}

/** The hint for a package that is not in `node_modules`. */
export async function installHint(checkout: string): Promise<string> {
  return (await isPlugAndPlay(checkout))
    ? "Yarn's Plug'n'Play keeps no node_modules: write `nodeLinker: node-modules` in .yarnrc.yml, then `yarn install`"
    : `install the project's dependencies in the main checkout: \`${await installCommand(checkout)}\``;
}
