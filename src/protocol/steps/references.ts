/** "Go to step 7" means the key 7 of the merged protocol and is printed with its new number. */
import { yamlError, type YamlFault } from "../../lib/yaml-document.ts";
import { splitCode } from "./code-spans.ts";
import type { WrittenStep } from "./read.ts";

const reference = /\b(go\s+to\s+)?(step\s+)(\d+(?:\.\d+)*)(?!\w|\.\d)/giu;

/** @param numbers key -> printed number */
export function withReferences(written: WrittenStep, numbers: ReadonlyMap<string, number>): string {
  const faults: YamlFault[] = [];
  let at = 0;
  const parts = splitCode(written.text).map(({ text, code }) => {
    const from = at;
    at += text.length;
    if (code) return text;
    return text.replaceAll(
      reference,
      (whole, go: string | undefined, word: string, key: string, index: number) => {
        const number = numbers.get(key);
        if (number !== undefined) return `${go ?? ""}${word}${number}`;
        if (go !== undefined) faults.push(written.faultIn(from + index, `there is no step ${key} to go to`));
        return whole;
      },
    );
  });
  if (faults.length > 0) throw yamlError("unknown_step_reference", faults);
  return parts.join("");
}
