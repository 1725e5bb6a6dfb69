/** One self-contained page of a run: no script, no request; the policy in its head forbids both (SEE-12). */
import { renderToString } from "preact-render-to-string";
import { cleaned } from "../../views/model/clean.ts";
import type { RunModel } from "../../views/model/run-model.ts";
import type { RunTexts } from "../../views/model/run-texts.ts";
import { RunPage } from "../parts/run-page.tsx";
import { styleSheet } from "../parts/style/style-sheet.ts";

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

export function pageFile(model: RunModel, texts: RunTexts): string {
  const title = `${model.asked.task.split("\n", 1)[0] ?? ""} · run ${model.run}`;
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: styleSheet }} />
      </head>
      <body>
        <RunPage model={model} texts={cleaned(texts)} />
      </body>
    </html>,
  );
  return `<!doctype html>\n${html}\n`;
}
