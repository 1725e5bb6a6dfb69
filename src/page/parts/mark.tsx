/** A verdict or state as symbol, word and colour, so that none of the three is needed alone. */
import { classOf, symbols, words, type Tone } from "./tones.ts";

export function Mark({ of, children }: { readonly of: Tone; readonly children?: string | undefined }) {
  return (
    <span class={`mark ${classOf[of]}`} data-mark={of}>
      <span class="symbol" aria-hidden="true">
        {symbols[of]}
      </span>
      {children ?? words[of]}
    </span>
  );
}
