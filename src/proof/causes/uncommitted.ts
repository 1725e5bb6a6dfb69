/** Files of the user's checkout that are in no commit: build output, generated files, uncommitted work. */
import { basename } from "node:path";
import { mentions, type CheckoutCause, type BaseContext } from "./cause.ts";

/** Dependencies, environments and caches: linked, recreated or irrelevant to tests. */
const ofTools =
  /(^|\/)(node_modules|\.?venv|env|\.env[^/]*|__pycache__|\.[^/]*cache|coverage|\.coverage|\.nyc_output|\.git|\.idea|\.vscode|\.DS_Store|target)\/?$/;

export function buildOutput({ ignored, output }: BaseContext): readonly CheckoutCause[] {
  return ignored
    .filter((path) => !ofTools.test(path))
    .map((path) => ({
      what: `${path} is ignored by git, so it is not in a clean checkout`,
      help: "name the command that makes it under `tests.prepare` in mettle.yaml, or commit it",
      isMentioned: isNamedIn(output, path),
    }));
}

export function uncommittedFiles({ untracked, output }: BaseContext): readonly CheckoutCause[] {
  return untracked
    .filter((path) => isNamedIn(output, path))
    .map((path) => ({ what: `${path} is not committed`, help: "commit it", isMentioned: true }));
}

/** The output often names a module without its extension. */
function isNamedIn(output: string, path: string): boolean {
  const bare = path.replace(/(\.d)?\.[a-z0-9]{1,5}$/i, "");
  return mentions(output, path) || (basename(bare).length > 3 && mentions(output, bare));
}
