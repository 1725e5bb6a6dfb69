// Judges cases in batches: one `mettle prove` over many of them costs little more than one over a single case. What a batch does
// not settle is judged again in smaller ones: halves if the answer belongs to no case, and alone whatever is not as expected.
import { join } from "node:path";
import { attribute, testsOf } from "./attribute.mjs";
import { commit, createRepository } from "./repository.mjs";
import { caller } from "./mettle.mjs";

/**
 * @param material what a reader returned
 * @param place `folder` (scratch), `link` (called with each new repository, for its dependencies), `timeoutMs`, `progress`,
 *   `isOnce` (only what a batch cannot tell is judged again)
 * @returns for each case a row: `name`, `variant`, `expected`, `outcome`, `tests` (how many ran), `passing` (ids of tests that pass without
 *   the change and that a person must accept), `isSpecial` (its special-casing is named), `reasons`, `seconds` and `size` of its batch
 */
export async function judgeCases(material, { cases, variant, batch, place }) {
  const rows = [];
  const rest = [
    ...chunks(
      cases.filter((one) => one.isAlone !== true),
      batch,
    ),
    ...chunks(
      cases.filter((one) => one.isAlone === true),
      1,
    ),
  ];
  while (rest.length > 0) {
    const some = rest.shift();
    const judged = await judgeBatch(material, { cases: some, variant, place });
    rest.unshift(...judged.again);
    rows.push(...judged.rows);
    place.progress(judged.rows);
  }
  return rows;
}

let number = 0;

async function judgeBatch(material, { cases, variant, place }) {
  const prove = proverOf(material, { cases, variant, place });
  const first = await prove([]);
  const before = attribute(first.json, cases);
  const { passing } = before;
  // A person accepts what passes already; the verdict then shows whether anything else is wrong.
  const accepts = passing.length > 0 && before.wrong.size + before.unclear.size + before.unnamed.length === 0;
  const answer = accepts ? await prove(passing) : first;
  const found = accepts ? attribute(answer.json, cases) : before;
  const seconds = Math.round(first.seconds + (accepts ? answer.seconds : 0));
  const expected = material.expected[variant];
  const rows = cases.map((one) =>
    rowOf(one, { variant, expected, found, passing, answer, seconds, size: cases.length }),
  );
  return cases.length === 1 ? { rows, again: [] } : settled(rows, { cases, found, place });
}

/** Commits base and head of a batch into a new repository. */
function proverOf(material, { cases, variant, place }) {
  number += 1;
  const repository = join(place.folder, `repository-${number}`);
  const shared = createRepository(repository, { ...material.shared, "mettle.yaml": settingsOf(material) });
  place.link(repository);
  const base = commit(repository, { from: shared, files: merged(cases.map((one) => one.base)) });
  const files = merged(cases.flatMap((one) => [one.tests, one.heads[variant]]));
  const head = commit(repository, { from: base, files });
  const call = caller({ repository, state: join(place.folder, "state"), timeoutMs: place.timeoutMs });
  return (accepted) =>
    call(["prove", "--base", base, "--head", head, ...accepted.flatMap((id) => ["--accept-test", id])]);
}

function settled(rows, { cases, found, place }) {
  if (found.unnamed.length > 0) place.note(`split ${cases.length}: ${found.unnamed.join("; ")}`);
  if (found.unnamed.length > 0) return { rows: [], again: chunks(cases, Math.ceil(cases.length / 2)) };
  // Where a part could not be judged, neither was the rest.
  const isDoubtful = ({ outcome, expected }) =>
    found.unclear.size > 0 ? outcome === "inconclusive" : outcome !== expected;
  if (place.isOnce && found.unclear.size === 0) return { rows, again: [] };
  const alone = cases.filter((_one, at) => isDoubtful(rows[at]));
  const others = cases.filter((one) => !alone.includes(one));
  return {
    rows: found.unclear.size > 0 ? [] : rows.filter((row) => !isDoubtful(row)),
    again: [...(found.unclear.size > 0 && others.length > 0 ? [others] : []), ...chunks(alone, 1)],
  };
}

function rowOf(one, { variant, expected, found, passing, answer, seconds, size }) {
  const [wrong, unclear] = [found.wrong.get(one.name) ?? [], found.unclear.get(one.name) ?? []];
  const lone = size === 1 ? found.unnamed : [];
  return {
    name: one.name,
    variant,
    expected: one.expected ?? expected,
    outcome: size === 1 ? outcomeOf(answer) : outcomeIn({ wrong, unclear }),
    tests: testsOf(answer.json, one).length,
    passing: passing.filter((id) => Object.keys(one.tests).some((path) => id.startsWith(`${path}::`))),
    isSpecial: found.special.has(one.name),
    reasons: [...wrong, ...unclear, ...lone],
    seconds,
    size,
  };
}

function outcomeOf({ code }) {
  if (code === 0) return "accepted";
  return code === 1 ? "refused" : "inconclusive";
}

function outcomeIn({ wrong, unclear }) {
  if (wrong.length > 0) return "refused";
  return unclear.length > 0 ? "inconclusive" : "accepted";
}

function settingsOf({ settings }) {
  return `${JSON.stringify({ version: 1, ...settings }, null, 2)}\n`;
}

function merged(list) {
  return Object.assign({}, ...list);
}

function chunks(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  );
}
