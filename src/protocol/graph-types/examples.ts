/** Values that a type allows, to try a template on: with and without what may be absent, in each variant and word. */
import type { Value } from "../jinja/value.ts";
import { assertNever } from "../../lib/assert-never.ts";
import type { Shape } from "./shape.ts";

/** No type of the graph has more variants or words in one place. */
const choices = 5;

export function examplesOf(shape: Shape): readonly Value[] {
  return Array.from({ length: choices * 2 }, (_, at) =>
    example(shape, { full: at % 2 === 0, choice: Math.floor(at / 2) }),
  );
}

interface Wanted {
  readonly full: boolean;
  readonly choice: number;
}

function example(shape: Shape, wanted: Wanted): Value {
  switch (shape.kind) {
    case "text":
    case "path":
      return "text";
    case "number":
      return wanted.choice + 1;
    case "word":
      return shape.words[wanted.choice % shape.words.length] ?? "";
    case "pair":
      return ["one", "two"];
    case "list":
      return wanted.full ? [example(shape.of, wanted)] : [];
    case "object": {
      const fields = [...shape.fields].filter(([, { maybe }]) => wanted.full || !maybe);
      return Object.fromEntries(fields.map(([name, field]) => [name, example(field.shape, wanted)]));
    }
    case "oneOf": {
      const variants = [...shape.variants];
      const [name, payload] = variants[wanted.choice % variants.length] ?? [];
      return name === undefined || payload === undefined ? {} : { [name]: example(payload, wanted) };
    }
    default:
      return assertNever(shape);
  }
}
