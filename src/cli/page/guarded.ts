import type { RunView } from "../../log/run-view.ts";

/**
 * Whether a sandbox kept every agent of a run from the page: from the files of the browser and the memory of this program. An
 * agent's own sandbox does not hide files.
 */
export function isGuarded({ started, dispatches }: Pick<RunView, "started" | "dispatches">): boolean {
  const held = Object.values(started?.sandbox?.held ?? { none: false });
  return (
    held.every(Boolean) &&
    Object.values(dispatches).every(({ isolation }) => isolation.startsWith("bubblewrap "))
  );
}
