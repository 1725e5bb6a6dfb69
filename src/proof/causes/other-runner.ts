/** Test files that import a runner which Mettle does not know: to the one that executes them they hold no test. */
import { importsOf } from "../../source/imports.ts";
import { readScript } from "../../source/script.ts";
import { isModule } from "../checkout/link-modules.ts";
import { foreignRunners } from "../project/test-command.ts";
import type { CheckoutCause, BaseContext } from "./cause.ts";

export async function otherRunner({
  base,
  packages,
  output,
}: BaseContext): Promise<readonly CheckoutCause[]> {
  if (!output.includes("no_tests")) return [];
  const isScript = (path: string) =>
    /test|spec/i.test(path) && /\.[cm]?[jt]sx?$/.test(path) && !isModule(path);
  const texts = await base.texts([...base.files.keys()].filter(isScript));
  for (const [path, text] of texts) {
    const used = importsOf(readScript(text)).find(({ from }) => foreignRunners.has(from));
    const around = packages.findLast(({ prefix }) => path.startsWith(prefix));
    if (used === undefined || around === undefined) continue;
    const help =
      "`runner: junit` with its command under `tests.junit` in mettle.yaml judges it, if it writes XML of JUnit (docs/runners.md)";
    const what = `${path} imports ${used.from}, and ${around.found.name} does not see its tests`;
    return [{ what, help, isMentioned: true }];
  }
  return [];
}
