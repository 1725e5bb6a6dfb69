import { access } from "node:fs/promises";
import { join } from "node:path";
import { runners } from "../../evidence/runners/registry.ts";
import { AppError } from "../../lib/errors.ts";
import { detectPackages } from "../../runtime/proof/packages.ts";
import { fail, ok, type Check, type Place } from "./check.ts";

export const runner: Check = {
  name: "runner",
  needed: true,
  async look({ repository, head, settings }) {
    if (repository === null || typeof head !== "string") return []; // the branch says why
    try {
      const packages = await detectPackages({ repository, commit: head, settings });
      return packages.map(({ prefix, found: { name, version } }) => {
        const folder = prefix === "" ? "." : prefix.slice(0, -1);
        const isNamed = folder === "." && settings.runner !== undefined;
        const how =
          isNamed || settings.packages?.[folder] !== undefined ? "named in mettle.yaml" : "found by itself";
        const where = packages.length === 1 && folder === "." ? "" : `${folder}: `;
        return ok(`${where}${name}${version === null ? "" : ` ${version}`}, ${how}`);
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [fail(error.message, (await installing(repository.checkout, error)) ?? error.hint)];
    }
  },
};

const locks: readonly (readonly [file: string, command: string])[] = [
  ["package-lock.json", "npm ci"],
  ["npm-shrinkwrap.json", "npm ci"],
  ["pnpm-lock.yaml", "pnpm install"],
  ["yarn.lock", "yarn install"],
  ["bun.lock", "bun install"],
  ["bun.lockb", "bun install"],
];

/** How the project's own packages are installed, where the runner is one of them; else null. */
async function installing(checkout: NonNullable<Place["repository"]>["checkout"], { detail }: AppError) {
  const name =
    typeof detail === "object" && detail !== null && "runner" in detail ? String(detail.runner) : "";
  if (typeof runners[name]?.entry !== "string") return null;
  for (const [file, command] of locks) if (await exists(join(checkout, file))) return command;
  return "npm install";
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
