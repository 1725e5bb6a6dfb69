import { fileURLToPath } from "node:url";

/** The repository. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Git-ignored: locks, stamps, logs, other versions of Node. */
export const work = fileURLToPath(new URL("../../.mettle-build/", import.meta.url));
