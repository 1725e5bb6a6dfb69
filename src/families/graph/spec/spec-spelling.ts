/** The allowed spellings of a spec file: snake_case for camelCase keys, and criteria as plain texts. */
export interface NormalizedSpec {
  readonly value: Readonly<Record<string, unknown>>;
  /** Fields written in both spellings: `taken` was read, `key` was ignored. */
  readonly doubled: readonly { readonly field: string; readonly taken: string; readonly key: string }[];
  /** The path in the file of a value that now has this path. */
  origin(path: readonly PropertyKey[]): readonly PropertyKey[];
}

const other: Readonly<Record<string, string>> = {
  acceptance_criteria: "acceptanceCriteria",
  target_path: "targetPath",
  test_path: "testPath",
  complexity_constraints: "complexityConstraints",
};

export function normalizeSpelling(raw: Readonly<Record<string, unknown>>): NormalizedSpec {
  const entries: [string, unknown][] = [];
  const keys = new Map<PropertyKey, string>();
  const doubled: { readonly field: string; readonly taken: string; readonly key: string }[] = [];
  for (const [key, given] of Object.entries(raw)) {
    const field = (Object.hasOwn(other, key) ? other[key] : undefined) ?? key;
    const taken = keys.get(field);
    if (taken !== undefined) doubled.push({ field, taken, key });
    else {
      keys.set(field, key);
      entries.push([field, field === "acceptanceCriteria" ? criteria(given) : given]);
    }
  }
  return {
    value: Object.fromEntries(entries),
    doubled,
    origin: ([first, ...rest]) => {
      if (first === undefined) return [];
      const key = keys.get(first) ?? first;
      return isPlain(raw[key.toString()], rest) ? [key, rest[0] ?? 0] : [key, ...rest];
    },
  };
}

/** A plain text gets the id of its position: the first is AC-1. */
function criteria(given: unknown): unknown {
  if (!Array.isArray(given)) return given;
  return given.map((item: unknown, at) =>
    typeof item === "string" ? { id: `AC-${at + 1}`, text: item } : item,
  );
}

function isPlain(given: unknown, [index]: readonly PropertyKey[]): boolean {
  return Array.isArray(given) && typeof index === "number" && typeof given[index] === "string";
}
