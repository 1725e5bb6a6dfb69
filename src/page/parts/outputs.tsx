/** What agents were told and what they said, folded. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { RunTexts } from "../../views/model/run-texts.ts";
import type { DispatchModel } from "../../views/model/step-model.ts";
import { Cut } from "./documents.tsx";
import { Mark } from "./mark.tsx";
import { Fold } from "./section.tsx";
import { InPieces } from "./pieces.tsx";
import { clockText } from "./words.ts";

const maxDispatches = 400;

export function Outputs({
  model,
  texts,
}: {
  readonly model: Pick<RunModel, "dispatches" | "run">;
  readonly texts: RunTexts;
}) {
  const { dispatches, run } = model;
  const told = dispatches.filter(({ key }) => key in texts.prompts || key in texts.outputs);
  if (told.length === 0) return null;
  return (
    <>
      <h3>What agents were told and said</h3>
      <InPieces of={told} max={maxDispatches} command={`mettle log ${run}`}>
        {(shown) => shown.map((dispatch) => <Output key={dispatch.key} dispatch={dispatch} texts={texts} />)}
      </InPieces>
    </>
  );
}

function Output({ dispatch, texts }: { readonly dispatch: DispatchModel; readonly texts: RunTexts }) {
  const { key, role, state, outcome, startedAt, prompt, output } = dispatch;
  const told = texts.prompts[key];
  const said = texts.outputs[key];
  const title = (
    <>
      <strong>{role}</strong>
      {outcome === null ? <Mark of={state} /> : <span>{outcome}</span>}
      <span class="place">{key}</span>
      <span class="aside">{clockText(startedAt)}</span>
    </>
  );
  return (
    <Fold title={title}>
      {told === undefined ? null : (
        <>
          <h4>Prompt</h4>
          <pre>{told.text}</pre>
          <Cut text={told} command={`mettle show ${prompt}`} />
        </>
      )}
      {said === undefined || said.text === "" ? (
        <p class="none">It wrote nothing.</p>
      ) : (
        <>
          <h4>Output</h4>
          <pre>{said.text}</pre>
          <Cut text={said} command={`mettle show ${output ?? ""}`} />
        </>
      )}
    </Fold>
  );
}
