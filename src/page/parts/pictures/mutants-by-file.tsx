/** Which files the tests watch well: mutants of changed lines that no test noticed. */
import type { MutantsModel } from "../../../views/model/evidence-model.ts";
import { countText } from "../words.ts";
import { Bars } from "./bars.tsx";

export function MutantsByFile({ mutants }: { readonly mutants: MutantsModel }) {
  if (mutants.files.length === 0) return null;
  return (
    <Bars
      name="mutants-by-file"
      title="Mutants by file"
      rows={mutants.files.slice(0, 40).map(({ path, noticed, survivors, unnoticed }) => ({
        id: path,
        label: path,
        note:
          noticed === null
            ? `${countText(unnoticed, "mutant")} not noticed`
            : `${noticed} of ${noticed + unnoticed} noticed`,
        parts: [
          { kind: "noticed", value: noticed ?? 0, title: `${noticed ?? 0} noticed` },
          { kind: "unnoticed", value: unnoticed, title: survivors[0] ?? `${unnoticed} not noticed` },
        ],
      }))}
      keys={[
        { kind: "noticed", words: "noticed by a test" },
        { kind: "unnoticed", words: "noticed by none" },
      ]}
    />
  );
}
