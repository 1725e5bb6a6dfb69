/** What waits for a person, each with what was shown and the form that answers it. */
import type { AskModel } from "../../views/model/decision-model.ts";
import { askText } from "../parts/words.ts";
import { AskForm } from "./ask-form.tsx";
import type { RunPlace } from "./api.ts";
import type { RunNow } from "./wire.ts";

export function Asks({ now: { model, state }, at }: { readonly now: RunNow; readonly at: RunPlace }) {
  const { asks } = model;
  if (asks.length === 0) return null;
  return (
    <section id="asks" aria-labelledby="asks-title" class="waiting">
      <h2 id="asks-title" tabIndex={-1}>
        Waits for you
      </h2>
      {asks.map((ask) => (
        <Ask key={ask.key} ask={ask} at={at} state={state} model={model} />
      ))}
    </section>
  );
}

/** Their forms say what is asked. */
const hasOwnText: ReadonlySet<AskModel["kind"]> = new Set(["questions", "plan_gate"]);

interface AskProps {
  readonly ask: AskModel;
  readonly at: RunPlace;
  readonly state: string;
  readonly model: RunNow["model"];
}

function Ask({ ask, at, state, model }: AskProps) {
  const { key, kind, text, shown, node, hash, commands } = ask;
  return (
    <article class="ask" data-ask={key} data-kind={kind} aria-label={text}>
      <h3>
        {node === null ? null : <span class="place">{node} </span>}
        {askText(text)}
      </h3>
      {shown === null || hasOwnText.has(kind) ? null : (
        <pre class="shown" tabIndex={0} role="region" aria-label="What is asked">
          {shown}
        </pre>
      )}
      {hash === null ? (
        <p class="aside">It has not been shown yet; it can be answered in a moment.</p>
      ) : (
        <AskForm ask={ask} hash={hash} at={at} state={state} model={model} />
      )}
      <details>
        <summary>In a terminal</summary>
        <div class="folded">
          {commands.map((command) => (
            <p key={command}>
              <code>{command}</code>
            </p>
          ))}
          {hash === null ? null : <p class="aside">An answer here is bound to {hash.slice(0, 19)}</p>}
        </div>
      </details>
    </article>
  );
}
