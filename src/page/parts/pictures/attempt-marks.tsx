/** The attempts at one gate, oldest first, each as the sign of its verdict. */
import type { GateModel } from "../../../views/model/verdict-model.ts";
import { symbols, words } from "../tones.ts";

const size = 18;
const step = 22;
const maxAttempts = 8;

export function AttemptMarks({ gate: { id, attempts } }: { readonly gate: GateModel }) {
  const newest = attempts.slice(-maxAttempts);
  const count = attempts.length - newest.length;
  const said = attempts.map(({ verdict }) => words[verdict]).join(", ");
  return (
    <span class="attempts">
      {count === 0 ? null : `${count} earlier`}
      <svg
        role="img"
        aria-label={said}
        width={newest.length * step - (step - size) + 2}
        height={size + 2}
        data-bar={id}
        data-value={attempts.length}
      >
        {newest.map(({ key, verdict }, index) => (
          <g
            key={key}
            transform={`translate(${index * step + 1}, 1)`}
            class={`attempt-mark ${verdict}`}
            data-attempt={key}
            data-value={verdict}
          >
            <title>
              attempt {count + index + 1}: {words[verdict]}
            </title>
            <rect width={size} height={size} rx="5" />
            <text x={size / 2} y="13.5" text-anchor="middle">
              {symbols[verdict]}
            </text>
          </g>
        ))}
      </svg>
    </span>
  );
}
