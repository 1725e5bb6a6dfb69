import { expect, test } from "vitest";
import { limitsOf, parametersOf, usualLimits, withLimits, type LimitChanges, type Limits } from "./limits.ts";

/** As the store keeps them. */
const kept = (limits: Limits) => {
  const { workerConcurrency, globalConcurrency, partitionConcurrency } = parametersOf(limits);
  return limitsOf({
    workerConcurrency,
    partitionConcurrency,
    ...(globalConcurrency === undefined ? {} : { concurrency: globalConcurrency }),
  });
};

test.each<[readonly LimitChanges[], Limits]>([
  [[], { worker: 4, all: null, each: null }],
  [[{ all: 3 }], { worker: 3, all: 3, each: null }],
  [[{ all: 3 }, { all: null }], { worker: 4, all: null, each: null }],
  [[{ worker: 2 }, { all: 8 }, { each: 5 }], { worker: 2, all: 8, each: 5 }],
  [[{ each: 5 }, { all: 3 }], { worker: 3, all: 3, each: null }],
  [[{ all: 2, worker: 6 }], { worker: 2, all: 2, each: null }],
  [[{ each: 1 }, { each: null }], { worker: 4, all: null, each: null }],
])("limits %j become %j, and are kept so", (changes, wanted) => {
  const limits = changes.reduce<Limits>((before, change) => kept(withLimits(before, change)), usualLimits);
  expect(limits).toEqual(wanted);
});
