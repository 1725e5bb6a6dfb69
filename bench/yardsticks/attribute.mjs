// What an answer of `mettle prove` about a batch says of each of its cases: a check or an error belongs to the cases whose tests or
// files it names.

/**
 * @param answer the object that `mettle prove --json` printed
 * @param cases the cases of the batch
 * @returns `wrong`: name of a case -> reasons; `unclear`: the same for checks that could not judge; `passing`: ids of tests
 *   that pass without the change; `special`: names of the cases whose special-casing a check or a finding names; `unnamed`:
 *   reasons that belong to no case, so that the batch must be split
 */
export function attribute(answer, cases) {
  const owners = ownersOf(cases);
  const found = {
    wrong: new Map(),
    unclear: new Map(),
    passing: [],
    special: specialCases(answer, owners),
    unnamed: [],
  };
  if (answer.error !== undefined) {
    found.unnamed.push(`${answer.error.code}: ${answer.error.message}`);
    return found;
  }
  for (const check of answer.checks.filter(({ verdict }) => verdict !== "pass")) {
    if (check.name === "red.fails" && check.tests.length > 0) {
      found.passing.push(...check.tests);
      continue;
    }
    const named = new Set([...check.tests.map(fileOf), ...check.places.map(({ path }) => path)]);
    const names = new Set([...named].map((path) => owners.get(path)).filter((name) => name !== undefined));
    const reason = `${check.name}: ${check.reason}`;
    if (names.size === 0) found.unnamed.push(reason);
    const side = check.verdict === "fail" ? found.wrong : found.unclear;
    for (const name of names) side.set(name, [...(side.get(name) ?? []), reason]);
  }
  return found;
}

function specialCases({ checks = [], findings = [] }, owners) {
  const refused = checks.filter(({ name, verdict }) => name === "green.hard_coded" && verdict === "fail");
  const flagged = findings.filter(({ code, testId }) => code === "special_case" && testId !== undefined);
  const ids = [...refused.flatMap(({ tests }) => tests), ...flagged.map(({ testId }) => testId)];
  return new Set(ids.map((id) => owners.get(fileOf(id))).filter((name) => name !== undefined));
}

/** @returns the ids of the tests of one case that the answer mentions as executed */
export function testsOf(answer, one) {
  const own = new Set(Object.keys(one.tests));
  return (answer.observed ?? []).filter((id) => own.has(fileOf(id)));
}

export function fileOf(id) {
  return id.split("::")[0];
}

function ownersOf(cases) {
  return new Map(
    cases.flatMap((one) =>
      [one.base, one.tests, ...Object.values(one.heads)].flatMap((files) =>
        Object.keys(files).map((path) => [path, one.name]),
      ),
    ),
  );
}
