/** The documents of a run, as they were written last. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { CutText, RunTexts } from "../../views/model/run-texts.ts";
import { Markdown } from "./markdown.tsx";
import { Fold, Section } from "./section.tsx";
import { countText, nameText } from "./words.ts";

export function Documents({
  model,
  texts,
}: {
  readonly model: Pick<RunModel, "documents" | "run">;
  readonly texts: RunTexts;
}) {
  const { documents, run } = model;
  if (documents.length === 0) return null;
  return (
    <Section id="documents" title="Documents">
      {documents.map(({ name, versions, by }) => {
        const text = texts.documents[name];
        return (
          <Fold
            key={name}
            title={
              <>
                <strong>{nameText(name)}</strong>
                <span class="aside">
                  by the {by}
                  {versions.length === 1 ? "" : `, ${countText(versions.length, "version")}`}
                </span>
              </>
            }
          >
            {text === undefined ? (
              <p class="none">
                Not shown here: <code>mettle show {`${run}/${name}`}</code>
              </p>
            ) : (
              <>
                {isMarkdown(name, text) ? <Markdown text={text.text} /> : <pre>{text.text}</pre>}
                <Cut text={text} command={`mettle show ${run}/${name}`} />
              </>
            )}
          </Fold>
        );
      })}
    </Section>
  );
}

/** Designs, plans and the output of tests are data or plain text. */
function isMarkdown(name: string, { text }: CutText): boolean {
  return name !== "test-output" && !/^\s*[{[]/u.test(text);
}

/** Says that a text goes on, and how to see all of it. */
export function Cut({ text: { bytes, cut }, command }: { readonly text: CutText; readonly command: string }) {
  if (!cut) return null;
  return (
    <p class="rest">
      {bytes.toLocaleString("en")} bytes in all, of which this is a part: <code>{command}</code>
    </p>
  );
}
