/** `mettle show RUN --html FILE`. */
import { resolve } from "node:path";
import { findRun } from "../../run/find-run.ts";
import type { OpenHost } from "../../run/host.ts";
import { readRun } from "../../overview/read-run.ts";
import { readTexts } from "../../overview/read-texts.ts";
import { pageFile } from "../../page/file/page-file.tsx";
import type { CliResult } from "../command.ts";
import { writeNamedFile } from "../write-file.ts";

/**
 * Writes one self-contained page of a run (SEE-12).
 * @param file as the person named it; an existing file is replaced
 * @throws run_unknown, usage
 */
export async function showHtml(
  host: OpenHost,
  { id, file, cwd }: { readonly id: string; readonly file: string; readonly cwd: string },
): Promise<CliResult> {
  const run = await findRun(host, id);
  const model = await readRun(host, run);
  const path = resolve(cwd, file);
  const page = pageFile(model, await readTexts(host, model));
  await writeNamedFile(path, page);
  return {
    exit: 0,
    json: { run, html: path, bytes: Buffer.byteLength(page) },
    text: `${path} has run ${run}; it opens in any browser, without network`,
  };
}
