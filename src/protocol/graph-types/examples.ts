/** Example values of a type for testing templates: with and without optional fields, in each variant and word. */
import type { Value } from "../jinja/value.ts";
import { assertNever } from "../../lib/assert-never.ts";
import type { Shape } from "./shape.ts";

/** Maximum number of variants or words of a graph type. */
const choices = 5;

export function examplesOf(shape: Shape): readonly Value[] {
  return Array.from({ length: choices * 2 }, (_, at) =>
    example(shape, { full: at % 2 === 0, choice: Math.floor(at / 2) }),
  );
}

interface ExampleOptions {
  readonly full: boolean;
  readonly choice: number;
}

function example(shape: Shape, wanted: ExampleOptions): Value {
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
