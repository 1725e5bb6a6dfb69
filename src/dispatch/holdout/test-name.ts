/** The names of a test in other texts than its file: reports, documents, messages of agents. Pure. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import { wordsAt } from "../../lib/find-word.ts";
import { applyEdits, type Edit } from "../../source/text-edits.ts";

/** `test_adds[1-2]` is a case of `test_adds`. */
export function withoutCase(id: string): string {
  return fileOfTest(id).endsWith(".py") ? id.replace(/\[.*\]$/su, "") : id;
}

/** Suites and title, joined as in the id. */
export function nameInFile(id: string): string {
  return withoutCase(id).slice(fileOfTest(id).length + "::".length);
}

const separators = ["::", " > ", " › ", " ", "."];

/** Finds the names of tests in a text. A name that is part of the longer name of another test is not found there. */
export class TestNames {
  /** Longest first. */
  readonly #names: readonly string[];
  readonly #ids = new Map<string, Set<string>>();

  /** @param except names that are not looked for */
  constructor(ids: readonly string[], except: readonly string[] = []) {
    for (const id of ids) for (const name of namesOf(id)) if (!except.includes(name)) this.#add(name, id);
    this.#names = [...this.#ids.keys()].toSorted((a, b) => b.length - a.length);
  }

  #add(name: string, id: string): void {
    const known = this.#ids.get(name);
    if (known === undefined) this.#ids.set(name, new Set([id]));
    else known.add(id);
  }

  /** @param other the text in place of a name of these tests; null keeps it */
  replace(text: string, other: (ids: ReadonlySet<string>) => string | null): string {
    const edits = this.#placesIn(text).flatMap(({ name, start, end }): readonly Edit[] => {
      const told = other(this.#ids.get(name) ?? new Set());
      return told === null ? [] : [{ start, end, text: told }];
    });
    return applyEdits(text, edits);
  }

  #placesIn(text: string) {
    const places: { readonly name: string; readonly start: number; readonly end: number }[] = [];
    for (const name of this.#names)
      for (const start of wordsAt(text, name)) {
        const end = start + name.length;
        if (places.every((one) => end <= one.start || one.end <= start)) places.push({ name, start, end });
      }
    return places;
  }

  /** Ids of the tests that a text names. */
  in(text: string): ReadonlySet<string> {
    return new Set(this.#placesIn(text).flatMap(({ name }) => [...(this.#ids.get(name) ?? [])]));
  }
}

/** The id, and the id without its file and outer suites. A title of one plain word is a name in quotes only. */
export function namesOf(id: string): readonly string[] {
  const parts = withoutCase(id)
    .replace(/(?<=\S)#\d+$/u, "")
    .split("::");
  const tails = parts.slice(1).map((_part, at) => parts.slice(at + 1));
  const names = tails.flatMap((tail) => separators.map((between) => tail.join(between)));
  const safe = names.flatMap((name) =>
    /^\p{L}+$/u.test(name) ? ['"', "'", "`"].map((quote) => `${quote}${name}${quote}`) : [name],
  );
  return [...new Set([id, withoutCase(id), ...safe])];
}
