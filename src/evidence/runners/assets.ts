import { fileURLToPath } from "node:url";

/** Absolute path of a plain `.mjs` file beside this module. Runners load it into their own process, so it is never bundled. */
export function asset(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
