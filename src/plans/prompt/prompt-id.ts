/** The id of a prompt or approach: a number and, for a variant, a letter: `1` or `1_A`. */
import { AppError } from "../../lib/errors.ts";

export interface PromptId {
  readonly number: number;
  readonly variant: string | null;
}

export function idText({ number, variant }: PromptId): string {
  return variant === null ? `${number}` : `${number}_${variant}`;
}

/** Reads `1`, `1 A` and `1_A`. */
export function readId(numberWord: string, variantWord: string | null): PromptId {
  const [numeral = "", letter] = numberWord.split("_");
  const number = readNumber(numeral);
  if (
    numberWord.split("_").length > 2 ||
    (letter !== undefined && variantWord !== null && letter !== variantWord)
  )
    throw invalidVariant(numberWord);
  const variant = variantWord ?? letter ?? null;
  if (variant !== null && !/^[A-Z]$/u.test(variant)) throw invalidVariant(variant);
  return { number, variant };
}

export function readNumber(word: string): number {
  const number = Number(word);
  if (/^[1-9][0-9]*$/u.test(word) && Number.isSafeInteger(number)) return number;
  throw new AppError("invalid_number", `${JSON.stringify(word)} is not a positive whole number`, {
    hint: "numbers start at 1",
  });
}

/** Parses the id in a file name; null if it is not one. */
export function parseId(name: string): PromptId | null {
  const [, number, variant] = /^([1-9][0-9]*)(?:_([A-Z]))?$/u.exec(name) ?? [];
  return number === undefined ? null : { number: Number(number), variant: variant ?? null };
}

/** Sorts by number; without a letter comes first, then by letter. */
export function compareIds(a: PromptId, b: PromptId): number {
  return a.number - b.number || (a.variant ?? "").localeCompare(b.variant ?? "", "en");
}

function invalidVariant(word: string): AppError {
  return new AppError("invalid_variant", `${JSON.stringify(word)} is not a valid variant`, {
    hint: "a variant is one capital letter from A to Z",
  });
}

/** Throws where one number would have both a standalone prompt (or approach) and variants. */
export function refuseMixedVariants(
  id: PromptId,
  { others, what }: { readonly others: readonly PromptId[]; readonly what: string },
): void {
  const same = others.filter(({ number }) => number === id.number);
  const letters = same.flatMap(({ variant }) => variant ?? []);
  if (id.variant === null && letters.length > 0)
    throw new AppError("variants_exist", `${what} ${id.number} has the variants ${letters.join(", ")}`, {
      hint: "write another variant, or use another number",
      detail: { variants: letters },
    });
  if (id.variant !== null && letters.length < same.length)
    throw new AppError(
      "standalone_exists",
      `${what} ${id.number} is standalone, so it cannot have a variant ${idText(id)}`,
      {
        hint: "use another number, or omit the letter",
      },
    );
}
