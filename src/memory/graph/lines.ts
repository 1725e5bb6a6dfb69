/** The file format of server-memory: one JSON object per line, entities first, no final line break. */
import * as z from "zod";
import type { GraphContent } from "./graph.ts";
import { Entity, Relation } from "./shapes.ts";

const Line = z.discriminatedUnion("type", [
  Entity.extend({ type: z.literal("entity") }),
  Relation.extend({ type: z.literal("relation") }),
]);

/** A line that cannot be imported. */
export interface BadLine {
  /** Counted from 1. */
  readonly line: number;
  readonly why: string;
}

export interface ParsedLines {
  readonly content: GraphContent;
  readonly bad: readonly BadLine[];
}

/** @param first the number of the first line in the file */
export function readLines(lines: readonly string[], first = 1): ParsedLines {
  const entities: Entity[] = [];
  const relations: Relation[] = [];
  const bad: BadLine[] = [];
  for (const [index, text] of lines.entries()) {
    if (text.trim() === "") continue;
    const read = Line.safeParse(parse(text));
    if (!read.success) bad.push({ line: first + index, why: whyOf(text) });
    else if (read.data.type === "entity") {
      const { name, entityType, observations } = read.data;
      entities.push({ name, entityType, observations });
    } else {
      const { from, to, relationType } = read.data;
      relations.push({ from, to, relationType });
    }
  }
  return { content: { entities, relations }, bad };
}

export function writeLines({ entities, relations }: GraphContent): string {
  return [
    ...entities.map(({ name, entityType, observations }) =>
      JSON.stringify({ type: "entity", name, entityType, observations }),
    ),
    ...relations.map(({ from, to, relationType }) =>
      JSON.stringify({ type: "relation", from, to, relationType }),
    ),
  ].join("\n");
}

function whyOf(text: string): string {
  return parse(text) === undefined
    ? "it is not JSON; it may be cut off"
    : "it is neither an entity {name, entityType, observations} nor a relation {from, to, relationType}";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The line is reported as bad.
    return undefined;
  }
}
