import { fileURLToPath } from "node:url";

/** Absolute path of a plain `.mjs` file beside this module: a runner loads it into its own process, so it is never bundled. */
export function asset(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
