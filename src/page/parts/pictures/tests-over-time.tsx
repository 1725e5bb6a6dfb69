/** How many tests passed and failed in each run of the work's tests, oldest first. */
import type { TestRunModel, TestsModel } from "../../../views/model/evidence-model.ts";
import { clockText, countText } from "../words.ts";

const height = 120;
const maxRuns = 60;

export function TestsOverTime({ tests }: { readonly tests: TestsModel }) {
  const all = tests.runs;
  const runs = all.slice(-maxRuns);
  const count = all.length + tests.earlier;
  if (runs.length === 0) return null;
  const most = Math.max(...runs.map(countOf), 1);
  return (
    <figure class="picture">
      <svg
        role="img"
        aria-label="Tests over time"
        width="100%"
        height={height + 22}
        data-picture="tests-over-time"
      >
        <line x1="0" y1={height} x2="100%" y2={height} class="axis" />
        {runs.map((run, index) => (
          <Run key={run.record} run={run} index={index} of={runs.length} most={most} />
        ))}
        <text x="0" y={height + 17} class="note">
          {clockText(runs[0]?.at ?? "")}
        </text>
        <text x="100%" y={height + 17} class="note" text-anchor="end">
          {clockText(runs.at(-1)?.at ?? "")}
        </text>
      </svg>
      <figcaption>
        <span class="key passed">passed</span>
        <span class="key failed">failed</span>
        <span class="key skipped">skipped</span>
        <span class="aside">
          {count > runs.length
            ? `the newest ${runs.length} of ${count} runs`
            : `${countText(count, "run")}, at most ${countText(most, "test")}`}
        </span>
      </figcaption>
    </figure>
  );
}

function Run({
  run,
  index,
  of,
  most,
}: {
  readonly run: TestRunModel;
  readonly index: number;
  readonly of: number;
  readonly most: number;
}) {
  const width = Math.min(72 / of, 6);
  const x = ((index + 0.5) / of) * 100 - width / 2;
  const scale = (count: number) => Math.round((count / most) * (height - 8) * 10) / 10;
  const { passed, failed, skipped, record, purpose } = run;
  const parts = [
    ["passed", passed],
    ["failed", failed],
    ["skipped", skipped],
  ] as const;
  let top = height;
  return (
    <g data-bar={record} data-passed={passed} data-failed={failed} data-skipped={skipped}>
      <title>
        {record} {purpose}: {passed} passed, {failed} failed, {skipped} skipped
      </title>
      {parts.map(([kind, count]) => {
        top -= scale(count);
        return count === 0 ? null : (
          <rect
            key={kind}
            x={`${Math.round(x * 100) / 100}%`}
            y={top}
            width={`${Math.round(width * 100) / 100}%`}
            height={Math.max(scale(count) - 1, 1)}
            class={`bar ${kind}`}
          />
        );
      })}
    </g>
  );
}

function countOf({ passed, failed, skipped }: TestRunModel): number {
  return passed + failed + skipped;
}
