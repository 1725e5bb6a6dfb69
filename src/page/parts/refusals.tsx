/** What the run did not accept, oldest first. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { RefusalModel } from "../../views/model/verdict-model.ts";
import { Fold, Section } from "./section.tsx";
import { InPieces } from "./pieces.tsx";
import { clockText } from "./words.ts";

export function Refusals({ model }: { readonly model: Pick<RunModel, "refusals" | "warnings" | "run"> }) {
  const { refusals, warnings, run } = model;
  return (
    <Section id="refused" title="What was refused">
      {refusals.length === 0 ? <p class="none">Nothing was refused.</p> : null}
      <InPieces of={refusals} max={maxRefusals} command={`mettle log ${run}`} newest>
        {(shown) => shown.map((refusal) => <Refusal key={refusal.seq} refusal={refusal} />)}
      </InPieces>
      {warnings.length === 0 ? null : (
        <>
          <h3>Warnings</h3>
          <ul class="plain">
            {warnings.slice(0, maxRefusals).map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

const maxRefusals = 200;

const kinds: Readonly<Record<RefusalModel["kind"], string>> = {
  gate: "gate",
  claim: "claim",
  block: "claim",
  report: "report",
  tool: "tool",
  network: "network",
  write: "files",
  frozen: "files",
  left_out: "files",
  late: "report",
  cycle: "cycle",
  rescued: "kept",
};

function Refusal({ refusal }: { readonly refusal: RefusalModel }) {
  const { kind, what, details, at, key } = refusal;
  const title = (
    <>
      <span class={kind === "rescued" || kind === "left_out" ? "kind quiet" : "kind"}>{kinds[kind]}</span>
      <span class="what">{what}</span>
      <span class="aside">{clockText(at)}</span>
    </>
  );
  return (
    <div class="refusal" data-refusal={kind} data-seq={refusal.seq}>
      <Fold title={title} open={kind === "gate"}>
        {key === null ? null : <p class="aside name">{key}</p>}
        <ul class="reasons">
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      </Fold>
    </div>
  );
}
